// Rows of tasks to pixels, by the rules of the window's raster: what each colour covers of a pixel is counted in
// whole numbers, the colour that covers most wins, and how much is covered at all decides how much of the
// background is seen. Positions are 1/256 of a device pixel. The painters are generators: they may pause between
// lines, so that a frame is never held up.

const WHOLE = 1 << 15, UNIT = 1 / (WHOLE << 8), STEPS = 1024;
const DETAIL_HEIGHT = 3.5, GAP_HEIGHT = 6.5, WIDE_GAP_HEIGHT = 16;
const EDGE_WIDTH = 4 << 8, HATCH_WIDTH = 5 << 8, BORROWED_WIDTH = 3 << 8;
const BORROWED_PERIOD = 6, BORROWED_PIXELS = 2, BORROWED_SHARE = 140;
const WAITING = 1, FIRST = 2, TYPICAL = 3, NONE = -1;
const HATCHES = [[], [80, 190, 80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [110, 240, 240, 110, 0, 0, 0, 0, 110, 240, 240, 110, 0, 0, 0, 0], [110, 240, 240, 110, 0, 0, 0, 0, 110, 240, 240, 110, 0, 0, 0, 0]];
const WORK_UNTIL_PAUSE = 6000; // about a millisecond

let s = null; // what a painter works with
// Return the arrays that one painter works with, for so many columns of pixels.
function scratch(width) {
  return { width, cover: new Int32Array(inks.count * (width + 2)), first: new Int32Array(inks.count).fill(width), last: new Int32Array(inks.count).fill(-1),
    fewInks: new Int32Array(inks.count), fewCovers: new Int32Array(inks.count), pixel: 0, count: 0, end: 0, overlaps: false,
    sums: new Float64Array(width), red: new Float64Array(width), green: new Float64Array(width), blue: new Float64Array(width), total: new Int32Array(width),
    line: new Uint32Array(width), marks: new Int32Array(width), strips: new Uint8Array(width), borrowed: new Int32Array(width + 2), hasBorrowed: false, work: 0 };
}

// Mix two colours, `share` of 256 of the second.
function mixed(one, other, share) {
  const keep = 256 - share;
  return ((one & 0xff00ff) * keep + (other & 0xff00ff) * share >>> 8 & 0xff00ff) | ((one & 0xff00) * keep + (other & 0xff00) * share >>> 8 & 0xff00);
}

// Return the first task of a row that ends after a time.
function firstEndingAfter(run, row, time) {
  let low = run.offsets[row], high = run.offsets[row + 1];
  while (low < high) { const middle = low + high >> 1; if (run.end[middle] > time) high = middle; else low = middle + 1; }
  return low;
}

// Paint a band of rows into pixels of a width and height. A frame has: origin (pixel of the left border from time 0),
// scale (pixels per tick), top (pixel of the first row), rowHeight, even, odd, stripe, gap, own, borrowed, selected.
function* paintBand(pixels, width, height, run, band, frame) {
  if (!s || s.width !== width || s.inks !== inks) { s = scratch(width); s.inks = inks; }
  yield* frame.rowHeight >= 1 ? paintTall(pixels, width, height, run, band, frame) : paintThin(pixels, width, height, run, band, frame);
}

const backgroundOf = (frame, row) => Math.floor(row / frame.stripe) % 2 ? frame.odd : frame.even;
const swapped = c => (0xff000000 | (c & 255) << 16 | c & 0xff00 | c >> 16 & 255) >>> 0; // as ImageData has it

// Paint rows of one or more pixel lines.
function* paintTall(pixels, width, height, run, band, frame) {
  const h = frame.rowHeight, detailed = h >= DETAIL_HEIGHT, spacing = h >= WIDE_GAP_HEIGHT ? 2 : h >= GAP_HEIGHT ? 1 : 0;
  const fill = (from, to, c) => { if (to > from) pixels.fill(swapped(c), from * width, to * width); };
  let y = 0;
  for (let row = Math.max(0, Math.floor(-frame.top / h) - 1); row < band.rows; row++) {
    const top = Math.floor(frame.top + row * h + .5), lower = Math.floor(frame.top + (row + 1) * h + .5), back = backgroundOf(frame, row);
    if (top >= height) break;
    if (lower <= 0) continue;
    const upper = Math.max(0, top), inked = Math.min(height, Math.max(upper, lower - spacing));
    layRow(run, band, frame, row, back, detailed);
    weave(frame);
    fill(y, upper, frame.gap);
    writeLine(pixels, frame, upper, inked, detailed);
    if (detailed) writeStrips(pixels, frame, Math.max(upper, lower - spacing - Math.max(1, Math.min(4, Math.floor(h * .2 + .5)))), inked);
    y = Math.min(height, lower);
    fill(inked, y, back);
    if ((s.work += width >> 2) > WORK_UNTIL_PAUSE) { s.work = 0; yield; }
  }
  fill(y, height, frame.gap);
}

// Paint rows thinner than a pixel line: every row in a line contributes by its share of it.
function* paintThin(pixels, width, height, run, band, frame) {
  const h = frame.rowHeight, share = (row, y) => Math.floor(Math.min(1, Math.max(0, frame.top + row * h - y)) * WHOLE + .5);
  for (let y = 0; y < height; y++) {
    const first = Math.min(band.rows, Math.max(0, Math.floor((y - frame.top) / h))), last = Math.min(band.rows, Math.max(0, Math.ceil((y + 1 - frame.top) / h)));
    let done = share(first, y);
    const rest = last > first ? done + WHOLE - share(last, y) : WHOLE, [r, g, b] = channels(frame.gap).map(c => c * rest), sum = [r, g, b];
    for (let row = first; row < last; row++) {
      const weight = share(row + 1, y) - done, own = backgroundOf(frame, row);
      done += weight;
      sum[0] += (own >> 16 & 255) * weight; sum[1] += (own >> 8 & 255) * weight; sum[2] += (own & 255) * weight;
      addRow(run, band, frame, row, weight, NONE, false);
    }
    resolve(sum[0] >> 15 << 16 | sum[1] >> 15 << 8 | sum[2] >> 15);
    weave(frame);
    writeLine(pixels, frame, y, y + 1, false);
    if ((s.work += width >> 1) > WORK_UNTIL_PAUSE) { s.work = 0; yield; }
  }
}

// Put the colours of one row over a background into the line.
function layRow(run, band, frame, row, back, detailed) {
  s.line.fill(back);
  addRow(run, band, frame, row, WHOLE, back, detailed);
  finish(back);
  const overlaps = s.overlaps;
  s.pixel = s.count = s.end = 0; s.overlaps = false;
  if (overlaps) { // what a log recorded may
    s.borrowed.fill(0);
    addRow(run, band, frame, row, WHOLE, NONE, detailed);
    resolve(back);
  }
}

// Lay the tasks of one row that are in view over a background; without one enter what they cover.
function addRow(run, band, frame, row, weight, back, detailed) {
  const { start, end, body, code, ready, tone } = run, { scale, selected } = frame, fine = scale * 256, origin = frame.origin * 256;
  const latest = (frame.origin + s.width + 1) / scale, at = band.at + row, stop = run.offsets[at + 1];
  const snaps = detailed && run.shortest[at] * scale >= 1, most = (s.width + 4) * 256;
  const near = x => x < -1024 ? -1024 : x > most ? most : x; // beyond the borders, places do not matter
  const edge = time => near((snaps ? Math.floor((Math.floor(time * fine) + 128) / 256) * 256 : Math.floor(time * fine)) - origin);
  const exact = time => near(Math.floor(time * fine) - origin);
  for (let i = firstEndingAfter(run, at, (frame.origin - 1) / scale); i < stop && start[i] < latest; i++) {
    const c = code[i], group = c >> 1, own = tone[group] + (selected >= 0 && run.job[group] !== selected ? inks.half : 0), ink = own * 5;
    const left = edge(start[i]), right = Math.max(left, edge(end[i]));
    let from = left, work = MAP;
    s.work++;
    if (frame.own < 2 && (c & 1) !== frame.own && group < run.taskGroups) markBorrowed(left, right, weight, detailed);
    if (c & 1) {
      work = REDUCE;
      from = Math.min(right, Math.max(left, exact(body[i])));
      const early = start[i] < ready[group], copied = early ? Math.min(from, Math.max(left, exact(Math.min(ready[group], body[i])))) : left;
      if (early) enter(inks.ofTone[ink + WAIT], left, copied, weight, back);
      enter(inks.ofTone[ink + SHUFFLE], copied, from, weight, back);
      if (detailed) { mark(left, copied, own << 2 | WAITING); mark(copied, from, own << 2 | (early ? FIRST : TYPICAL)); }
    }
    const last = detailed && right - from >= EDGE_WIDTH ? right - 1 >> 8 << 8 : right;
    enter(inks.ofTone[ink + work], from, last, weight, back);
    if (last < right) enter(inks.ofTone[ink + EDGE], last, right, weight, back);
    if (detailed && group >= run.taskGroups) mark(left, right, own << 2 | ((group - run.taskGroups) / run.attemptJobs < 2 ? TYPICAL : 0));
  }
}

function enter(ink, left, right, weight, back) {
  const limit = s.width << 8;
  left = Math.max(0, Math.min(limit, left)); right = Math.max(0, Math.min(limit, right));
  if (left >= right) return;
  if (back === NONE) cover(ink, left, right, weight); else lay(ink, left, right, back);
}

// Enter a stretch of an ink into its differences from pixel to pixel.
function cover(ink, left, right, weight) {
  const first = left >> 8, part = left & 255, last = right >> 8, rest = right & 255, at = ink * (s.width + 2);
  if (first < s.first[ink]) s.first[ink] = first;
  if (last > s.last[ink]) s.last[ink] = last;
  s.cover[at + first] += weight * (256 - part); s.cover[at + first + 1] += weight * part;
  s.cover[at + last] -= weight * (256 - rest); s.cover[at + last + 1] -= weight * rest;
}

// Put the colours of all pixels over a background into the line, and clear what was entered.
function resolve(back) {
  const { width, cover, sums, red, green, blue, total, line } = s;
  for (let ink = 0; ink < inks.count; ink++) {
    if (s.last[ink] < 0) continue;
    const r = inks.red[ink], g = inks.green[ink], b = inks.blue[ink], at = ink * (width + 2), last = Math.min(s.last[ink] + 1, width - 1);
    for (let x = s.first[ink], covered = 0; x <= last; x++) {
      covered += cover[at + x]; cover[at + x] = 0;
      if (covered > 0) {
        const part = covered * UNIT; let weight = part * part;
        if (inks.takesAll) weight = weight * weight * weight;
        total[x] += covered; sums[x] += weight; red[x] += weight * r; green[x] += weight * g; blue[x] += weight * b;
      }
    }
    cover[at + width] = cover[at + width + 1] = 0;
    s.first[ink] = width; s.last[ink] = -1;
  }
  for (let x = 0; x < width; x++) {
    const covered = total[x];
    if (covered > 0) {
      const weight = sums[x], own = (red[x] / weight + .5 | 0) << 16 | (green[x] / weight + .5 | 0) << 8 | (blue[x] / weight + .5 | 0);
      line[x] = mixed(back, own, inks.opacity[Math.min(STEPS, covered >> 13)]);
      total[x] = sums[x] = red[x] = green[x] = blue[x] = 0;
    } else line[x] = back;
  }
}

// Put a stretch of an ink right of all that was laid before; its last pixel is kept open.
function lay(ink, left, right, back) {
  if (left < s.end) s.overlaps = true;
  s.end = right;
  while (left < right) {
    const pixel = left >> 8, last = right >> 8;
    if (pixel !== s.pixel) { finish(back); s.pixel = pixel; }
    if (!(left & 255) && pixel < last) {
      s.line.fill(mixed(back, inks.colours[ink], inks.opacity[STEPS]), pixel, last);
      left = last << 8;
    } else {
      const until = Math.min(right, pixel + 1 << 8);
      addToPixel(ink, until - left);
      left = until;
    }
  }
}

function addToPixel(ink, covered) {
  let place = s.count;
  while (place > 0 && s.fewInks[place - 1] > ink) place--;
  if (place > 0 && s.fewInks[place - 1] === ink) { s.fewCovers[place - 1] += covered; return; }
  for (let at = s.count++; at > place; at--) { s.fewInks[at] = s.fewInks[at - 1]; s.fewCovers[at] = s.fewCovers[at - 1]; }
  s.fewInks[place] = ink; s.fewCovers[place] = covered;
}

// Put the colour of the pixel that was being laid over a background into the line.
function finish(back) {
  if (!s.count) return;
  let covered = s.fewCovers[0], own = inks.colours[s.fewInks[0]];
  if (s.count > 1) {
    let whole = 0, r = 0, g = 0, b = 0;
    covered = 0;
    for (let place = 0; place < s.count; place++) {
      const ink = s.fewInks[place], part = s.fewCovers[place] / 256; let weight = part * part;
      if (inks.takesAll) weight = weight * weight * weight;
      covered += s.fewCovers[place]; whole += weight; r += weight * inks.red[ink]; g += weight * inks.green[ink]; b += weight * inks.blue[ink];
    }
    own = (r / whole + .5 | 0) << 16 | (g / whole + .5 | 0) << 8 | (b / whole + .5 | 0);
  }
  s.line[s.pixel] = mixed(back, own, inks.opacity[Math.min(STEPS, covered << 2)]);
  s.count = 0;
}

// Note a task on a borrowed slot: for a strip where there is room for one, for a texture elsewhere.
function markBorrowed(left, right, weight, detailed) {
  const limit = s.width << 8, roomy = detailed && right - left >= BORROWED_WIDTH;
  left = Math.max(0, Math.min(limit, left)); right = Math.max(0, Math.min(limit, right));
  if (roomy) { for (let pixel = left + 255 >> 8; pixel < right >> 8; pixel++) s.strips[pixel] = 1; return; }
  s.hasBorrowed = true;
  for (const [x, change] of [[left, weight], [right, -weight]]) { s.borrowed[x >> 8] += change * (256 - (x & 255)); s.borrowed[(x >> 8) + 1] += change * (x & 255); }
}

// Put the texture of borrowed slots into the line, anchored to time, and clear it.
function weave(frame) {
  if (frame.own === 2 || !s.hasBorrowed) return;
  for (let x = 0, sum = 0; x < s.width; x++) {
    sum += s.borrowed[x];
    const phase = ((x + frame.origin) % BORROWED_PERIOD + BORROWED_PERIOD) % BORROWED_PERIOD;
    if (sum > 0 && phase < BORROWED_PIXELS) s.line[x] = mixed(s.line[x], frame.borrowed, (sum >> 15) * BORROWED_SHARE >> 8);
  }
  s.borrowed.fill(0); s.hasBorrowed = false;
}

// Draw the strips of borrowed slots at the foot of one row, and clear them.
function writeStrips(pixels, frame, upper, lower) {
  if (frame.own === 2) return;
  const strip = swapped(frame.borrowed);
  for (let y = upper; y < lower; y++) for (let x = 0; x < s.width; x++) if (s.strips[x]) pixels[y * s.width + x] = strip;
  s.strips.fill(0);
}

// Mark the whole pixels of a stretch for hatching, if it is wide enough for a hatch to be seen.
function mark(left, right, what) {
  if (right - left < HATCH_WIDTH || !(what & 3)) return;
  const limit = s.width << 8, last = Math.min(limit, Math.max(0, right)) >> 8;
  for (let pixel = Math.min(limit, Math.max(0, left)) + 255 >> 8; pixel < last; pixel++) s.marks[pixel] = what;
  s.hasMarks = true;
}

// Copy the line into pixel lines, hatched where marked, and clear the marks.
function writeLine(pixels, frame, upper, lower, detailed) {
  const { width, line, marks } = s, anchor = Math.floor(frame.top + .5);
  if (lower <= upper) { if (s.hasMarks) { marks.fill(0); s.hasMarks = false; } return; }
  const from = upper * width;
  for (let x = 0; x < width; x++) pixels[from + x] = swapped(line[x]);
  for (let y = upper + 1; y < lower; y++) pixels.copyWithin(y * width, from, from + width);
  if (!detailed || !s.hasMarks) return;
  for (let x = 0; x < width; x++) {
    if (!marks[x]) continue;
    const hatch = HATCHES[marks[x] & 3], own = inks.hatch[marks[x] >> 2], lean = (marks[x] & 3) === TYPICAL ? 1 : -1;
    for (let y = upper; y < lower; y++) { const share = hatch[x + frame.origin + lean * (y - anchor) & 15]; if (share) pixels[y * width + x] = swapped(mixed(line[x], own, share)); }
  }
  marks.fill(0); s.hasMarks = false;
}
