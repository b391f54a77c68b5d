// The colours of the window, and the inks that the raster counts: each different colour once.

const MAX_INKS = 512,
  FADED = .83,
  CUT_BITS = [0, 2, 3, 4, 5];
let isDark = false,
  colour = {},
  look = null,
  inks = null;

const rgb = number => "#" + number.toString(16).padStart(6, "0");
const numberOf = css => parseInt(css.slice(1, 7), 16);
const channels = number => [number >> 16 & 255, number >> 8 & 255, number & 255];

// Return a colour with a share of another one in it.
function blend(one, other, share) {
  const [a, b] = [channels(one), channels(other)];
  return a.reduce((sum, x, i) => sum << 8 | Math.round(x + (b[i] - x) * share), 0);
}

// Take the colours for light or for dark pages, for the canvas and for the page around it.
function dress(dark) {
  isDark = dark;
  look = facts.themes[dark ? "dark" : "light"];
  colour = look.roles;
  for (const [role, css] of Object.entries(colour))
    if (typeof css === "string") document.documentElement.style.setProperty("--" + role, css);
  document.documentElement.style.colorScheme = dark ? "dark" : "light";
}

// Return the tones of a number of the palette, [map, wait, shuffle, reduce, edge, hatch].
const tonesOf = number => facts.inks[number][isDark ? 1 : 0];

// Find the inks of all tones; those of jobs that are not selected are faded, at the second half of `ofTone`.
function mixInks() {
  const tones = facts.inks.map((_, number) => tonesOf(number)),
    lane = numberOf(colour.lane);
  const faded = tones.map(own => own.map(each => blend(each, lane, FADED)));
  const all = [...tones, ...faded];
  let mask, known;
  for (const bits of CUT_BITS) {
    mask = (0xff << bits & 0xff) * 0x010101;
    known = new Set(all.flatMap(own => own.slice(0, 5).map(each => each & mask)));
    if (known.size <= MAX_INKS) break;
  }
  const colours = [...known].sort((a, b) => a - b),
    number = new Map(colours.map((each, i) => [each, i]));
  inks = {
    count: colours.length,
    half: tones.length,
    opacity: Int32Array.from(look.opacity),
    takesAll: look.takesAll,
    red: Float64Array.from(colours, c => c >> 16),
    green: Float64Array.from(colours, c => c >> 8 & 255),
    blue: Float64Array.from(colours, c => c & 255),
    colours: Int32Array.from(colours),
    ofTone: Int32Array.from(all.flatMap(own => own.slice(0, 5).map(each => number.get(each & mask)))),
    hatch: Int32Array.from(all, own => own[HATCH])
  };
}

// Return a text colour that reads well on a colour.
function inkOn(number) {
  const light = channels(number).map(c => c / 255).map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
  return .2126 * light[0] + .7152 * light[1] + .0722 * light[2] > .18 ? "#14181f" : "#ffffff";
}
