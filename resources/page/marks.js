// The critical path, the title and flags of a chart, what is shown of a selected job, and the time axis.

// Draw the chain of tasks that makes the run as long as it is; all others recede.
function drawPath(panel, playhead) {
  const {
    run
  } = panel, right = Math.min(plan.left + plan.width, playhead);
  if (!run.path.length) return;
  pen.save();
  pen.beginPath();
  pen.rect(plan.left, panel.plot - 1, Math.max(0, right - plan.left), panel.height + 2);
  pen.clip();
  pen.fillStyle = colour.lane;
  pen.globalAlpha = .74;
  for (const place of panel.rows.places) pen.fillRect(plan.left, panel.plot + place.first, plan.width, place.last -
    place.first);
  pen.globalAlpha = 1;
  let before = null;
  const done = new Set();
  for (const link of run.path) {
    const at = link.task < 0 ? null : placeOf(panel, link.task);
    if (!at) {
      before = link.task < 0 ? before : null;
      continue;
    }
    const y = at.y + at.height / 2;
    if (before !== null && before.task !== link.task) {
      const x = X(link.begin);
      pen.strokeStyle = colour.ink;
      pen.lineWidth = 1.25;
      pen.setLineDash([3, 2]);
      pen.beginPath();
      pen.moveTo(before.x, before.y);
      pen.lineTo(x, before.y);
      pen.lineTo(x, y);
      pen.stroke();
      pen.setLineDash([]);
    }
    if (!done.has(link.task)) {
      done.add(link.task);
      const tones = toneOf(run, run.code[link.task] >> 1),
        reduce = run.code[link.task] & 1,
        high = Math.max(5, at.height),
        top = y - high / 2,
        width = Math.max(2, at.width),
        body = X(run.body[link.task]);
      pen.fillStyle = rgb(tones[reduce ? REDUCE : MAP]);
      pen.fillRect(at.x, top, width, high);
      if (reduce && body > at.x) {
        pen.fillStyle = rgb(tones[SHUFFLE]);
        pen.fillRect(at.x, top, body - at.x, high);
      }
      pen.strokeStyle = colour.ink;
      pen.lineWidth = 1.5;
      pen.strokeRect(at.x, top, width, high);
      if (high >= 11) write(cut(facts.shortNames[run.job[run.code[link.task] >> 1]] || "", width - 8, 10.5, 600), Math.max(
        plan.left, at.x) + 4, y + 3.8, inkOn(tones[reduce ? REDUCE : MAP]), 10.5, "left", 600);
    }
    before = {
      x: X(link.end),
      y,
      task: link.task
    };
  }
  pen.restore();
}

function drawCursor(panel) {
  const at = placeOf(panel, cursor.task);
  if (!at) return;
  pen.strokeStyle = colour.ink;
  pen.lineWidth = 2;
  pen.strokeRect(at.x - 1, at.y - 1, Math.max(3, at.width) + 2, at.height + 2);
}
// Draw the title of a chart, its figures, and the lines that stand for instants.
function drawHead(panel, right) {
  const {
    run
  } = panel, end = X(run.ends), bound = run.bound === null ? null : X(run.bound / facts.tick), taken = [], y = panel
    .top + 18, flags = panel.plot - 21;
  const isVeiled = run.veil < Infinity,
    whole = isVeiled ? "" : durationText(run.makespan),
    base = facts.runs.find(each => each.variant === run.variant);
  let x = right;
  write(whole, x, y, colour.text, 14, "right", 600);
  x -= textWidth(whole, 14, 600) + 14;
  const name = cut(run.title, Math.max(60, x - 10), 14, 600);
  write(name, 0, y, colour.text, 14, "left", 600);
  const used = textWidth(name, 14, 600) + 14;
  for (const [text, css] of [
      [run.change && `${run.change} vs ${base.title}`, run.makespan > base.makespan ? colour.worse : run.makespan <
        base.makespan ? colour.better : colour.second_text
      ],
      [run.standing, colour.second_text]
    ]) {
    if (!text || run.isRecord !== base.isRecord && css !== colour.second_text) continue;
    const width = textWidth(text, 12);
    if (x - width < used) continue;
    write(text, x, y, css, 12, "right");
    x -= width + 14;
  }
  if (bound !== null) line(bound, panel.plot - 4, panel.bottom, colour.second_text, 1, [2, 3]);
  if (!isVeiled) line(end, panel.plot - 4, panel.bottom, colour.ink, 2);
  if (!isVeiled && end >= plan.left && end <= right + 1) flag(`makespan ${whole}`, end, flags, colour.ink, colour.window, null,
    taken);
  if (selected >= 0) drawSelected(panel, flags, taken, right);
  if (bound !== null && bound >= plan.left && bound <= right) flag(`lower bound ${durationText(run.bound)}`, bound,
    flags, colour.window, colour.second_text, colour.line, taken);
}
// Draw when the selected job runs, where its waves begin and until when its stages waited.
function drawSelected(panel, flags, taken, right) {
  const {
    run
  } = panel, chosen = chosenIn(run), first = sumsOf(run).first[chosen], isOver = run.finish[chosen] >= 0, last =
    isOver ? run.finish[chosen] : run.veil;
  if (!Number.isFinite(first) || !Number.isFinite(last)) return;
  const a = Math.max(plan.left, X(first)),
    b = Math.min(right, X(last)),
    group = run.job.indexOf(chosen),
    own = group < 0 ? 0 : toneOf(run, group)[MAP];
  for (const mark of apart(marks[panel.index] || [])) line(X(mark.time), panel.plot - 2, panel.bottom, mark
    .isBarrier ? colour.link : colour.second_text, 1, mark.isBarrier ? [6, 3] : [1, 3]);
  if (b <= a) return;
  pen.fillStyle = rgb(own);
  pen.fillRect(a, panel.plot - 4, b - a, 2.5);
  const name = cut(facts.shortNames[chosen], 160, 11.5, 500);
  flag(isOver ? `${name} · ${durationText(seconds(last - first))}` : name, (a + b) / 2, flags,
    rgb(own), inkOn(own), null, taken);
  for (const mark of marks[panel.index] || [])
    if (mark.isBarrier && X(mark.time) >= plan.left && X(mark.time) <= right) flag(mark.text, X(mark.time), flags,
      colour.window, colour.link, colour.line, taken);
}
// Return the marks of which no two waves are so near that lines would be all one sees.
function apart(all) {
  let before = -Infinity;
  return all.filter(mark => {
    if (mark.isBarrier) return true;
    const x = X(mark.time);
    if (x - before < MIN_WAVE) return false;
    before = x;
    return true;
  });
}
const sumsOf = run => run.sums ||= jobSums(run);

