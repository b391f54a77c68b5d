// The canvas: where everything lies, the picture of the rows that is kept between frames, and what is drawn over it.
// While the view moves, the last exact picture is shown moved and stretched; a new one is painted in slices.

const HEAD = 48, FOOT = 12, BAND_WIDTH = 16, AXIS = 26, OVERVIEW = 26, SLICE = 8, MAX_RATIO = 3, MAX_LABELS = 4000;
const FAMILY = 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const STEPS_OF_TIME = [1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, .001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 432000, 864000, 2592000];
const canvas = element("chart"), pen = canvas.getContext("2d", { alpha: false });
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let runs = [], span = 1, ratio = 1, plan = null, alone = -1, selected = -1, marks = [], showsPath = false, now = Infinity, playing = false;
let picture = null, painting = null, spare = null, version = 0, isAsked = false, lastTime = 0, slow = 0, isPrinting = false, cursor = null;
const images = new Map(), view = { t0: 0, t1: 1, zoom: 1, part: 0 }, goal = { ...view };

const font = (size, weight = 400) => `${weight} ${size}px ${FAMILY}`;
function textWidth(text, size, weight) { pen.font = font(size, weight); return pen.measureText(text).width; }
function write(text, x, y, css, size = 12, align = "left", weight = 400) { pen.font = font(size, weight); pen.textAlign = align; pen.fillStyle = css; pen.fillText(text, x, y); }
// Return a text cut to a width with an ellipsis.
function cut(text, width, size, weight) {
  if (textWidth(text, size, weight) <= width) return text;
  let low = 0, high = text.length;
  while (low < high) { const middle = low + high + 1 >> 1; if (textWidth(text.slice(0, middle) + "…", size, weight) <= width) low = middle; else high = middle - 1; }
  return low ? text.slice(0, low) + "…" : "";
}

const X = time => plan.left + (time - view.t0) * plan.width / (view.t1 - view.t0), T = x => view.t0 + (x - plan.left) * (view.t1 - view.t0) / plan.width;
const same = (a, b) => a.t0 === b.t0 && a.t1 === b.t1 && a.zoom === b.zoom && a.part === b.part;
const rowLabel = (run, band, row) => band.prefix + (band.first + row);

// Lay out the charts one below the other, in a height that fits the window or, of many charts, is scrolled.
function layOut() {
  const shown = runs.map((_, i) => i).filter(i => alone < 0 || i === alone), width = canvas.clientWidth, small = width < 560;
  const room = window.innerHeight - canvas.getBoundingClientRect().top - window.scrollY - 44, least = small ? 196 : 168;
  const height = Math.round(isPrinting ? shown.length * 260 + AXIS + OVERVIEW : Math.max(room, shown.length * least + AXIS + OVERVIEW));
  ratio = isPrinting ? 2 : Math.min(MAX_RATIO, window.devicePixelRatio || 1);
  if (canvas.style.height !== height + "px") canvas.style.height = height + "px";
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) { canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio); }
  const labels = Math.max(...runs.map(run => Math.max(...run.bands.map(band => textWidth(rowLabel(run, band, band.rows - 1), 11)))));
  const left = BAND_WIDTH + Math.ceil(labels) + 15, each = (height - AXIS - OVERVIEW) / shown.length;
  plan = { left, width: Math.floor(width - left - (small ? 2 : 6)), whole: width, height, small, axis: height - AXIS - OVERVIEW, panels: shown.map((index, k) => {
    const top = Math.round(k * each), plot = top + HEAD;
    return { run: runs[index], index, top, plot, bottom: Math.round((k + 1) * each) - FOOT, height: Math.round((k + 1) * each) - FOOT - plot };
  }) };
  placeRows();
  restart();
}
function placeRows() { for (const panel of plan.panels) panel.rows = rowLayout(panel.run.bands, panel.height, view.zoom, view.part); }
function restart() { version++; painting = null; s = null; ask(); }
function ask() { if (!isAsked) { isAsked = true; requestAnimationFrame(frame); } }

