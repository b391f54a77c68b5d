// Rows of tasks to pixels, by the rules of the window's raster: what each colour covers of a pixel is counted in
// whole numbers, the colour that covers most wins, and how much is covered at all decides how much of the
// background is seen. Positions are 1/256 of a device pixel. The painters are generators: they may pause between
// lines, so that a frame is never held up.

const WHOLE = 1 << 15,
  UNIT = 1 / (WHOLE << 8),
  STEPS = 1024;
const DETAIL_HEIGHT = 3.5,
  GAP_HEIGHT = 6.5,
  WIDE_GAP_HEIGHT = 16;
const EDGE_WIDTH = 4 << 8,
  HATCH_WIDTH = 5 << 8,
  BORROWED_WIDTH = 3 << 8;
const BORROWED_PERIOD = 6,
  BORROWED_PIXELS = 2,
  BORROWED_SHARE = 140;
const WAITING = 1,
  FIRST = 2,
  TYPICAL = 3,
  NONE = -1;
const HATCHES = [
  [],
  [80, 190, 80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  [110, 240, 240, 110, 0, 0, 0, 0, 110, 240, 240, 110, 0, 0, 0, 0],
  [110, 240, 240, 110, 0, 0, 0, 0, 110, 240, 240, 110, 0, 0, 0, 0]
];
const WORK_UNTIL_PAUSE = 6000; // about a millisecond

let s = null; // what a painter works with
// Return the arrays that one painter works with, for so many columns of pixels.
function scratch(width) {
  return {
    width,
    cover: new Int32Array(inks.count * (width + 2)),
    first: new Int32Array(inks.count).fill(width),
    last: new Int32Array(inks.count).fill(-1),
    fewInks: new Int32Array(inks.count),
    fewCovers: new Int32Array(inks.count),
    pixel: 0,
    count: 0,
    end: 0,
    overlaps: false,
    sums: new Float64Array(width),
    red: new Float64Array(width),
    green: new Float64Array(width),
    blue: new Float64Array(width),
    total: new Int32Array(width),
    line: new Uint32Array(width),
    marks: new Int32Array(width),
    strips: new Uint8Array(width),
    borrowed: new Int32Array(width + 2),
    hasBorrowed: false,
    work: 0
  };
}

// Mix two colours, `share` of 256 of the second.
function mixed(one, other, share) {
  const keep = 256 - share;
  return ((one & 0xff00ff) * keep + (other & 0xff00ff) * share >>> 8 & 0xff00ff) | ((one & 0xff00) * keep + (other &
    0xff00) * share >>> 8 & 0xff00);
}

// Return the first task of a row that ends after a time.
function firstEndingAfter(run, row, time) {
  let low = run.offsets[row],
    high = run.offsets[row + 1];
  while (low < high) {
    const middle = low + high >> 1;
    if (run.end[middle] > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Paint a band of rows into pixels of a width and height. A frame has: origin (pixel of the left border from time 0),
// scale (pixels per tick), top (pixel of the first row), rowHeight, even, odd, stripe, gap, own, borrowed, selected.
function* paintBand(pixels, width, height, run, band, frame) {
  if (!s || s.width !== width || s.inks !== inks) {
    s = scratch(width);
    s.inks = inks;
  }
  yield* frame.rowHeight >= 1 ? paintTall(pixels, width, height, run, band, frame) : paintThin(pixels, width,
    height, run, band, frame);
}

const backgroundOf = (frame, row) => Math.floor(row / frame.stripe) % 2 ? frame.odd : frame.even;
const swapped = c => (0xff000000 | (c & 255) << 16 | c & 0xff00 | c >> 16 & 255) >>> 0; // as ImageData has it

// Paint rows of one or more pixel lines.
function* paintTall(pixels, width, height, run, band, frame) {
  const h = frame.rowHeight,
    detailed = h >= DETAIL_HEIGHT,
    spacing = h >= WIDE_GAP_HEIGHT ? 2 : h >= GAP_HEIGHT ? 1 : 0;
  const fill = (from, to, c) => {
    if (to > from) pixels.fill(swapped(c), from * width, to * width);
  };
  let y = 0;
  for (let row = Math.max(0, Math.floor(-frame.top / h) - 1); row < band.rows; row++) {
    const top = Math.floor(frame.top + row * h + .5),
      lower = Math.floor(frame.top + (row + 1) * h + .5),
      back = backgroundOf(frame, row);
    if (top >= height) break;
    if (lower <= 0) continue;
    const upper = Math.max(0, top),
      inked = Math.min(height, Math.max(upper, lower - spacing));
    layRow(run, band, frame, row, back, detailed);
    weave(frame);
    fill(y, upper, frame.gap);
    writeLine(pixels, frame, upper, inked, detailed);
    if (detailed) writeStrips(pixels, frame, Math.max(upper, lower - spacing - Math.max(1, Math.min(4, Math.floor(
      h * .2 + .5)))), inked);
    y = Math.min(height, lower);
    fill(inked, y, back);
    if ((s.work += width >> 2) > WORK_UNTIL_PAUSE) {
      s.work = 0;
      yield;
    }
  }
  fill(y, height, frame.gap);
}

// Paint rows thinner than a pixel line: every row in a line contributes by its share of it.
function* paintThin(pixels, width, height, run, band, frame) {
  const h = frame.rowHeight,
    share = (row, y) => Math.floor(Math.min(1, Math.max(0, frame.top + row * h - y)) * WHOLE + .5);
  for (let y = 0; y < height; y++) {
    const first = Math.min(band.rows, Math.max(0, Math.floor((y - frame.top) / h))),
      last = Math.min(band.rows, Math.max(0, Math.ceil((y + 1 - frame.top) / h)));
    let done = share(first, y);
    const rest = last > first ? done + WHOLE - share(last, y) : WHOLE,
      [r, g, b] = channels(frame.gap).map(c => c * rest),
      sum = [r, g, b];
    for (let row = first; row < last; row++) {
      const weight = share(row + 1, y) - done,
        own = backgroundOf(frame, row);
      done += weight;
      sum[0] += (own >> 16 & 255) * weight;
      sum[1] += (own >> 8 & 255) * weight;
      sum[2] += (own & 255) * weight;
      addRow(run, band, frame, row, weight, NONE, false);
    }
    resolve(sum[0] >> 15 << 16 | sum[1] >> 15 << 8 | sum[2] >> 15);
    weave(frame);
    writeLine(pixels, frame, y, y + 1, false);
    if ((s.work += width >> 1) > WORK_UNTIL_PAUSE) {
      s.work = 0;
      yield;
    }
  }
}

// Put the colours of one row over a background into the line.
function layRow(run, band, frame, row, back, detailed) {
  s.line.fill(back);
  addRow(run, band, frame, row, WHOLE, back, detailed);
  finish(back);
  const overlaps = s.overlaps;
  s.pixel = s.count = s.end = 0;
  s.overlaps = false;
  if (overlaps) { // what a log recorded may
    s.borrowed.fill(0);
    addRow(run, band, frame, row, WHOLE, NONE, detailed);
    resolve(back);
  }
}

// Lay the tasks of one row that are in view over a background; without one enter what they cover.
function addRow(run, band, frame, row, weight, back, detailed) {
  const {
    start,
    end,
    body,
    code,
    ready,
    tone
  } = run, {
    scale,
    selected
  } = frame, fine = scale * 256, origin = frame.origin * 256;
  const latest = (frame.origin + s.width + 1) / scale,
    at = band.at + row,
    stop = run.offsets[at + 1];
  const snaps = detailed && run.shortest[at] * scale >= 1,
    most = (s.width + 4) * 256;
  const near = x => x < -1024 ? -1024 : x > most ? most : x; // beyond the borders, places do not matter
  const edge = time => near((snaps ? Math.floor((Math.floor(time * fine) + 128) / 256) * 256 : Math.floor(time *
    fine)) - origin);
  const exact = time => near(Math.floor(time * fine) - origin);
  for (let i = firstEndingAfter(run, at, (frame.origin - 1) / scale); i < stop && start[i] < latest; i++) {
    const c = code[i],
      group = c >> 1,
      own = tone[group] + (selected >= 0 && run.job[group] !== selected ? inks.half : 0),
      ink = own * 5;
    const left = edge(start[i]),
      right = Math.max(left, edge(end[i]));
    let from = left,
      work = MAP;
    s.work++;
    if (group >= run.taskGroups && frame.hasPatterns) continue; // they are drawn upon the rows
    if (frame.own < 2 && (c & 1) !== frame.own && group < run.taskGroups) markBorrowed(left, right, weight, detailed);
    if (c & 1) {
      work = REDUCE;
      from = Math.min(right, Math.max(left, exact(body[i])));
      const early = start[i] < ready[group],
        copied = early ? Math.min(from, Math.max(left, exact(Math.min(ready[group], body[i])))) : left;
      if (early) enter(inks.ofTone[ink + WAIT], left, copied, weight, back);
      enter(inks.ofTone[ink + SHUFFLE], copied, from, weight, back);
      if (detailed) {
        mark(left, copied, own << 2 | WAITING);
        mark(copied, from, own << 2 | (early ? FIRST : TYPICAL));
      }
    }
    const last = detailed && right - from >= EDGE_WIDTH ? right - 1 >> 8 << 8 : right;
    enter(inks.ofTone[ink + work], from, last, weight, back);
    if (last < right) enter(inks.ofTone[ink + EDGE], last, right, weight, back);
    if (detailed && group >= run.taskGroups) mark(left, right, own << 2 | ((group - run.taskGroups) / run
      .attemptJobs < 2 ? TYPICAL : 0));
  }
}