function drawAxis(ticks, playhead) {
  const y = plan.axis,
    right = plan.left + plan.width,
    fine = span * facts.tick < 120 ? .1 : 1,
    stands = standsAt() ?? Infinity,
    mark = now < span ? playhead : X(stands),
    text = now < span ? clockText(now, fine) : clockText(stands, fine).replace(/\.0$/, ""),
    half = mark >= plan.left && mark <= right ? textWidth(text, 11.5, 500) / 2 + 10 : 0;
  let free = -99;
  pen.fillStyle = colour.line;
  pen.fillRect(plan.left, y, plan.width, 1);
  for (const time of ticks.at) {
    const x = Math.round(X(time)),
      label = clockText(time, ticks.step),
      width = textWidth(label, 11.5),
      from = Math.max(plan.left - 12, Math.min(right - width, x - width / 2));
    pen.fillRect(x, y, 1, 4);
    if (from > free && (!half || from + width < mark - half || from > mark + half)) {
      write(label, from, y + 17, colour.second_text, 11.5);
      free = from + width + 10;
    }
  }
  drawOverview(right);
  if (half) {
    for (const panel of plan.panels) line(mark, panel.plot - 4, panel.bottom, colour.cursor, 2);
    flag(text, mark, y + 3, colour.cursor, colour.on_cursor, null, []);
  }
}
// Draw how many slots the first chart uses over the whole run, and which part of it is in view.
function drawOverview(right) {
  const top = plan.height - OVERVIEW + 4,
    high = OVERVIEW - 6,
    run = plan.panels[0].run,
    parts = Math.max(40, Math.round(plan.width / 2));
  if (!run.use || run.use.length !== parts) run.use = usage(run, parts, span);
  pen.fillStyle = colour.lane;
  pen.beginPath();
  pen.roundRect(plan.left, top, plan.width, high, 3);
  pen.fill();
  pen.fillStyle = colour.map_band;
  pen.beginPath();
  pen.moveTo(plan.left, top + high);
  run.use.forEach((share, i) => pen.lineTo(plan.left + (i + .5) * plan.width / parts, top + high - Math.max(0, Math
    .min(1, share)) * (high - 2)));
  pen.lineTo(right, top + high);
  pen.fill();
  const a = plan.left + Math.max(0, view.t0) / span * plan.width,
    b = plan.left + Math.min(1, view.t1 / span) * plan.width;
  if (b - a < plan.width - 1) {
    pen.fillStyle = colour.window;
    pen.globalAlpha = .6;
    pen.fillRect(plan.left, top, a - plan.left, high);
    pen.fillRect(b, top, right - b, high);
    pen.globalAlpha = 1;
    pen.strokeStyle = colour.link;
    pen.lineWidth = 1.5;
    pen.strokeRect(a, top, Math.max(3, b - a), high);
  }
}
