// A veil hides what comes after a time, for whoever is to guess it first: nothing of it is known to what draws.

const VEIL_WORDS = "What comes next?",
  VEIL_SPACE = 8,
  VEIL_AIR = 8;

// Return the notes of the attempts among some tasks; of what has not ended none is known.
const notesOf = (run, kept, veil) => kept.filter(task => isAttempt(run, task)).map(task => run.end[task] > veil ? 0 : run
  .attemptNotes[firstFrom(attemptsOf(run), task)]);

// Return the part of a run that is known at a time, in ticks: what starts later is left out, what runs then has no end.
function runUntil(run, veil) {
  const kept = [],
    offsets = new Int32Array(run.offsets.length);
  for (let row = 0; row + 1 < offsets.length; row++) {
    for (let i = run.offsets[row]; i < run.offsets[row + 1]; i++)
      if (run.start[i] < veil) kept.push(i);
    offsets[row + 1] = kept.length;
  }
  const taken = column => column.constructor.from(kept, i => column[i]),
    shown = column => column.constructor.from(kept, i => Math.min(column[i], veil + 1));
  return {
    ...run,
    veil,
    bands: run.bands.map(({
      centres,
      isSummed,
      ...band
    }) => band),
    offsets,
    start: taken(run.start),
    body: shown(run.body),
    end: shown(run.end),
    code: taken(run.code),
    ready: run.ready.map(time => time > veil ? Infinity : time),
    finish: Float64Array.from(run.finish, time => time > veil ? -1 : time),
    ...nodesUntil(run, veil),
    path: [],
    bound: null,
    change: "",
    standing: "",
    sums: undefined,
    lateOnes: undefined,
    remote: run.remote && taken(run.remote),
    remoteOnes: undefined,
    attempts: undefined,
    attemptNotes: run.attemptNotes && notesOf(run, kept, veil),
    use: undefined,
    held: undefined,
    stageBands: undefined
  };
}

// Hatch the rows of a chart from its veil on, with a question where there is room for one.
function drawVeil(panel) {
  const right = plan.left + plan.width,
    from = Math.max(plan.left, Math.round(X(panel.run.veil)));
  if (from >= right) return;
  pen.save();
  pen.beginPath();
  for (const place of panel.rows.places)
    if (place.last > place.first) pen.rect(from, panel.plot + place.first, right - from, place.last - place.first);
  pen.clip();
  pen.fillStyle = colour.surface;
  pen.fillRect(from, panel.plot, right - from, panel.height);
  pen.strokeStyle = colour.line;
  pen.lineWidth = 1;
  pen.beginPath();
  for (let x = from - panel.height; x < right; x += VEIL_SPACE) {
    pen.moveTo(x, panel.plot + panel.height);
    pen.lineTo(x + panel.height, panel.plot);
  }
  pen.stroke();
  pen.restore();
  pen.fillStyle = colour.second_text;
  pen.fillRect(from, panel.plot, 1, panel.height);
  const width = textWidth(VEIL_WORDS, 12, 600) + 2 * VEIL_AIR,
    middle = panel.plot + panel.height / 2;
  if (right - from < width + VEIL_AIR) return;
  const left = (from + right - width) / 2;
  pen.beginPath();
  pen.roundRect(left, middle - 12, width, 24, 5);
  pen.fillStyle = colour.surface;
  pen.fill();
  pen.strokeStyle = colour.line;
  pen.stroke();
  write(VEIL_WORDS, (from + right) / 2, middle + 4, colour.second_text, 12, "center", 600);
}
