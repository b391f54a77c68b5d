// Stretches of time in rows, and patterns to fill them with: what several layers draw upon tasks.

const JOINED = 2; // parts of one job at most this many pixels apart are one

// Return the nearest border between two pixels of the screen.
const snapped = x => Math.floor(x * ratio + .5) / ratio;

// Return the first pixel of a row of a place and the one after its last.
function rowSpan(panel, place, row) {
  const y = panel.plot + place.top,
    h = panel.rows.rowHeight;
  return [Math.floor(y + row * h + .5), Math.floor(y + (row + 1) * h + .5)];
}

// Return the first index of ascending numbers at which one is at least so large.
function firstFrom(numbers, least) {
  let low = 0,
    high = numbers.length;
  while (low < high) {
    const middle = low + high >> 1;
    if (numbers[middle] >= least) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Call `act` with each place whose rows are in view, and its first row and the one after its last that are.
function eachPlaceInView(panel, act) {
  const {
    rows
  } = panel;
  for (const place of rows.places) {
    if (place.isFolded || place.last <= place.first) continue;
    act(place, Math.max(0, Math.floor((place.first - place.top) / rows.rowHeight)), Math.min(place.band.rows, Math.ceil((
      place.last - place.top) / rows.rowHeight)));
  }
}

// Call `act` with the place, the row in it and the task for those of some tasks, ascending, whose rows are in view.
function eachInRows(panel, tasks, act) {
  const {
    offsets
  } = panel.run;
  eachPlaceInView(panel, (place, first, last) => {
    const {
      at
    } = place.band, stop = offsets[at + last];
    let row = first;
    for (let k = firstFrom(tasks, offsets[at + first]); k < tasks.length && tasks[k] < stop; k++) {
      while (offsets[at + row + 1] <= tasks[k]) row++;
      act(place, row, tasks[k]);
    }
  });
}

// Keep what is drawn next inside of the rows of a panel, until `pen.restore`.
function keepToPlot(panel) {
  pen.save();
  pen.beginPath();
  pen.rect(plan.left, panel.plot, plan.width, panel.height);
  pen.clip();
}

// Return a pattern of a small picture, whose pixels are those of the screen, that begins at a point.
function patternOf(width, height, x, y, paint) {
  const own = document.createElement("canvas"),
    to = own.getContext("2d");
  own.width = Math.round(width * ratio);
  own.height = Math.round(height * ratio);
  to.scale(own.width / width, own.height / height);
  paint(to);
  const pattern = pen.createPattern(own, "repeat");
  pattern.setTransform(new DOMMatrix().translate(x, y).scale(width / own.width, height / own.height));
  return pattern;
}

// Return a colour that shines through, `alpha` of 255.
const translucent = (css, alpha) => css.slice(0, 7) + alpha.toString(16).padStart(2, "0");
