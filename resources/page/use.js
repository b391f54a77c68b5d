// How many slots of a lane are in use at any time, for a strip above thin rows: stacked by colour, or one ink.

const MAX_TASKS_AT_ONCE = 50_000, // of so many it is found at once what holds slots; of more between frames
  MIN_SHADE = .15,
  MAX_SHADE = .6,
  MIN_HELD = 1e-6,
  GREY = 0x8a8f98,
  USE_SLICE = 100_000; // tasks
const IS_WORK = 0,
  IS_SHUFFLE = 1,
  IS_ATTEMPT = 2;

// Return the bands whose strip is that of the band at an index: those of the same pool of jobs that follow.
function namedTogether(bands, index) {
  let last = index + 1;
  while (last < bands.length && continues(bands, last)) last++;
  return bands.slice(index, last);
}

// Return the strips of a chart: the bands, and the pixel line at which each begins.
function stripsOf(panel) {
  const {
    places,
    strip
  } = panel.rows;
  return !strip ? [] : places.filter(place => !place.isFolded && place.last > place.first && !continues(panel.run.bands,
    place.index)).map(place => ({
    bands: namedTogether(panel.run.bands, place.index),
    y: panel.plot + Math.round(place.top) - strip - stripAir(strip)
  })).filter(({
    y
  }) => y + strip >= panel.plot);
}

// Return the class of a task's job among those of the legend, -1 for none.
function classOf(run, group) {
  const own = run.classCount > 1 ? facts.classPlaces[group % run.classCount] : run.jobClass[run.job[group]];
  return own ?? -1;
}

// Find what holds the slots of bands, part by part; pauses between steps.
function* heldSlots(run, bands) {
  const parts = new Map();
  let work = 0;
  const add = (kind, owner, begin, end) => {
    if (end <= begin) return;
    const key = kind * 1e6 + owner;
    let part = parts.get(key);
    if (!part) parts.set(key, part = {
      kind,
      owner,
      begins: [],
      ends: []
    });
    part.begins.push(begin);
    part.ends.push(end);
  };
  for (const band of bands)
    for (let i = run.offsets[band.at]; i < run.offsets[band.at + band.rows]; i++) {
      const group = run.code[i] >> 1;
      if (isAttempt(run, i)) add(IS_ATTEMPT, lookOf(run, i), run.start[i], run.end[i]);
      else {
        const owner = classOf(run, group),
          begin = run.code[i] & 1 ? run.body[i] : run.start[i];
        add(IS_WORK, owner, begin, run.end[i]);
        add(IS_SHUFFLE, owner, run.start[i], begin);
      }
      if (++work % USE_SLICE === 0) yield;
    }
  // jobs by class, their shuffles upon them, attempts that are no tasks on top, failed ones last
  const inTurn = [...parts.values()].sort((a, b) => a.kind - b.kind || (a.kind === IS_ATTEMPT ? b.owner - a.owner : a
    .owner - b.owner));
  for (const part of inTurn) {
    for (const name of ["begins", "ends"]) {
      part[name] = Uint32Array.from(part[name]).sort();
      const sums = part[name + "Sum"] = new Float64Array(part[name].length + 1);
      part[name].forEach((time, i) => sums[i + 1] = sums[i] + time);
    }
    yield;
  }
  return {
    parts: inTurn,
    most: yield* mostHeld(inTurn)
  };
}

// Return how many slots are held at once at most; one is free from the end of its stretch on.
function* mostHeld(parts) {
  const merged = {};
  for (const name of ["begins", "ends"]) {
    let lists = parts.map(part => part[name]);
    while (lists.length > 1) {
      lists = lists.sort((a, b) => a.length - b.length);
      lists = [...lists.slice(2), mergedOf(lists[0], lists[1])];
      yield;
    }
    merged[name] = lists[0] || [];
  }
  let most = 0;
  for (let i = 0, ended = 0; i < merged.begins.length; i++) {
    while (ended < merged.ends.length && merged.ends[ended] <= merged.begins[i]) ended++;
    most = Math.max(most, i + 1 - ended);
  }
  return most;
}

function mergedOf(one, other) {
  const all = new Uint32Array(one.length + other.length);
  for (let i = 0, a = 0, b = 0; i < all.length; i++) all[i] = b >= other.length || a < one.length && one[a] <= other[b] ? one[
    a++] : other[b++];
  return all;
}

// Return what holds the slots of bands if it is known, or found at once as there are few tasks; else note it for later.
function useOf(run, bands) {
  run.held ||= new Map();
  const key = bands[0].at;
  let known = run.held.get(key);
  if (!known) run.held.set(key, known = {
    steps: heldSlots(run, bands)
  });
  if (!known.found && run.code.length <= MAX_TASKS_AT_ONCE)
    while (!known.found) goOn(known);
  return known.found;
}

