// Pieces of SVG: lines, signs of curves, texts. Colours are those of the page, by their names.

const SIGNS = 6, // different signs, as there are colours
  MAX_SIGNS = 40, // a curve of more points has neither signs nor a whisker at each
  DASHES = ["", "1.5 4", "7 3 1.5 3", "7 3 1.5 3 1.5 3"],
  PAPER_DASH = "6 4",
  BAND_OPACITY = .18,
  CLAIM_OPACITY = .1;

const curveColour = place => `var(--curve${place % SIGNS})`;
const dashOf = (place, more) => DASHES[(Math.floor(place / SIGNS) + more) % DASHES.length];

// Return an element of SVG; what is undefined of its attributes is left out, and "fill" and "stroke" may be variables.
function shape(tag, attributes = {}, ...inside) {
  const own = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === "") continue;
    if (name === "fill" || name === "stroke") own.style[name] = value;
    else own.setAttribute(name, typeof value === "number" ? +value.toFixed(2) : value);
  }
  own.append(...inside);
  return own;
}

const pathOf = points => points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`).join("");

// Return the outline of a sign around a point: circle, square, triangle, diamond, pentagon, hexagon, star.
function signPath(kind, x, y, size) {
  const around = (count, turn, inner = 1) => pathOf(Array.from({
    length: count
  }, (_, i) => {
    const angle = (turn + i / count) * 2 * Math.PI,
      far = size * (i % 2 ? inner : 1);
    return [x + far * Math.sin(angle), y - far * Math.cos(angle)];
  })) + "Z";
  if (kind === 0) return `M${x - size} ${y}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0Z`;
  return [null, () => around(4, .125), () => around(3, .5), () => around(4, 0), () => around(5, 0), () => around(6, 0), () => around(10, 0, .45)][kind]();
}

// Return a small picture for the legend.
function sample(width, ...inside) {
  return shape("svg", {
    width,
    height: 12,
    viewBox: `0 0 ${width} 12`,
    "aria-hidden": "true"
  }, ...inside);
}

// Return a text inside a plot.
function label(text, x, y, anchor = "start", name = "", turn = 0) {
  const own = shape("text", {
    x,
    y,
    "text-anchor": anchor,
    class: name,
    transform: turn ? `rotate(${turn} ${x.toFixed(1)} ${y.toFixed(1)})` : undefined
  });
  own.textContent = text;
  return own;
}
