// Where rows lie in a chart of some height, and which task lies under a pixel: as in the window.

const TALLEST_ROW = 72,
  FOLDED_HEIGHT = 14, // pixels of a band whose rows are folded into one
  POOL_GAP = 14,
  MAX_GAPS = 64,
  HEADER_HEIGHT = 17,
  MAX_HEADERS = .4,
  LOW_HEADER = 5,
  INNER_GAP = 3;
const STRIP = 11, // pixels of a strip of slots in use above lanes of rows lower than MAX_STRIP_ROW
  TALL_STRIP = 20,
  TALL_PLOT = 360,
  MAX_STRIP_ROW = 1.5,
  LOW_STRIP = 6,
  MIN_STRIP = 3,
  STRIP_AIR = 2,
  MAX_STRIPS = .3,
  MAX_LOW_STRIPS = .15;
let folded = new Set(); // the names of the bands whose rows are folded, in all charts

const stripAir = strip => strip === LOW_STRIP ? STRIP_AIR : 1;

// Return the pixels of the strip above each of so many lanes, the highest that there is room for.
function stripOf(lanes, height, isThin) {
  const tall = height >= TALL_PLOT ? TALL_STRIP : STRIP;
  if (isThin && lanes * (tall + 1) <= height * MAX_STRIPS) return tall;
  return [LOW_STRIP, MIN_STRIP].find(low => lanes * (low + 1) <= height * MAX_LOW_STRIPS) || 0;
}

// Whether the rows above a band belong to the same pool of jobs, and no line names it again.
const continues = (bands, index) => index > 0 && bands[index].isPacked && bands[index].group === bands[index - 1].group;

// Return the pixels between rows above each band, all together.
function spacesAbove(bands, gap, head) {
  let sum = folded.has(bands[0].name) ? Math.min(head, INNER_GAP) : head;
  return bands.map((band, index) => {
    if (!index) return sum;
    // a folded pool of jobs is named upon its row, and below other folded rows nothing is to be drawn
    const isClose = continues(bands, index) || folded.has(bands[band.isGroup ? index : index - 1].name);
    return sum += isClose ? Math.min(gap, INNER_GAP) : gap;
  });
}

// Return how high rows are where all are shown, with such gaps.
function fittedRow(bands, height, gap, head) {
  const isFolded = bands.filter(band => folded.has(band.name)).length,
    rows = bands.reduce((sum, band) => sum + (folded.has(band.name) ? 0 : band.rows), 0),
    fixed = spacesAbove(bands, gap, head).at(-1) + FOLDED_HEIGHT * isFolded;
  return Math.min(TALLEST_ROW, Math.max(1, height - fixed) / Math.max(1, rows));
}

// Return the gap between bands, what is above the first one, and how high strips of slots in use are.
function gapsOf(bands, height) {
  const thin = (gap, head) => fittedRow(bands, height, gap, head) < MAX_STRIP_ROW;
  if (!bands.some(band => band.isGroup)) {
    const gap = Math.min(POOL_GAP, Math.floor(MAX_GAPS / Math.max(bands.length - 1, 1))),
      strip = bands.some(band => folded.has(band.name)) ? 0 : stripOf(bands.length, height, thin(gap, 0)),
      air = stripAir(strip);
    return strip ? {
      gap: strip + air + INNER_GAP - 2,
      head: strip + air - 1,
      strip
    } : {
      gap,
      head: 0,
      strip
    };
  }
  const named = new Set(bands.map((band, index) => band.isPacked ? band.group : index)).size;
  if (named * HEADER_HEIGHT > height * MAX_HEADERS) {
    const low = Math.min(LOW_HEADER, Math.floor(height * MAX_HEADERS / bands.length));
    return {
      gap: low,
      head: low,
      strip: low > MIN_STRIP ? MIN_STRIP : 0
    };
  }
  const strip = stripOf(named, height, thin(HEADER_HEIGHT, HEADER_HEIGHT)),
    gap = strip ? HEADER_HEIGHT + strip + stripAir(strip) : HEADER_HEIGHT;
  return {
    gap,
    head: gap,
    strip
  };
}

// Return where the bands of a run lie: `zoom` 1 shows all rows, `part` is how much of them lies above the plot.
function rowLayout(bands, height, zoom, part) {
  const {
    gap,
    head,
    strip
  } = gapsOf(bands, height), spaces = spacesAbove(bands, gap, head), rowHeight = fittedRow(bands, height, gap, head) *
    zoom;
  const heights = bands.map(band => folded.has(band.name) ? FOLDED_HEIGHT : band.rows * rowHeight),
    content = spaces.at(-1) + heights.reduce((sum, each) => sum + each, 0),
    scroll = Math.max(0, Math.min(content - height, part * content)),
    clip = y => Math.max(0, Math.min(height, Math.floor(y + .5)));
  let rows = 0,
    fixed = 0;
  const places = bands.map((band, index) => {
    const isFolded = folded.has(band.name),
      top = rows * rowHeight + (spaces[index] + fixed) - scroll;
    if (isFolded) fixed += FOLDED_HEIGHT;
    else rows += band.rows;
    return {
      band,
      index,
      isFolded,
      top,
      first: clip(top),
      last: clip(top + heights[index])
    };
  });
  return {
    places,
    rowHeight,
    content,
    height,
    gap,
    strip,
    hasNames: bands.some(band => band.isGroup) && gap >= HEADER_HEIGHT
  };
}

// Return the rows of a place of the layout that share the pixel line at y, from the first to before the last.
function rowsAt(layout, place, y) {
  const line = Math.floor(y),
    {
      top,
      band
    } = place,
    h = layout.rowHeight,
    edge = row => Math.floor(top + row * h + .5);
  let row = Math.min(band.rows - 1, Math.max(0, Math.floor((line - top) / h)));
  if (h < 1) return [row, Math.max(row + 1, Math.min(band.rows, Math.ceil((line + 1 - top) / h)))];
  if (row + 1 < band.rows && edge(row + 1) <= line) row++;
  else if (row > 0 && edge(row) > line) row--;
  return [row, row + 1];
}

// Return what lies under a pixel of a plot: the band, the row and the task, -1 where nothing runs; null outside of all rows.
// `time` gives the time at a pixel.
function hit(run, layout, x, y, time) {
  const line = Math.floor(y),
    place = layout.places.find(each => line >= each.first && line < each.last);
  if (!place) return null;
  if (place.isFolded) return {
    place,
    row: 0,
    task: -1,
    rows: 0
  };
  const [first, last] = rowsAt(layout, place, y), early = time(Math.floor(x)), late = time(Math.floor(x) + 1), exact =
    time(x);
  let found = {
      place,
      row: first,
      task: -1,
      rows: last - first
    },
    best = 0;
  for (let row = first; row < last && best < Infinity; row++) {
    const at = place.band.at + row,
      stop = run.offsets[at + 1];
    let most = -1,
      part = 0;
    for (let i = firstEndingAfter(run, at, early); i < stop && run.start[i] < late; i++) {
      if (run.start[i] <= exact && exact < run.end[i]) {
        most = i;
        part = Infinity;
        break;
      }
      const own = Math.max(Math.min(run.end[i], late) - Math.max(run.start[i], early), 1e-300);
      if (own > part) {
        most = i;
        part = own;
      }
    }
    if (part > best) {
      best = part;
      found = {
        place,
        row,
        task: most,
        rows: last - first
      };
    }
  }
  return found;
}