function goOn(known) {
  const step = known.steps.next();
  if (step.done) known.found = step.value;
}

// Go on finding what holds slots; return whether there is more to find.
function findUse() {
  for (const panel of plan.panels)
    for (const known of panel.run.held?.values() || [])
      if (!known.found) {
        goOn(known);
        if (known.found) restart();
        return true;
      }
  return false;
}

// Return how many slots a part holds on average in each pixel column.
function averages(part, width, origin, scale) {
  const found = new Float64Array(width);
  let begun = 0,
    ended = 0,
    before = 0;
  for (let x = 0; x <= width; x++) {
    const time = (origin + x) / scale;
    begun = after(part.begins, time, begun);
    ended = after(part.ends, time, ended);
    const held = begun * time - part.beginsSum[begun] - (ended * time - part.endsSum[ended]);
    if (x) {
      const own = (held - before) * scale;
      found[x - 1] = own < MIN_HELD ? 0 : own;
    }
    before = held;
  }
  return found;
}

// Return the first index from one on, of ascending times, that is after a time.
function after(times, time, from) {
  let step = 1,
    low = from;
  while (low + step <= times.length && times[low + step - 1] <= time) {
    low += step;
    step *= 2;
  }
  let high = Math.min(times.length, low + step);
  while (low < high) {
    const middle = low + high >> 1;
    if (times[middle] > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

function colourOfPart(part) {
  if (part.kind === IS_ATTEMPT) return numberOf(inkOfLook(facts.looks[part.owner]) || colour.third_text);
  const own = part.owner < 0 ? GREY : look.classes[part.owner] ?? GREY;
  return part.kind === IS_SHUFFLE ? blend(own, numberOf(colour.lane), look.shuffleShare) : own;
}

// Return the ink of a low strip where a part of the slots is in use, upon its ground.
function shadeOf(share) {
  const opacity = share > 0 ? MAX_SHADE * (MIN_SHADE + (1 - MIN_SHADE) * Math.min(share, 1)) : 0;
  return blend(numberOf(colour.surface), numberOf(colour.text), Math.round(255 * opacity) / 255);
}

// Paint the strip of some bands into pixels: its whole height is all their slots, what is idle is its ground.
function paintUse(pixels, width, lines, run, bands, origin, scale) {
  pixels.fill(swapped(numberOf(colour.surface)));
  const use = useOf(run, bands),
    slots = Math.max(1, bands.reduce((sum, band) => sum + band.rows, 0));
  if (!use) return;
  const all = use.parts.map(part => averages(part, width, origin, scale)),
    inks = use.parts.map(part => swapped(colourOfPart(part)));
  for (let x = 0; x < width; x++) {
    let total = 0;
    for (const own of all) total += own[x];
    if (lines / ratio <= LOW_STRIP) {
      const shade = swapped(shadeOf(total / slots));
      for (let y = 0; y < lines; y++) pixels[y * width + x] = shade;
      continue;
    }
    const filled = total * lines / slots,
      grown = filled > 0 && filled < 1 ? 1 / filled : 1; // what runs fills one line at least
    let y = lines - 1,
      sum = 0;
    for (let part = 0; part < all.length; part++) {
      sum += all[part][x];
      for (const top = sum * (lines / slots) * grown; y >= 0 && lines - .5 - y < top; y--) pixels[y * width + x] = inks[part];
    }
  }
}

// Paint a strip of slots in use into a picture.
function paintStrip(to, width, run, {
  bands,
  y
}, strip, origin, scale) {
  const lines = Math.round(strip * ratio);
  if (!(lines > 0)) return;
  const image = new ImageData(width, lines);
  paintUse(new Uint32Array(image.data.buffer), width, lines, run, bands, origin, scale);
  to.putImageData(image, 0, Math.round(y * ratio));
}

// Say beside high strips how many of the slots are in use at once at most, as a part of them.
function drawMostInUse(panel) {
  const {
    strip
  } = panel.rows;
  if (strip <= LOW_STRIP) return;
  for (const {
      bands,
      y
    } of stripsOf(panel)) {
    const use = useOf(panel.run, bands),
      slots = bands.reduce((sum, band) => sum + band.rows, 0);
    if (use) write(`${Math.round(100 * use.most / slots)} %`, plan.left - 7, y + strip / 2 + 4, colour.second_text, 11, "right");
  }
}

// Return the entry of the legend, as `deadlineSigns` does.
const useSigns = () => [
  ["slots in use",
    "the strip above rows: the darker, or where it has colours the higher, the more slots are in use", to => [.1, .5, 1]
    .forEach((share, step) => {
      to.fillStyle = rgb(shadeOf(share));
      to.fillRect(step * 6, 2, 6, LOW_STRIP);
    })
  ]
];
