// Rows that are folded into one: how much of them runs something, as shade.

// Return the one ink that shows how much is in use.
function evenInk() {
  const own = numberOf(colour.second_text),
    [red, green, blue] = channels(own).map(each => Float64Array.of(each));
  const opacity = Int32Array.from({
    length: STEPS + 1
  }, (_, step) => evenly(256 * step / STEPS));
  return {
    count: 1,
    half: 0,
    opacity,
    takesAll: true,
    red,
    green,
    blue,
    colours: Int32Array.of(own),
    ofTone: new Int32Array(HATCH),
    hatch: Int32Array.of(0)
  };
}

// Paint all rows of a band in one line, then the others like it; without a pause, as it has inks of its own.
function* paintFolded(pixels, width, height, run, band, frame) {
  const before = inks,
    line = new Uint32Array(width),
    one = {
      ...run,
      tone: new Uint8Array(run.tone.length)
    };
  inks = evenInk();
  for (const _ of paintBand(line, width, 1, one, band, {
      ...frame,
      top: 0,
      rowHeight: 1 / band.rows,
      odd: frame.even,
      own: 2
    }));
  inks = before;
  for (let y = 0; y < height; y++) pixels.set(line, y * width);
}

// Fold the rows of a band in all charts, or open them.
function fold(name) {
  const isFolded = folded.delete(name);
  if (!isFolded) folded.add(name);
  folding(`Rows of ${name} ${isFolded ? "shown" : "folded"}`);
}

// Fold all rows that are not, or open them all.
function foldAll() {
  const names = new Set(plan.panels.flatMap(panel => panel.run.bands.map(band => band.name))),
    areFolded = [...names].every(name => folded.has(name));
  folded = areFolded ? new Set() : names;
  folding(areFolded ? "All rows shown" : "All rows folded");
}

function folding(words) {
  show(null);
  placeRows();
  scrollRows(view.part);
  restart();
  say(words);
}

// Return the place of rows whose label lies under a pixel; null for none.
function labelAt(x, y) {
  const panel = x < plan.left ? panelAt(y) : null,
    line = panel ? Math.floor(y - panel.plot) : -1;
  return panel && panel.rows.places.find(place => line >= place.first && line < place.last) || null;
}

// Return how many rows of a band run something at a time, and the jobs that these are of.
function bandUse(run, band, time) {
  const jobs = new Set();
  let busy = 0;
  for (let row = band.at; row < band.at + band.rows; row++) {
    let isBusy = false;
    for (let i = firstEndingAfter(run, row, time); i < run.offsets[row + 1] && run.start[i] <= time; i++) {
      if (isAttempt(run, i)) continue;
      isBusy = true;
      jobs.add(run.job[run.code[i] >> 1]);
    }
    if (isBusy) busy++;
  }
  return {
    busy,
    jobs: [...jobs].sort((a, b) => a - b).map(job => facts.jobs[job])
  };
}
const MAX_NAMED_JOBS = 3;

// Join names as a sentence does: "J1, J2 and 3 more jobs"; a single further one is named, too.
function listed(names) {
  if (names.length > MAX_NAMED_JOBS + 1) return `${names.slice(0, MAX_NAMED_JOBS).join(", ")} and ${plural(names.length -
    MAX_NAMED_JOBS, "more job")}`;
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join("");
}

// Return what folded rows are called.
function foldedTitle(band) {
  const [kind, ...group] = band.name.split(" of "),
    slots = {
      MAP: "map slots",
      REDUCE: "reduce slots"
    } [kind] || kind.toLowerCase();
  return band.isGroup ? `${group.join(" of ")} · ${slots}` : slots[0].toUpperCase() + slots.slice(1);
}

// Return what is known of folded rows at a time, as pairs of words.
function foldedFacts(run, band, time) {
  const {
    busy,
    jobs
  } = bandUse(run, band, time);
  return [
    ["busy", `${counted(busy)} of ${counted(band.rows)}`],
    ["at", clockText(time, .1)],
    ...(jobs.length ? [
      ["jobs", listed(jobs)]
    ] : [])
  ];
}

const FOLD_SIGN = 3.5, // half the width of the triangle that says whether rows are folded
  SIGN_ROOM = 34;

// Draw the triangle of rows: to the right where they are folded, else down.
function drawFoldSign(x, y, isFolded) {
  const long = FOLD_SIGN,
    short = FOLD_SIGN / 2;
  pen.beginPath();
  for (const [dx, dy] of isFolded ? [
      [-short, -long],
      [short, 0],
      [-short, long]
    ] : [
      [-long, -short],
      [long, -short],
      [0, short]
    ]) pen.lineTo(x + dx, y + dy);
  pen.closePath();
  pen.fillStyle = colour.on_band;
  pen.fill();
}

// Return what the pool of jobs of a band is called, with the kind of its slots where each kind has a line of its own.
const groupName = band => band.isPacked ? band.name.split(" of ").slice(1).join(" of ") : band.name;

// Name a pool of jobs upon its folded rows.
function drawGroupUpon(band, top) {
  const name = groupName(band);
  pen.fillStyle = translucent(colour.window, 160);
  pen.fillRect(plan.left, top, textWidth(name, 11, 600) + 8, FOLDED_HEIGHT);
  write(name, plan.left + 4, top + 11, colour.text, 11, "left", 600);
}

// Name the rows that are folded, beside their one row.
function drawFoldedName(band, top, high) {
  const kind = band.name.split(" of ")[0],
    name = kind[0] + kind.slice(1).toLowerCase(),
    room = plan.left - BAND_WIDTH - 11,
    text = [`${name} ${counted(band.rows)}`, name, band.prefix.replace(/\.$/, "") || name[0]].find(each => textWidth(each,
      11) <= room);
  write(text || "", plan.left - 7, top + high / 2 + 4, colour.second_text, 11, "right");
}
