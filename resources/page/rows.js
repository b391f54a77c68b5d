// Where rows lie in a chart of some height, and which task lies under a pixel: as in the window.

const TALLEST_ROW = 72,
  POOL_GAP = 14,
  MAX_GAPS = 64,
  HEADER_HEIGHT = 17;

// Return where the bands of a run lie: `zoom` 1 shows all rows, `part` is how much of them lies above the plot.
function rowLayout(bands, height, zoom, part) {
  const grouped = bands.some(band => band.isGroup),
    rows = bands.reduce((sum, band) => sum + band.rows, 0);
  const gap = grouped ? Math.min(HEADER_HEIGHT, Math.floor(height * .4 / bands.length)) : Math.min(POOL_GAP, Math
      .floor(MAX_GAPS / Math.max(bands.length - 1, 1))),
    head = grouped ? gap : 0;
  const fixed = head + gap * (bands.length - 1),
    fitted = Math.min(TALLEST_ROW, Math.max(1, height - fixed) / Math.max(1, rows)),
    rowHeight = fitted * zoom;
  const content = fixed + rows * rowHeight,
    scroll = Math.max(0, Math.min(content - height, part * content)),
    whole = y => Math.floor(y + .5);
  let above = 0;
  const places = bands.map((band, index) => {
    const top = head + index * gap + above * rowHeight - scroll;
    above += band.rows;
    const clip = y => Math.max(0, Math.min(height, whole(y)));
    return {
      band,
      top,
      first: clip(top),
      last: clip(top + band.rows * rowHeight)
    };
  });
  return {
    places,
    rowHeight,
    content,
    height,
    gap,
    hasNames: grouped && gap >= 12
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