// Paint the rows for the view as it is now: wider than it where that takes long, so that panning shows no blank border.
function* painted(job) {
  const v = { ...view }, wide = Math.round(plan.width * ratio), margin = slow > 14 && !isPrinting ? Math.round(wide * .2) : 0, scale = wide / (v.t1 - v.t0);
  const origin = Math.round(v.t0 * scale) - margin, width = wide + 2 * margin, began = performance.now(); let busy = 0, slice = began;
  const target = job.canvas; if (target.width !== width || target.height !== canvas.height) { target.width = width; target.height = canvas.height; }
  const to = target.getContext("2d", { alpha: false });
  for (const panel of plan.panels) {
    const rows = rowLayout(panel.run.bands, panel.height, v.zoom, v.part);
    for (const place of rows.places) {
      const first = Math.round((panel.plot + place.first) * ratio), height = Math.round((panel.plot + place.last) * ratio) - first;
      if (height <= 0) continue;
      const key = `${width}x${height}`; let image = images.get(key); if (!image) { if (images.size > 24) images.clear(); images.set(key, image = new ImageData(width, height)); }
      const [even, odd] = (place.band.isReduce ? colour.reduce_rows : colour.map_rows).map(numberOf);
      const steps = paintBand(new Uint32Array(image.data.buffer), width, height, panel.run, place.band, { origin, scale, top: (panel.plot + place.top) * ratio - first,
        rowHeight: rows.rowHeight * ratio, even, odd, stripe: place.band.stripe, gap: numberOf(colour.gap), own: place.band.own, borrowed: numberOf(colour.text), selected });
      while (!steps.next().done) if (!isPrinting && performance.now() - slice > SLICE) { busy += performance.now() - slice; yield; slice = performance.now(); }
      to.putImageData(image, 0, first);
    }
  }
  slow = busy + performance.now() - slice;
  return { canvas: target, view: v, scale, origin, width, version: job.version };
}

// Draw one frame.
function frame(time) {
  isAsked = false;
  const passed = Math.min(60, time - lastTime), near = calm.matches ? 1 : 1 - Math.exp(-passed / 55); let moves = false; lastTime = time;
  for (const key of Object.keys(view)) {
    const away = goal[key] - view[key], least = (key[0] === "t" ? goal.t1 - goal.t0 : goal[key] || 1) * 2e-4;
    if (Math.abs(away) <= least) view[key] = goal[key]; else { view[key] += away * near; moves = true; }
  }
  if (playing) { now += passed / 1000 * span / 14; if (now >= span) stop(); }
  placeRows();
  paintSome();
  draw();
  if (moves || playing || painting || !isExact()) ask();
}
const isExact = () => picture && picture.version === version && same(picture.view, view);
function paintSome() {
  if (isExact()) return;
  if (!painting) { painting = { canvas: spare || document.createElement("canvas"), version }; spare = null; painting.steps = painted(painting); }
  const step = painting.steps.next();
  if (!step.done) return;
  spare = picture && picture.canvas; picture = step.value; painting = null;
  if (canvas.style.visibility !== "visible") { canvas.style.visibility = "visible"; performance.mark("picture"); }
}

function draw() {
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = colour.window; pen.fillRect(0, 0, plan.whole + 1, plan.height + 1);
  drawPicture();
  const ticks = ticksInView(), playhead = now < span ? X(now) : Infinity;
  for (const panel of plan.panels) drawPanel(panel, ticks, playhead);
  drawAxis(ticks, playhead);
}
function drawPicture() {
  if (!picture) return;
  const scale = plan.width * ratio / (view.t1 - view.t0), grown = scale / picture.scale, x = picture.origin * grown - view.t0 * scale;
  pen.save(); pen.beginPath();
  for (const panel of plan.panels) for (const place of panel.rows.places) if (place.last > place.first) pen.rect(plan.left, panel.plot + place.first, plan.width, place.last - place.first);
  pen.clip();
  pen.fillStyle = colour.lane; pen.fillRect(plan.left, 0, plan.width, plan.height);
  pen.setTransform(1, 0, 0, 1, 0, 0); pen.imageSmoothingEnabled = grown !== 1;
  pen.drawImage(picture.canvas, Math.round(plan.left * ratio) + (grown === 1 ? Math.round(x) : x), 0, picture.width * grown, picture.canvas.height);
  pen.restore(); pen.setTransform(ratio, 0, 0, ratio, 0, 0);
}
function ticksInView() {
  const least = (view.t1 - view.t0) * facts.tick / Math.max(2, plan.width / (plan.small ? 84 : 110)), step = STEPS_OF_TIME.find(each => each >= least) || STEPS_OF_TIME.at(-1), apart = step / facts.tick, at = [];
  for (let time = Math.max(0, Math.ceil(view.t0 / apart)) * apart; time <= view.t1; time += apart) at.push(time);
  return { at, step };
}
function line(x, from, to, css, width = 1, dash = []) {
  if (x < plan.left - 1 || x > plan.left + plan.width + 1) return;
  pen.setLineDash(dash); pen.strokeStyle = css; pen.lineWidth = width; pen.beginPath();
  x = Math.round(x * ratio) / ratio + (width % 2 ? .5 / ratio : 0); pen.moveTo(x, from); pen.lineTo(x, to); pen.stroke(); pen.setLineDash([]);
}
// Draw a flag at a line, moved aside where others are; left out where there is no room.
function flag(text, x, y, fill, ink, border, taken) {
  const width = textWidth(text, 11.5, 500) + 12, right = plan.left + plan.width; let from = Math.min(right - width, Math.max(plan.left, x - width / 2));
  for (const [a, b] of taken) if (from < b + 4 && from + width > a - 4) from = x >= (a + b) / 2 && b + 4 + width <= right ? b + 4 : a - 4 - width;
  if (from < plan.left || taken.some(([a, b]) => from < b && from + width > a)) return;
  taken.push([from, from + width]);
  pen.beginPath(); pen.roundRect(from, y, width, 17, 4); pen.fillStyle = fill; pen.fill();
  if (border) { pen.strokeStyle = border; pen.lineWidth = 1; pen.stroke(); }
  write(text, from + 6, y + 12.5, ink, 11.5, "left", 500);
}

