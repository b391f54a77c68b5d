// The stages of jobs as boxes above the rows, joined to those that wait for them, and think times as gaps.

const BOX = 14, // pixels of a box at least, and in charts that are high
  TALL_BOX = 20,
  TALL_CHART = 800,
  ROW_GAP = 3,
  BAND_PAD = 4,
  BAND_GAP = 5,
  MAX_BAND_SHARE = .45,
  BANDS_AIR = 6, // below the bands
  BANDS_TOP = 26; // below the top of a chart: under its title
const MIN_BOX = 2,
  MIN_ROUND = 5,
  BOX_RADIUS = 3,
  BAND_RADIUS = 4,
  LINK_ALPHA = 84,
  REACH = 60,
  CLOSE = 14,
  MAX_LINKS = 3000,
  PATH_FRAME = 1.5,
  PATH_LINE = 2,
  LABEL_ROOM = 6,
  MIN_LETTERS = 3,
  DOT = 2,
  DOT_STEP = 5;

const hasStages = run => Boolean(run.stageBands && run.stageBands.bands);

// Return where the bands of stages lie in a chart of some height: how high they are, and a box.
function bandLayout(run, chartHeight) {
  if (!hasStages(run)) return {
    height: 0,
    box: BOX
  };
  const most = Math.floor(chartHeight * MAX_BAND_SHARE);
  for (const box of chartHeight >= TALL_CHART ? [TALL_BOX, BOX] : [BOX]) {
    const tops = bandTops(run, box),
      whole = tops.at(-1) - BAND_GAP;
    if (whole <= most || box === BOX) return {
      height: Math.min(whole, Math.max(most, 0)),
      whole,
      box,
      tops
    };
  }
}

// Return the first pixel of each band, and where another one would begin.
function bandTops(run, box) {
  const tops = [0];
  for (const band of run.stageBands.bands) tops.push(tops.at(-1) + band.rows * (box + ROW_GAP) - ROW_GAP + 2 * BAND_PAD +
    BAND_GAP);
  return tops;
}
const bandScroll = panel => Math.min(Math.max(0, panel.stages.whole - panel.stages.height), panel.run.bandScroll || 0);

// Return left, right and top of a box, in pixels of the chart.
function boxPlace(panel, at) {
  const own = panel.run.stageBands,
    left = X(own.start[at]);
  return {
    left,
    right: Math.max(X(own.end[at]), left + MIN_BOX),
    top: panel.bandsTop - bandScroll(panel) + panel.stages.tops[own.band[at]] + BAND_PAD + own.row[at] * (panel.stages.box +
      ROW_GAP)
  };
}

function drawStages(panel, playhead) {
  const {
    run,
    stages
  } = panel, top = panel.bandsTop;
  if (!stages.height) return;
  const own = run.stageBands,
    scroll = bandScroll(panel);
  pen.save();
  pen.beginPath();
  pen.rect(0, top, plan.whole, stages.height);
  pen.clip();
  own.bands.forEach((band, at) => {
    const from = top - scroll + stages.tops[at],
      to = top - scroll + stages.tops[at + 1] - BAND_GAP;
    if (to > top && from < top + stages.height) drawStageBand(panel, band, from, to);
  });
  pen.beginPath();
  pen.rect(plan.left, top, Math.max(0, Math.min(plan.width, playhead - plan.left)), stages.height);
  pen.clip();
  drawStageLinks(panel);
  drawThinks(panel);
  if (selected < 0) joinBoxes(panel);
  drawBoxes(panel);
  pen.restore();
}

// Draw the ground of a band, and beside it its name and its jobs.
function drawStageBand(panel, band, from, to) {
  const room = plan.left - 6,
    begin = Math.max(from + 1, panel.bandsTop),
    end = Math.min(to, panel.bandsTop + panel.stages.height);
  pen.fillStyle = colour.map_rows[0];
  pen.beginPath();
  pen.roundRect(plan.left, from, plan.width, to - from, BAND_RADIUS);
  pen.fill();
  if (begin + 14 > end) return;
  const name = [band.name, band.short].find(each => textWidth(each, 11, 600) <= room) || cut(band.name, room, 11, 400);
  write(name, room, begin + 11, colour.text, 11, "right", textWidth(name, 11, 600) <= room ? 600 : 400);
  if (end - begin < 29 || band.jobs.length < 2) return;
  const [first, last] = [band.jobs[0], band.jobs.at(-1)].map(job => facts.shortNames[job]),
    texts = [`${first} → ${last}`, `${first}→${last}`, `${band.jobs.length} jobs`];
  write(cut(texts.find(each => textWidth(each, 11) <= room) || texts[2], room, 11), room, begin + 25, colour.second_text,
    11, "right");
}

