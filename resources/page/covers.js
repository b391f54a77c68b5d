// What colours cover of the pixels of one line, and what the pixels look like therefore.

function enter(ink, left, right, weight, back) {
  const limit = s.width << 8;
  left = Math.max(0, Math.min(limit, left));
  right = Math.max(0, Math.min(limit, right));
  if (left >= right) return;
  if (back === NONE) cover(ink, left, right, weight);
  else lay(ink, left, right, back);
}

// Enter a stretch of an ink into its differences from pixel to pixel.
function cover(ink, left, right, weight) {
  const first = left >> 8,
    part = left & 255,
    last = right >> 8,
    rest = right & 255,
    at = ink * (s.width + 2);
  if (first < s.first[ink]) s.first[ink] = first;
  if (last > s.last[ink]) s.last[ink] = last;
  s.cover[at + first] += weight * (256 - part);
  s.cover[at + first + 1] += weight * part;
  s.cover[at + last] -= weight * (256 - rest);
  s.cover[at + last + 1] -= weight * rest;
}

// Put the colours of all pixels over a background into the line, and clear what was entered.
function resolve(back) {
  const {
    width,
    cover,
    sums,
    red,
    green,
    blue,
    total,
    line
  } = s;
  for (let ink = 0; ink < inks.count; ink++) {
    if (s.last[ink] < 0) continue;
    const r = inks.red[ink],
      g = inks.green[ink],
      b = inks.blue[ink],
      at = ink * (width + 2),
      last = Math.min(s.last[ink] + 1, width - 1);
    for (let x = s.first[ink], covered = 0; x <= last; x++) {
      covered += cover[at + x];
      cover[at + x] = 0;
      if (covered > 0) {
        const part = covered * UNIT;
        let weight = part * part;
        if (inks.takesAll) weight = weight * weight * weight;
        total[x] += covered;
        sums[x] += weight;
        red[x] += weight * r;
        green[x] += weight * g;
        blue[x] += weight * b;
      }
    }
    cover[at + width] = cover[at + width + 1] = 0;
    s.first[ink] = width;
    s.last[ink] = -1;
  }
  for (let x = 0; x < width; x++) {
    const covered = total[x];
    if (covered > 0) {
      const weight = sums[x],
        own = (red[x] / weight + .5 | 0) << 16 | (green[x] / weight + .5 | 0) << 8 | (blue[x] / weight + .5 | 0);
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
    const pixel = left >> 8,
      last = right >> 8;
    if (pixel !== s.pixel) {
      finish(back);
      s.pixel = pixel;
    }
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
  if (place > 0 && s.fewInks[place - 1] === ink) {
    s.fewCovers[place - 1] += covered;
    return;
  }
  for (let at = s.count++; at > place; at--) {
    s.fewInks[at] = s.fewInks[at - 1];
    s.fewCovers[at] = s.fewCovers[at - 1];
  }
  s.fewInks[place] = ink;
  s.fewCovers[place] = covered;
}

// Put the colour of the pixel that was being laid over a background into the line.
function finish(back) {
  if (!s.count) return;
  let covered = s.fewCovers[0],
    own = inks.colours[s.fewInks[0]];
  if (s.count > 1) {
    let whole = 0,
      r = 0,
      g = 0,
      b = 0;
    covered = 0;
    for (let place = 0; place < s.count; place++) {
      const ink = s.fewInks[place],
        part = s.fewCovers[place] / 256;
      let weight = part * part;
      if (inks.takesAll) weight = weight * weight * weight;
      covered += s.fewCovers[place];
      whole += weight;
      r += weight * inks.red[ink];
      g += weight * inks.green[ink];
      b += weight * inks.blue[ink];
    }
    own = (r / whole + .5 | 0) << 16 | (g / whole + .5 | 0) << 8 | (b / whole + .5 | 0);
  }
  s.line[s.pixel] = mixed(back, own, inks.opacity[Math.min(STEPS, covered << 2)]);
  s.count = 0;
}

// Note a task on a borrowed slot: for a strip where there is room for one, for a texture elsewhere.
function markBorrowed(left, right, weight, detailed) {
  const limit = s.width << 8,
    roomy = detailed && right - left >= BORROWED_WIDTH;
  left = Math.max(0, Math.min(limit, left));
  right = Math.max(0, Math.min(limit, right));
  if (roomy) {
    for (let pixel = left + 255 >> 8; pixel < right >> 8; pixel++) s.strips[pixel] = 1;
    return;
  }
  s.hasBorrowed = true;
  for (const [x, change] of [
      [left, weight],
      [right, -weight]
    ]) {
    s.borrowed[x >> 8] += change * (256 - (x & 255));
    s.borrowed[(x >> 8) + 1] += change * (x & 255);
  }
}

// Put the texture of borrowed slots into the line, anchored to time, and clear it.
function weave(frame) {
  if (frame.own === 2 || !s.hasBorrowed) return;
  for (let x = 0, sum = 0; x < s.width; x++) {
    sum += s.borrowed[x];
    const phase = ((x + frame.origin) % BORROWED_PERIOD + BORROWED_PERIOD) % BORROWED_PERIOD;
    if (sum > 0 && phase < BORROWED_PIXELS) s.line[x] = mixed(s.line[x], frame.borrowed, (sum >> 15) *
      BORROWED_SHARE >> 8);
  }
  s.borrowed.fill(0);
  s.hasBorrowed = false;
}

// Draw the strips of borrowed slots at the foot of one row, and clear them.
function writeStrips(pixels, frame, upper, lower) {
  if (frame.own === 2) return;
  const strip = swapped(frame.borrowed);
  for (let y = upper; y < lower; y++)
    for (let x = 0; x < s.width; x++)
      if (s.strips[x]) pixels[y * s.width + x] = strip;
  s.strips.fill(0);
}

// Mark the whole pixels of a stretch for hatching, if it is wide enough for a hatch to be seen.
function mark(left, right, what) {
  if (right - left < HATCH_WIDTH || !(what & 3)) return;
  const limit = s.width << 8,
    last = Math.min(limit, Math.max(0, right)) >> 8;
  for (let pixel = Math.min(limit, Math.max(0, left)) + 255 >> 8; pixel < last; pixel++) s.marks[pixel] = what;
  s.hasMarks = true;
}

// Copy the line into pixel lines, hatched where marked, and clear the marks.
function writeLine(pixels, frame, upper, lower, detailed) {
  const {
    width,
    line,
    marks
  } = s, anchor = Math.floor(frame.top + .5);
  if (lower <= upper) {
    if (s.hasMarks) {
      marks.fill(0);
      s.hasMarks = false;
    }
    return;
  }
  const from = upper * width;
  for (let x = 0; x < width; x++) pixels[from + x] = swapped(line[x]);
  for (let y = upper + 1; y < lower; y++) pixels.copyWithin(y * width, from, from + width);
  if (!detailed || !s.hasMarks) return;
  for (let x = 0; x < width; x++) {
    if (!marks[x]) continue;
    const hatch = HATCHES[marks[x] & 3],
      own = inks.hatch[marks[x] >> 2],
      lean = (marks[x] & 3) === TYPICAL ? 1 : -1;
    for (let y = upper; y < lower; y++) {
      const share = hatch[x + frame.origin + lean * (y - anchor) & 15];
      if (share) pixels[y * width + x] = swapped(mixed(line[x], own, share));
    }
  }
  marks.fill(0);
  s.hasMarks = false;
}
