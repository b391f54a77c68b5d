// Deadlines: a pennant in the job's colour below the rows, and a stripe upon all that runs after it; in rows too low
// for a stripe, bars.

const PENNANT_WIDTH = 9,
  PENNANT_HEIGHT = 7,
  POLE_ABOVE = 3,
  POLE = 13,
  BAR_APART = 7,
  BAR_WIDTH = 2,
  WASH = 105,
  MIN_STRIPED_ROW = 9,
  LATE_STRIPE = 3,
  LATE_RIM = 1,
  FEW_LATE = 6, // up to so many missed ones in view have a line to the job's end
  FEW_DEADLINES = 24, // up to so many in view are all shown; of more only those that are missed
  MAX_DEADLINES = 40,
  MAX_LATE_TASKS = 100_000,
  MAX_LATE_PARTS = 6000;

// Return how many ticks after its deadline a job departs: -Infinity without one, NaN while that is not known.
function lateness(run, job) {
  const due = run.deadline ? run.deadline[job] : -1;
  if (due < 0) return -Infinity;
  if (run.finish[job] >= 0) return run.finish[job] - due;
  return run.veil < Infinity && run.veil >= due ? Infinity : NaN; // late by more than is known
}
const lateJobs = run => run.deadline ? facts.jobs.filter((_, job) => lateness(run, job) > 0) : [];

// Return the tasks that end after their job's deadline; none where they are too many to be marked one by one.
function lateTasks(run) {
  if (!run.lateOnes) {
    const found = [];
    for (let i = 0; run.deadline && i < run.code.length; i++) {
      const group = run.code[i] >> 1;
      if (group < run.taskGroups && run.deadline[run.job[group]] >= 0 && run.end[i] > run.deadline[run.job[group]])
        found.push(i);
    }
    run.lateOnes = Int32Array.from(found.length > MAX_LATE_TASKS ? [] : found);
  }
  return run.lateOnes;
}

// Return what of a chart is late and in view; tasks of a job side by side are one part.
function lateParts(panel) {
  const {
    run
  } = panel, chosen = chosenIn(run), right = plan.left + plan.width, parts = [], inside = time => Math.min(right, Math
    .max(plan.left, X(time)));
  let before = null;
  eachInRows(panel, lateTasks(run), (place, row, task) => {
    const job = run.job[run.code[task] >> 1],
      begin = Math.max(run.start[task], run.deadline[job]);
    if (begin >= view.t1 || run.end[task] <= view.t0 || chosen >= 0 && job !== chosen) return;
    const left = inside(begin);
    if (before && before.place === place && before.row === row && before.job === job && left - before.right <=
      JOINED) before.right = inside(run.end[task]);
    else parts.push(before = {
      place,
      row,
      job,
      left,
      right: inside(run.end[task])
    });
  });
  return parts.length > MAX_LATE_PARTS ? [] : parts;
}

// Draw a stripe upon what runs after its job's deadline.
function drawLateParts(panel) {
  const parts = lateParts(panel);
  if (!parts.length) return;
  keepToPlot(panel);
  const bars = lateBars(((Math.round(X(0)) % BAR_APART) + BAR_APART) % BAR_APART);
  for (const part of parts) {
    const [top, bottom] = rowSpan(panel, part.place, part.row), high = bottom - top - (bottom - top > 3 ? 1 : 0),
      left = snapped(part.left),
      wide = snapped(part.left + Math.max(part.right - part.left, 1)) - left;
    if (bottom - top >= MIN_STRIPED_ROW) drawLateStripe(pen, left, top, wide);
    else {
      pen.fillStyle = bars;
      pen.fillRect(left, top, wide, high);
    }
  }
  pen.restore();
}

function drawLateStripe(to, left, top, wide) {
  to.fillStyle = colour.window;
  to.fillRect(left, top, wide, LATE_STRIPE + LATE_RIM);
  to.fillStyle = colour.worse;
  to.fillRect(left, top, wide, LATE_STRIPE);
}

const lateBars = x => patternOf(BAR_APART, 1, x, 0, to => {
  to.fillStyle = translucent(colour.window, WASH);
  to.fillRect(BAR_WIDTH, 0, BAR_APART - BAR_WIDTH, 1);
  to.fillStyle = colour.worse;
  to.fillRect(0, 0, BAR_WIDTH, 1);
});

// Return the jobs whose deadlines are to be shown, the most important last.
function shownDeadlines(run) {
  const chosen = chosenIn(run),
    late = job => lateness(run, job);
  let jobs = [];
  run.deadline.forEach((time, job) => {
    if (time >= view.t0 && time <= view.t1 && time >= 0 && (chosen < 0 || job === chosen)) jobs.push(job);
  });
  if (jobs.length > FEW_DEADLINES) jobs = jobs.filter(job => late(job) > 0);
  return jobs.sort((a, b) => (late(a) || 0) - (late(b) || 0)).slice(-MAX_DEADLINES);
}

// Draw a pennant below the rows for each deadline in view, and how late few missed ones are.
function drawDeadlines(panel) {
  const {
    run
  } = panel, right = plan.left + plan.width, foot = panel.plot + panel.height;
  if (!run.deadline) return;
  const jobs = shownDeadlines(run),
    missed = jobs.filter(job => lateness(run, job) > 0);
  pen.fillStyle = colour.worse;
  for (const job of missed.length <= FEW_LATE ? missed : []) {
    const last = run.finish[job] < 0 ? run.veil : run.finish[job],
      to = Math.round(Math.min(X(last), right));
    for (let x = Math.round(X(run.deadline[job])); x < to; x += 6) pen.fillRect(x, foot + 8, Math.min(4, to - x), 2);
    if (last >= view.t0 && last <= view.t1 && run.finish[job] >= 0) pen.fillRect(to - 1, foot + 5, 2, 8);
  }
  for (const job of jobs) drawPennant(pen, Math.round(X(run.deadline[job])) + .5, foot, rgb(toneOfJob(run, job)), missed
    .includes(job) ? colour.worse : colour.second_text);
}

// Draw a pennant whose pole passes a point; the cloth is below it, at the right.
function drawPennant(to, x, y, fill, edge) {
  to.fillStyle = edge;
  to.fillRect(Math.floor(x), y - POLE_ABOVE, 1, POLE);
  to.beginPath();
  to.moveTo(x + .5, y);
  to.lineTo(x + PENNANT_WIDTH, y + PENNANT_HEIGHT / 2);
  to.lineTo(x + .5, y + PENNANT_HEIGHT);
  to.closePath();
  to.fillStyle = fill;
  to.fill();
  to.strokeStyle = edge;
  to.lineWidth = 1;
  to.stroke();
}

// Return whether a job met its deadline, in words; nothing for none, and for what is not known.
function deadlineWords(run, job) {
  const late = lateness(run, job);
  if (late === -Infinity || Number.isNaN(late)) return "";
  return late === Infinity ? "late" : late > 0 ? `late by ${durationText(seconds(late))}` : "met";
}

// Return the entries of the legend, each [text, tip, what draws it].
function deadlineSigns() {
  if (!runs.some(run => run.deadline)) return [];
  const fill = rgb(tonesOf(runs[0].tone[0])[MAP]);
  const signs = [
    ["deadline", "when a job should have ended", to => drawPennant(to, 3.5, 1, fill, colour.second_text)]
  ];
  if (runs.some(run => lateJobs(run).length)) signs.push(["late", "what a job still runs after its deadline", to => {
    to.fillStyle = fill;
    to.fillRect(0, 0, 18, 11);
    drawLateStripe(to, 0, 0, 18);
  }]);
  return signs;
}
