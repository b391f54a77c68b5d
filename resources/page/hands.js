// Moving and zooming the view, playing, and selecting a job.

const card = element("card"),
  MIN_TICKS = 40,
  MAX_ZOOM = 400;
const fingers = new Map();
let dragged = 0,
  grip = "";

function move(t0, wide = goal.t1 - goal.t0, isSmooth = false) {
  wide = Math.max(MIN_TICKS, Math.min(span, wide));
  t0 = Math.max(0, Math.min(span - wide, t0));
  goal.t0 = t0;
  goal.t1 = t0 + wide;
  if (!isSmooth) {
    view.t0 = goal.t0;
    view.t1 = goal.t1;
  }
  ask();
}

function zoom(time, by, isSmooth) {
  const wide = Math.max(MIN_TICKS, Math.min(span, (goal.t1 - goal.t0) * by)),
    part = (time - goal.t0) / (goal.t1 - goal.t0);
  move(time - part * wide, wide, isSmooth);
}

function whole() {
  goal.t0 = 0;
  goal.t1 = span;
  goal.zoom = 1;
  goal.part = 0;
  if (calm.matches) Object.assign(view, goal);
  ask();
}
// Scroll all charts to a part of their rows.
function scrollRows(part) {
  const {
    content,
    height
  } = plan.panels[0].rows;
  goal.part = view.part = Math.max(0, Math.min(1 - height / content, part)) || 0;
  ask();
}
// Zoom the rows of all charts around a pixel of one.
function zoomRows(panel, y, by) {
  const before = panel.rows,
    at = (y - panel.plot + before.content * view.part) / before.content,
    zoomed = Math.max(1, Math.min(MAX_ZOOM, Math.max(1, 60 / before.rowHeight * view.zoom), view.zoom * by));
  goal.zoom = view.zoom = zoomed;
  placeRows();
  scrollRows(at - (y - panel.plot) / panel.rows.content);
}

function play() {
  if (!(now < span)) now = Math.max(0, view.t0);
  playing = true;
  playWords();
  lastTime = performance.now();
  ask();
}

function stop() {
  playing = false;
  if (now >= span) now = Infinity;
  playWords();
  ask();
}

function playWords() {
  element("play").textContent = playing ? "Pause" : "Play";
}

function step(by) {
  if (!facts.jobs.length) return;
  const order = jobOrder(),
    at = order.indexOf(selected);
  select(order[(at < 0 && by < 0 ? order.length : at + order.length + by) % order.length]);
}
// Return all jobs in the order in which the first chart starts them.
function jobOrder() {
  const {
    first
  } = sumsOf(runs[0]);
  return facts.jobs.map((_, i) => i).sort((a, b) => first[a] - first[b] || a - b);
}

function panelAt(y) {
  return plan.panels.find(panel => y >= panel.plot && y < panel.bottom);
}

function hitAt(x, y) {
  const panel = panelAt(y);
  if (!panel || x < plan.left || x >= plan.left + plan.width) return null;
  const found = hit(panel.run, panel.rows, x - plan.left, y - panel.plot, pixel => T(plan.left + pixel));
  return found && {
    ...found,
    event: found.place.isFolded ? -1 : eventAt(panel.run, found.place.band.at + found.row, x),
    panel,
    run: panel.run
  };
}

// Make a job stand out in all charts; -1 for none.
function select(job) {
  selected = job === selected ? -1 : job;
  marks = selected < 0 ? [] : runs.map(run => jobMarks(run, chosenIn(run)));
  restart();
  markRow();
  element("find").value = selected < 0 ? "" : facts.jobs[selected];
  say(selected < 0 ? "All jobs" : `${facts.jobs[selected]}: ` + runs.filter(run => run.variant === variant).map(run =>
    `${run.title} ${clockText(sumsOf(run).first[chosenIn(run)])} to ${clockText(run.finish[chosenIn(run)] < 0 ? NaN : run.finish[chosenIn(run)])}`
    ).join("; "));
}

function say(text) {
  element("said").textContent = text;
}
