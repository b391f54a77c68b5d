// What held slots beside tasks: attempts that failed, were killed or suspended, setups, copies that another outran.

const PATTERN_ROW = 6, // pixels of a row from which on attempts have patterns; in lower ones they are plain
  MAX_ATTEMPTS = 5000,
  STRIPES_APART = 6,
  FAILED_STRIPE = 1.4,
  KILLED_STRIPE = 1.2,
  BODY_SHARE = .1,
  STRIPE_SHARE = .62,
  SERVICE_SHARE = .4,
  HUE = 4,
  CAP = 12,
  MIN_CAPPED = 22,
  MIN_STRIPED = 4,
  ATTEMPT_RADIUS = 3,
  FADED_OPACITY = .25,
  LABEL_ROW = 15,
  LABEL_LEFT = 7,
  LABEL_AIR = 3;

const lookOf = (run, task) => Math.floor(((run.code[task] >> 1) - run.taskGroups) / run.attemptJobs),
  isAttempt = (run, task) => run.code[task] >> 1 >= run.taskGroups;

function attemptsOf(run) {
  if (!run.attempts) {
    const found = [];
    for (let task = 0; task < run.code.length; task++)
      if (isAttempt(run, task)) found.push(task);
    run.attempts = Int32Array.from(found);
  }
  return run.attempts;
}
// Return what is special about an attempt, in a sentence.
const attemptNote = (run, task) => isAttempt(run, task) && run.attemptNotes ? run.notes[run.attemptNotes[firstFrom(
  attemptsOf(run), task)]] : "";

// Draw the attempts in view, each with its job's colour at the left and, if it has room, its name.
function drawAttempts(panel) {
  const {
    run,
    rows
  } = panel, chosen = chosenIn(run), right = plan.left + plan.width, inside = time => Math.min(right, Math.max(plan
    .left, X(time))), gap = rows.rowHeight >= WIDE_GAP_HEIGHT ? 2 : rows.rowHeight >= GAP_HEIGHT ? 1 : 0;
  if (rows.rowHeight < PATTERN_ROW) return;
  let found = [];
  eachInRows(panel, attemptsOf(run), (place, row, task) => {
    if (run.start[task] < view.t1 && run.end[task] >= view.t0) found.push([place, row, task]);
  });
  if (!found.length) return;
  const shown = ([, , task]) => Math.min(run.end[task], view.t1) - Math.max(run.start[task], view.t0);
  if (found.length > MAX_ATTEMPTS) found = found.sort((a, b) => shown(b) - shown(a)).slice(0, MAX_ATTEMPTS);
  keepToPlot(panel);
  for (const [place, row, task] of found) {
    const job = run.job[run.code[task] >> 1],
      [top, bottom] = rowSpan(panel, place, row),
      left = inside(run.start[task]),
      box = {
        left,
        top,
        width: Math.max(inside(run.end[task]) - left, 1),
        height: bottom - top - gap
      },
      look = facts.looks[lookOf(run, task)];
    pen.globalAlpha = chosen >= 0 && job !== chosen ? FADED_OPACITY : 1;
    drawAttempt(pen, box, job < 0 ? colour.third_text : rgb(toneOfJob(run, job)), look);
    if (rows.rowHeight >= LABEL_ROW && inkOfLook(look)) nameAttempt(box, job < 0 ? "" : facts.shortNames[job], run.end[
      task] > run.veil ? NaN : run.end[task] - run.start[task], look);
  }
  pen.restore();
  pen.globalAlpha = 1;
}

// Return the colour of attempts that came to nothing, which no job has; nothing for others.
const inkOfLook = look => ({
  failed: colour.failed,
  killed: colour.killed
})[look];
const mixedCss = (one, other, share) => rgb(blend(numberOf(one), numberOf(other), share));

// Fill whole pixels.
function fillPixels(to, css, left, top, width, height) {
  const from = snapped(left);
  to.fillStyle = css;
  to.fillRect(from, snapped(top), snapped(left + width) - from, snapped(top + height) - snapped(top));
}

// Draw one attempt: striped and framed with a cap if it failed or was killed, else pale.
function drawAttempt(to, box, base, look) {
  const {
    left,
    top,
    width,
    height
  } = box, ink = inkOfLook(look);
  if (look === "suspended" || look === "running") { // it is no lost work: it has its job's colour whole, and an open end
    fillPixels(to, base, left, top, width, height);
    if (width >= MIN_STRIPED) fillPixels(to, colour.second_text, left + width - 2, top, 2, height);
  } else if (!ink || width < MIN_STRIPED) fillPixels(to, ink || mixedCss(colour.third_text, colour.lane, 1 -
    SERVICE_SHARE), left, top, width, height);
  else drawLost(to, box, base, ink, look === "failed");
}