// Draw lines from stages to those that wait for them.
function drawStageLinks(panel) {
  const {
    links
  } = panel.run.stageBands, right = plan.left + plan.width, half = panel.stages.box / 2, seen = [];
  for (const [parent, child] of links) {
    const one = boxPlace(panel, parent),
      other = boxPlace(panel, child),
      low = Math.max(one.top, other.top),
      high = Math.min(one.top, other.top);
    if (one.right <= right && other.left >= plan.left && low + panel.stages.box > panel.bandsTop && high < panel.bandsTop +
      panel.stages.height) seen.push([one, other]);
  }
  if (seen.length > MAX_LINKS) return;
  pen.strokeStyle = translucent(colour.second_text, LINK_ALPHA);
  pen.lineWidth = 1;
  pen.beginPath();
  for (const [one, other] of seen) {
    const y = one.top + half,
      to = other.top + half,
      reach = Math.min(REACH, (other.left - one.right) / 2),
      x = Math.round(other.left) + .5;
    if (other.left - one.right < CLOSE) {
      pen.moveTo(x, y);
      pen.lineTo(x, to);
    } else {
      pen.moveTo(one.right, y);
      if (y === to) pen.lineTo(other.left, to);
      else pen.bezierCurveTo(one.right + reach, y, other.left - reach, to, other.left, to);
    }
  }
  pen.stroke();
}

// Draw the time in which a driver thinks as dots, with its length where there is room.
function drawThinks(panel) {
  for (const [band, begin, end, isOnPath] of panel.run.stageBands.thinks) {
    const left = X(begin) + 3,
      right = X(end) - 3,
      top = panel.bandsTop - bandScroll(panel) + panel.stages.tops[band] + BAND_PAD;
    if (right < plan.left || left > plan.left + plan.width) continue;
    const ink = isOnPath ? colour.text : colour.third_text,
      from = Math.max(Math.floor(left), plan.left),
      to = Math.min(right, plan.left + plan.width),
      middle = Math.round(top + panel.stages.box / 2) - DOT / 2;
    pen.fillStyle = ink;
    for (let x = from - from % DOT_STEP + DOT_STEP; x < to; x += DOT_STEP) pen.fillRect(x, middle, DOT, DOT);
    const text = `driver ${durationText(seconds(end - begin))}`,
      weight = isOnPath ? 600 : 400,
      wide = textWidth(text, 11, weight) + 8;
    if (wide + 16 > to - from) continue;
    pen.fillStyle = colour.map_rows[0];
    pen.fillRect((from + to - wide) / 2, top, wide, panel.stages.box);
    write(text, (from + to) / 2, top + panel.stages.box / 2 + 4, ink, 11, "center", weight);
  }
}

// Return the colour of a box: that of its stage or, of maps and reduces, of its job.
function toneOfBox(run, at) {
  const own = run.stageBands,
    group = run.hasGraphs ? own.stage[at] * run.classCount : run.groupOf[own.job[at]],
    tone = toneOf(run, group)[!run.hasGraphs && own.isSecond[at] ? REDUCE : MAP];
  return selected >= 0 && own.job[at] !== chosenIn(run) ? blend(tone, numberOf(colour.lane), FADED) : tone;
}

function drawBoxes(panel) {
  const {
    run
  } = panel, own = run.stageBands, box = panel.stages.box, right = plan.left + plan.width, onPath = new Set(selected < 0 ?
    own.path : []);
  toneOfJob(run, 0); // finds the groups of jobs
  own.stage.forEach((_, at) => {
    const place = boxPlace(panel, at);
    if (place.top + box <= panel.bandsTop || place.top >= panel.bandsTop + panel.stages.height || own.end[at] < view.t0 || own
      .start[at] > view.t1) return;
    const tone = toneOfBox(run, at),
      wide = place.right - place.left;
    pen.fillStyle = rgb(tone);
    if (wide < MIN_ROUND) {
      fillPixels(pen, rgb(tone), place.left, place.top, wide, box);
    } else {
      pen.beginPath();
      pen.roundRect(place.left, place.top, wide, box, BOX_RADIUS);
      pen.fill();
      const from = Math.max(place.left, plan.left),
        room = Math.min(place.right, right) - from,
        text = boxLabel(own.name[at], own.count[at], room - LABEL_ROOM);
      if (text) write(text, from + room / 2, place.top + box / 2 + 4, inkOn(tone), 11, "center");
    }
    if (!onPath.has(at)) return;
    pen.strokeStyle = colour.text;
    pen.lineWidth = PATH_FRAME;
    pen.beginPath();
    pen.roundRect(place.left + PATH_FRAME / 2, place.top + PATH_FRAME / 2, Math.max(0, wide - PATH_FRAME), box - PATH_FRAME,
      Math.min(BOX_RADIUS, wide / 2));
    pen.stroke();
  });
}