// Draw what lies over and around the rows of one chart.
function drawPanel(panel, ticks, playhead) {
  const { run, rows } = panel, right = plan.left + plan.width;
  pen.save(); pen.beginPath(); pen.rect(0, panel.top, plan.whole, panel.bottom - panel.top + 1); pen.clip();
  for (const place of rows.places) {
    const top = panel.plot + place.first, high = place.last - place.first;
    if (high <= 0) continue;
    if (playhead < right) { pen.fillStyle = colour.lane; const from = Math.max(plan.left, playhead); pen.fillRect(from, top, right - from, high); }
    pen.fillStyle = colour.crosshair; pen.globalAlpha = .14; for (const time of ticks.at) pen.fillRect(Math.round(X(time)), top, 1, high); pen.globalAlpha = 1;
    drawBandName(panel, place, top, high);
    drawClosed(panel, place, top);
    if (showsPath && run.path.length) continue;
    if (rows.rowHeight >= 12) drawTaskNames(panel, place, playhead); else drawJobNames(panel, place, top, high, playhead);
  }
  if (showsPath) drawPath(panel, playhead);
  if (cursor && cursor.run === run) drawCursor(panel);
  pen.restore();
  drawHead(panel, right);
}
function drawBandName(panel, place, top, high) {
  const { run, rows } = panel, { band } = place, h = rows.rowHeight, back = band.isReduce ? colour.reduce_band : colour.map_band;
  pen.fillStyle = back; pen.beginPath(); pen.roundRect(0, top, BAND_WIDTH, high, 4); pen.fill();
  pen.save(); pen.translate(BAND_WIDTH / 2 + 3.5, top + high / 2); pen.rotate(-Math.PI / 2);
  const name = band.isGroup ? band.name.split(" of ")[0] : band.name, long = `${name} · ${counted(band.rows)}`;
  write(textWidth(long, 10, 600) < high - 8 ? long : cut(name, high - 4, 10, 600), 0, 0, colour.on_band, 10, "center", 600); pen.restore();
  if (rows.hasNames) write(cut(band.name, plan.width, 11.5, 600), plan.left, top - 5, colour.second_text, 11.5, "left", 600);
  const step = [1, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find(each => each * h >= (each === 1 ? 12 : 18)) || 10000;
  for (let row = Math.max(0, Math.floor((place.first - place.top) / h)); row < band.rows; row++) {
    if (row && (band.first + row) % step) continue;
    const y = panel.plot + place.top + (row + .5) * h; if (y > top + high) break;
    if (y >= top && (!row || y > panel.plot + place.top + 15)) write(rowLabel(run, band, row), plan.left - 7, Math.max(top + 9, Math.min(top + high - 1, y + 4)), colour.third_text, 11, "right");
  }
}
// Draw over slots that have not opened yet, or are gone.
function drawClosed(panel, place, top) {
  const { run } = panel; if (!run.opens) return;
  const h = panel.rows.rowHeight, right = plan.left + plan.width; pen.fillStyle = colour.gap;
  for (let row = 0; row < place.band.rows; row++) {
    const at = place.band.at + row, y = panel.plot + place.top + row * h, opens = run.opens[at], closes = run.closes[at];
    if (opens > view.t0) pen.fillRect(plan.left, y, Math.max(0, Math.min(right, X(opens)) - plan.left), h + .3);
    if (closes >= 0 && closes < view.t1) { const x = Math.max(plan.left, X(closes)); pen.fillRect(x, y, right - x, h + .3); }
  }
}
const toneOf = (run, group) => tonesOf(run.tone[group]);

// Write upon tasks in tall rows which job they are of and, where there is room, how long they take.
function drawTaskNames(panel, place, playhead) {
  const { run, rows } = panel, h = rows.rowHeight, size = Math.min(12, h - 2), right = Math.min(plan.left + plan.width, playhead); let drawn = 0;
  for (let row = Math.max(0, Math.floor(-place.top / h)); row < place.band.rows && drawn < MAX_LABELS; row++) {
    const y = panel.plot + place.top + row * h, at = place.band.at + row; if (y > panel.bottom) break;
    for (let i = firstEndingAfter(run, at, view.t0); i < run.offsets[at + 1] && run.start[i] < view.t1; i++) {
      const group = run.code[i] >> 1, job = run.job[group], from = Math.max(plan.left, X(run.code[i] & 1 ? run.body[i] : run.start[i])), room = Math.min(right, X(run.end[i])) - from - 9;
      if (room < 8 || group >= run.taskGroups) { if (group >= run.taskGroups) drawAttempt(run, i, group, y, h, right); continue; }
      if (job < 0 || selected >= 0 && job !== selected) continue;
      const name = facts.jobs[job], long = `${name} · ${durationText(seconds(run.end[i] - run.start[i]))}`, text = textWidth(long, size) <= room ? long : textWidth(name, size) <= room ? name : "";
      if (text) { write(text, from + 5, y + h / 2 + size * .33, inkOn(toneOf(run, group)[run.code[i] & 1 ? REDUCE : MAP]), size); drawn++; }
    }
  }
}
// Draw an attempt that is no task: an outline, and a cross where it failed.
function drawAttempt(run, i, group, y, h, right) {
  const look = Math.floor((group - run.taskGroups) / run.attemptJobs), a = Math.max(plan.left, X(run.start[i])), b = Math.min(right, X(run.end[i])); if (b - a < 6) return;
  pen.strokeStyle = look ? colour.killed : colour.failed; pen.lineWidth = 1; pen.setLineDash(look === 1 ? [4, 3] : []); pen.strokeRect(a + .5, y + .5, b - a - 1, h - 3); pen.setLineDash([]);
  if (b - a > 22) write(["✕", "–", "", ""][look], b - 14, y + h / 2 + 4, inkOn(toneOf(run, group)[MAP]), 11, "left", 700);
}
// Write the name of a job where it fills most of the rows.
function drawJobNames(panel, place, top, high, playhead) {
  const { run, rows } = panel, kind = place.band.isReduce ? 1 : 0, right = Math.min(plan.left + plan.width, playhead); if (facts.jobs.length > 60 && selected < 0 || high < 26) return;
  const sums = centres(run, place.band), busy = [], size = Math.min(14, Math.max(11, high / 7));
  for (const [job, { held, middle, group }] of sums) {
    if (selected >= 0 && job !== selected) continue;
    const x = X(middle), wide = held / place.band.rows * plan.width / (view.t1 - view.t0), width = textWidth(facts.jobs[job], size, 600);
    if (wide < width + 8 && !(job === selected && wide > 12) || x - width / 2 < plan.left || x + width / 2 > right || busy.some(([a, b]) => x - width / 2 < b + 4 && x + width / 2 > a - 4)) continue;
    busy.push([x - width / 2, x + width / 2]);
    const own = toneOf(run, group)[kind ? REDUCE : MAP], y = top + high / 2 + size * .36;
    pen.font = font(size, 600); pen.textAlign = "center"; pen.lineWidth = 3; pen.lineJoin = "round"; pen.strokeStyle = rgb(own); pen.strokeText(facts.jobs[job], x, y); write(facts.jobs[job], x, y, inkOn(own), size, "center", 600);
  }
}
// Return how long each job holds slots of a band, and around when; computed once.
function centres(run, band) {
  band.centres ||= new Map(); if (band.centres.size || band.isSummed) return band.centres; band.isSummed = true;
  for (let i = run.offsets[band.at]; i < run.offsets[band.at + band.rows]; i++) {
    const group = run.code[i] >> 1, job = run.job[group], held = run.end[i] - run.start[i]; if (job < 0 || group >= run.taskGroups) continue;
    const own = band.centres.get(job) || { held: 0, middle: 0, group }; band.centres.set(job, own);
    own.middle += held * (run.start[i] + held / 2); own.held += held;
  }
  for (const [job, own] of band.centres) if (own.held) own.middle /= own.held; else band.centres.delete(job);
  return band.centres;
}
// Return where a task lies: left, top, width and height in pixels; null where its row is not in view.
function placeOf(panel, task) {
  let low = 0, high = panel.run.offsets.length - 1; while (low < high - 1) { const middle = low + high >> 1; if (panel.run.offsets[middle] <= task) low = middle; else high = middle; }
  const place = panel.rows.places.find(({ band }) => low >= band.at && low < band.at + band.rows); if (!place) return null;
  const h = panel.rows.rowHeight, y = panel.plot + place.top + (low - place.band.at) * h, x = X(panel.run.start[task]); if (y + h < panel.plot || y > panel.bottom) return null;
  return { x, y, width: X(panel.run.end[task]) - x, height: Math.max(2, h - (h >= 6.5 ? 2 : 0)), row: low, place };
}
// Draw the chain of tasks that makes the run as long as it is; all others recede.
function drawPath(panel, playhead) {
  const { run } = panel, right = Math.min(plan.left + plan.width, playhead); if (!run.path.length) return;
  pen.save(); pen.beginPath(); pen.rect(plan.left, panel.plot - 1, Math.max(0, right - plan.left), panel.height + 2); pen.clip();
  pen.fillStyle = colour.lane; pen.globalAlpha = .74; for (const place of panel.rows.places) pen.fillRect(plan.left, panel.plot + place.first, plan.width, place.last - place.first); pen.globalAlpha = 1;
  let before = null; const done = new Set();
  for (const link of run.path) {
    const at = link.task < 0 ? null : placeOf(panel, link.task); if (!at) { before = link.task < 0 ? before : null; continue; }
    const y = at.y + at.height / 2;
    if (before !== null && before.task !== link.task) { const x = X(link.begin); pen.strokeStyle = colour.ink; pen.lineWidth = 1.25; pen.setLineDash([3, 2]); pen.beginPath(); pen.moveTo(before.x, before.y); pen.lineTo(x, before.y); pen.lineTo(x, y); pen.stroke(); pen.setLineDash([]); }
    if (!done.has(link.task)) {
      done.add(link.task); const tones = toneOf(run, run.code[link.task] >> 1), reduce = run.code[link.task] & 1, high = Math.max(5, at.height), top = y - high / 2, width = Math.max(2, at.width), body = X(run.body[link.task]);
      pen.fillStyle = rgb(tones[reduce ? REDUCE : MAP]); pen.fillRect(at.x, top, width, high);
      if (reduce && body > at.x) { pen.fillStyle = rgb(tones[SHUFFLE]); pen.fillRect(at.x, top, body - at.x, high); }
      pen.strokeStyle = colour.ink; pen.lineWidth = 1.5; pen.strokeRect(at.x, top, width, high);
      if (high >= 11) write(cut(facts.jobs[run.job[run.code[link.task] >> 1]] || "", width - 8, 10.5, 600), Math.max(plan.left, at.x) + 4, y + 3.8, inkOn(tones[reduce ? REDUCE : MAP]), 10.5, "left", 600);
    }
    before = { x: X(link.end), y, task: link.task };
  }
  pen.restore();
}
function drawCursor(panel) {
  const at = placeOf(panel, cursor.task); if (!at) return;
  pen.strokeStyle = colour.ink; pen.lineWidth = 2; pen.strokeRect(at.x - 1, at.y - 1, Math.max(3, at.width) + 2, at.height + 2);
}
// Draw the title of a chart, its figures, and the lines that stand for instants.
function drawHead(panel, right) {
  const { run } = panel, end = X(run.ends), bound = run.bound === null ? null : X(run.bound / facts.tick), taken = [], y = panel.top + 18, flags = panel.top + 27;
  const whole = durationText(run.makespan), base = facts.runs[0]; let x = right;
  write(whole, x, y, colour.text, 14, "right", 600); x -= textWidth(whole, 14, 600) + 14;
  const name = cut(run.title, Math.max(60, x - 10), 14, 600); write(name, 0, y, colour.text, 14, "left", 600); const used = textWidth(name, 14, 600) + 14;
  for (const [text, css] of [[run.change && `${run.change} vs ${base.title}`, run.makespan > base.makespan ? colour.worse : run.makespan < base.makespan ? colour.better : colour.second_text], [run.standing, colour.second_text]]) {
    if (!text || run.isRecord !== base.isRecord && css !== colour.second_text) continue;
    const width = textWidth(text, 12); if (x - width < used) continue; write(text, x, y, css, 12, "right"); x -= width + 14;
  }
  if (bound !== null) line(bound, panel.plot - 4, panel.bottom, colour.second_text, 1, [2, 3]);
  line(end, panel.plot - 4, panel.bottom, colour.ink, 2);
  if (end >= plan.left && end <= right + 1) flag(`makespan ${whole}`, end, flags, colour.ink, colour.window, null, taken);
  if (selected >= 0) drawSelected(panel, flags, taken, right);
  if (bound !== null && bound >= plan.left && bound <= right) flag(`lower bound ${durationText(run.bound)}`, bound, flags, colour.window, colour.second_text, colour.line, taken);
}
// Draw when the selected job runs, where its waves begin and until when its stages waited.
function drawSelected(panel, flags, taken, right) {
  const { run } = panel, first = sumsOf(run).first[selected], last = run.finish[selected]; if (!Number.isFinite(first) || last < 0) return;
  const a = Math.max(plan.left, X(first)), b = Math.min(right, X(last)), group = run.job.indexOf(selected), own = group < 0 ? 0 : toneOf(run, group)[MAP];
  for (const mark of marks[panel.index] || []) line(X(mark.time), panel.plot - 2, panel.bottom, mark.isBarrier ? colour.link : colour.second_text, 1, mark.isBarrier ? [6, 3] : [1, 3]);
  if (b <= a) return;
  pen.fillStyle = rgb(own); pen.fillRect(a, panel.plot - 4, b - a, 2.5);
  flag(`${cut(facts.jobs[selected], 160, 11.5, 500)} · ${durationText(seconds(last - first))}`, (a + b) / 2, flags, rgb(own), inkOn(own), null, taken);
  for (const mark of marks[panel.index] || []) if (mark.isBarrier && X(mark.time) >= plan.left && X(mark.time) <= right) flag(mark.text, X(mark.time), flags, colour.window, colour.link, colour.line, taken);
}
const sumsOf = run => run.sums ||= jobSums(run);

function drawAxis(ticks, playhead) {
  const y = plan.axis, right = plan.left + plan.width; let free = -99;
  pen.fillStyle = colour.line; pen.fillRect(plan.left, y, plan.width, 1);
  for (const time of ticks.at) {
    const x = Math.round(X(time)), text = clockText(time, ticks.step), width = textWidth(text, 11.5), from = Math.max(plan.left - 12, Math.min(right - width, x - width / 2));
    pen.fillRect(x, y, 1, 4); if (from > free) { write(text, from, y + 17, colour.second_text, 11.5); free = from + width + 10; }
  }
  drawOverview(right);
  if (playhead >= plan.left && playhead <= right) { for (const panel of plan.panels) line(playhead, panel.plot - 4, panel.bottom, colour.cursor, 2); flag(clockText(now, span * facts.tick < 120 ? .1 : 1), playhead, y + 3, colour.cursor, colour.on_cursor, null, []); }
}
// Draw how many slots the first chart uses over the whole run, and which part of it is in view.
function drawOverview(right) {
  const top = plan.height - OVERVIEW + 4, high = OVERVIEW - 6, run = plan.panels[0].run, parts = Math.max(40, Math.round(plan.width / 2));
  if (!run.use || run.use.length !== parts) run.use = usage(run, parts, span);
  pen.fillStyle = colour.lane; pen.beginPath(); pen.roundRect(plan.left, top, plan.width, high, 3); pen.fill();
  pen.fillStyle = colour.map_band; pen.beginPath(); pen.moveTo(plan.left, top + high);
  run.use.forEach((share, i) => pen.lineTo(plan.left + (i + .5) * plan.width / parts, top + high - Math.max(0, Math.min(1, share)) * (high - 2)));
  pen.lineTo(right, top + high); pen.fill();
  const a = plan.left + Math.max(0, view.t0) / span * plan.width, b = plan.left + Math.min(1, view.t1 / span) * plan.width;
  if (b - a < plan.width - 1) { pen.fillStyle = colour.window; pen.globalAlpha = .6; pen.fillRect(plan.left, top, a - plan.left, high); pen.fillRect(b, top, right - b, high); pen.globalAlpha = 1; pen.strokeStyle = colour.link; pen.lineWidth = 1.5; pen.strokeRect(a, top, Math.max(3, b - a), high); }
}