// Draw an attempt that came to nothing: red stripes and a cross if it failed, grey ones and a dash if it was killed.
function drawLost(to, box, base, ink, isFailed) {
  const {
    left,
    top,
    width,
    height
  } = box, body = isFailed ? mixedCss(colour.surface, ink, BODY_SHARE) : colour.surface;
  to.save();
  to.beginPath();
  to.rect(left, top, width, height);
  to.clip();
  to.lineCap = "square";
  to.fillStyle = body;
  to.fillRect(left, top, width, height);
  to.strokeStyle = isFailed ? mixedCss(colour.surface, ink, STRIPE_SHARE) : ink;
  to.lineWidth = isFailed ? FAILED_STRIPE : KILLED_STRIPE;
  drawStripes(to, box, isFailed ? 1 : -1);
  to.strokeStyle = ink;
  to.lineWidth = 1;
  to.setLineDash(isFailed ? [] : [4, 2]);
  to.beginPath();
  to.roundRect(left + .5, top + .5, Math.max(0, width - 1), Math.max(0, height - 1), ATTEMPT_RADIUS);
  to.stroke();
  to.setLineDash([]);
  if (width > 2 * HUE) {
    to.fillStyle = base;
    to.fillRect(left, top, HUE, height);
  }
  if (width >= MIN_CAPPED && height >= CAP) drawCap(to, left + width - CAP / 2 - 2, top + height / 2, body, ink, isFailed);
  to.restore();
}

// Draw diagonals, leaning right for 1 and left for -1; those of all attempts line up.
function drawStripes(to, box, lean) {
  const {
    left,
    top,
    width,
    height
  } = box, [low, high] = lean > 0 ? [top, top + height] : [-top - height, -top], last = Math.ceil((left + width + high) /
    STRIPES_APART);
  to.beginPath();
  for (let number = Math.floor((left + low) / STRIPES_APART); number <= last; number++) {
    const x = number * STRIPES_APART - lean * top; // on each stripe, x + lean * y is a multiple of their distance
    to.moveTo(x, top);
    to.lineTo(x - lean * height, top + height);
  }
  to.stroke();
}

// Draw a round cap at the end, with a cross or a dash.
function drawCap(to, x, y, body, ink, isFailed) {
  const arm = CAP / 4 - .4;
  to.fillStyle = body;
  to.beginPath();
  to.arc(x, y, CAP / 2, 0, 2 * Math.PI);
  to.fill();
  to.strokeStyle = ink;
  to.lineWidth = 1.8;
  to.beginPath();
  if (isFailed) {
    to.moveTo(x - arm, y - arm);
    to.lineTo(x + arm, y + arm);
    to.moveTo(x - arm, y + arm);
    to.lineTo(x + arm, y - arm);
  } else {
    to.moveTo(x - arm - 1, y);
    to.lineTo(x + arm + 1, y);
  }
  to.stroke();
}

// Write whose attempt it is and how long it took upon a plate, if that fits.
function nameAttempt(box, name, ticks, look) {
  const room = box.width - LABEL_LEFT - CAP - 4,
    time = Number.isFinite(ticks) ? clockText(ticks) : "",
    text = [name && time ? `${name} · ${time}` : name || time, name].find(each => each && textWidth(each, 11) <= room);
  if (!text) return;
  const left = box.left + LABEL_LEFT;
  pen.fillStyle = look === "failed" ? mixedCss(colour.surface, colour.failed, BODY_SHARE) : colour.surface;
  pen.fillRect(left - LABEL_AIR, box.top + 2, textWidth(text, 11) + 2 * LABEL_AIR, box.height - 4);
  write(text, left, box.top + box.height / 2 + 4, look === "failed" ? colour.worse : colour.second_text, 11);
}

// Return the entries of the legend, as `deadlineSigns` does, the most important first.
function attemptSigns() {
  const looks = new Set();
  for (const run of runs)
    for (const task of attemptsOf(run)) looks.add(facts.looks[lookOf(run, task)]);
  return facts.looks.filter(look => looks.has(look)).map(look => [look, facts.lookTips[look] || "", to => drawAttempt(to, {
    left: 0,
    top: 0,
    width: 18,
    height: 11
  }, rgb(tonesOf(runs[0].tone[0])[MAP]), look)]);
}