// Return what fits of "Stage 5 · 12", a stage and how many tasks it has; or nothing.
function boxLabel(name, count, room) {
  if (room < LABEL_ROOM) return "";
  const isNumber = /^\d+$/.test(name),
    found = [`${isNumber ? "Stage " : ""}${name} · ${count}`, `${name} · ${count}`, name].find(each => textWidth(each, 11) <=
      room) || "";
  if (found || isNumber) return found;
  const short = cut(name, room, 11);
  return short.length > MIN_LETTERS ? short : "";
}

// Draw the elbows between boxes of one job on the path to the end that follow one another.
function joinBoxes(panel) {
  const own = panel.run.stageBands,
    half = panel.stages.box / 2;
  pen.strokeStyle = colour.text;
  pen.lineWidth = PATH_LINE;
  pen.beginPath();
  own.path.slice(1).forEach((box, i) => {
    const before = own.path[i];
    if (own.job[before] !== own.job[box]) return;
    const one = boxPlace(panel, before),
      other = boxPlace(panel, box),
      high = one.top + half,
      low = other.top + half,
      x = Math.max(other.left, one.right);
    pen.moveTo(one.right, high);
    pen.lineTo(x, high);
    if (high !== low) pen.lineTo(x, low + (low < high ? half : -half));
  });
  pen.stroke();
}

// Return the box of a stage under a pixel: { panel, at }; null for none. Of several it is the one whose middle is nearest.
function boxAt(x, y) {
  const panel = plan.panels.find(each => each.stages.height && y >= each.bandsTop && y < each.bandsTop + each.stages.height);
  if (!panel || x < plan.left || x > plan.left + plan.width) return null;
  const own = panel.run.stageBands,
    time = T(x),
    slack = 2 / perTick();
  let best = null;
  own.stage.forEach((_, at) => {
    const {
      top
    } = boxPlace(panel, at);
    if (y < top || y >= top + panel.stages.box || own.start[at] - slack > time || own.end[at] + slack < time) return;
    const rank = [own.start[at] <= time && time <= own.end[at] ? 0 : 1, Math.abs((own.start[at] + own.end[at]) / 2 - time)];
    if (!best || rank[0] < best.rank[0] || rank[0] === best.rank[0] && rank[1] < best.rank[1]) best = {
      panel,
      at,
      rank
    };
  });
  return best;
}

// Return an instant with tenths only where the latest one beside it is below ten seconds, and they are not zero.
const shortClock = (time, latest) => seconds(latest) < 10 ? clockText(time, .1).replace(/\.0$/, "") : clockText(time);

// Show what is known of a stage on the card.
function showBox({
  panel,
  at
}, x, y) {
  const own = panel.run.stageBands,
    name = own.name[at],
    span = own.end[at] - own.start[at];
  canvas.style.cursor = "pointer";
  showCard(`${facts.jobs[own.job[at]]} · ${/^\d+$/.test(name) ? "stage " : ""}${name}`, rgb(toneOfBox(panel.run, at)), [
    ["tasks", String(own.count[at])],
    ["first start", shortClock(own.start[at], own.end[at])],
    ["last end", shortClock(own.end[at], own.end[at])],
    ["lasts", durationText(seconds(span))]
  ], own.path.includes(at) ? "on the path to the end" : "", x, y);
}

// Scroll the bands of a chart by some pixels, where they are higher than their area; return whether they are.
function scrollBands(y, by) {
  const panel = plan.panels.find(each => each.stages.height && y >= each.bandsTop && y < each.bandsTop + each.stages.height);
  if (!panel || panel.stages.whole <= panel.stages.height) return false;
  panel.run.bandScroll = Math.max(0, bandScroll(panel) + by);
  ask();
  return true;
}

// Return the entry of the legend, as `deadlineSigns` does.
const stageSigns = () => look.depths.length ? [
  ["first to last stage",
    "a task has the hue of its job, and the tint of its stage: by how many stages it waits for in turn", to => look.depths
    .forEach((tint, at) => {
      to.fillStyle = rgb(tint);
      to.fillRect(at * 18 / look.depths.length, 0, 18 / look.depths.length, 11);
    })
  ]
] : [];
