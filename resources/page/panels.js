// What lies over and around the rows of one chart: names, closed slots, attempts.

// Draw what lies over and around the rows of one chart.
function drawPanel(panel, ticks, playhead) {
  const {
    run,
    rows
  } = panel, right = plan.left + plan.width;
  pen.save();
  pen.beginPath();
  pen.rect(0, panel.top, plan.whole, panel.bottom - panel.top + 1);
  pen.clip();
  drawClosed(panel);
  drawAttempts(panel);
  drawLateReports(panel);
  drawRemoteReads(panel);
  drawNodeEvents(panel);
  drawLateParts(panel);
  for (const place of rows.places) {
    const top = panel.plot + place.first,
      high = place.last - place.first;
    if (high <= 0) continue;
    if (playhead < right) {
      pen.fillStyle = colour.lane;
      const from = Math.max(plan.left, playhead);
      pen.fillRect(from, top, right - from, high);
    }
    pen.fillStyle = colour.crosshair;
    pen.globalAlpha = .14;
    for (const time of ticks.at) pen.fillRect(Math.round(X(time)), top, 1, high);
    pen.globalAlpha = 1;
    drawBandName(panel, place, top, high);
    if (place.isFolded) continue;
    if (showsPath && run.path.length) continue;
    if (rows.rowHeight >= 12) drawTaskNames(panel, place, playhead);
    else drawJobNames(panel, place, top, high, playhead);
  }
  drawMostInUse(panel);
  if (showsPath) drawPath(panel, playhead);
  if (cursor && cursor.run === run) drawCursor(panel);
  if (run.veil < Infinity) drawVeil(panel);
  pen.restore();
  drawStages(panel, playhead);
  drawDeadlines(panel);
  drawHead(panel, right);
}

function drawBandName(panel, place, top, high) {
  const {
    run,
    rows
  } = panel, {
    band
  } = place, h = rows.rowHeight, back = band.isReduce ? colour.reduce_band : colour.map_band;
  pen.fillStyle = back;
  pen.beginPath();
  pen.roundRect(0, top, BAND_WIDTH, high, 4);
  pen.fill();
  if (place.isFolded) {
    drawFoldSign(BAND_WIDTH / 2, top + high / 2, true);
    drawFoldedName(band, top, high);
    if (band.isGroup) drawGroupUpon(band, top);
    return;
  }
  const signRoom = high >= SIGN_ROOM ? 14 : 0;
  if (signRoom) drawFoldSign(BAND_WIDTH / 2, top + 7, false);
  pen.save();
  pen.translate(BAND_WIDTH / 2 + 3.5, top + high / 2);
  pen.rotate(-Math.PI / 2);
  const name = band.isGroup ? band.name.split(" of ")[0] : band.name,
    long = `${name} · ${counted(band.rows)}`;
  write([long, name, name[0]].find(each => textWidth(each, 10, 600) < high - 6 - signRoom) || "", 0, 0, colour.on_band, 10,
    "center", 600);
  pen.restore();
  if (rows.hasNames && !continues(run.bands, place.index)) write(cut(groupName(band), plan.width, 11.5, 600), plan.left,
    top - rows.gap + 12, colour.second_text, 11.5, "left", 600);
  const step = [1, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find(each => each * h >= (each === 1 ? 12 : 18)) ||
    10000;
  for (let row = Math.max(0, Math.floor((place.first - place.top) / h)); row < band.rows; row++) {
    if (row && (band.first + row) % step) continue;
    const y = panel.plot + place.top + (row + .5) * h;
    if (y > top + high) break;
    if (y >= top && (!row || y > panel.plot + place.top + 15)) write(rowLabel(run, band, row), plan.left - 7, Math
      .max(top + 9, Math.min(top + high - 1, y + 4)), colour.third_text, 11, "right");
  }
}
const toneOf = (run, group) => tonesOf(run.tone[group]);

// Return the colour of a job: that of its first group.
function toneOfJob(run, job) {
  if (!run.groupOf) {
    run.groupOf = new Int32Array(facts.jobs.length).fill(-1);
    for (let group = run.taskGroups - 1; group >= 0; group--) run.groupOf[run.job[group]] = group;
  }
  return toneOf(run, Math.max(0, run.groupOf[job]))[MAP];
}

// Write upon tasks in tall rows which job they are of and, where there is room, how long they take.
function drawTaskNames(panel, place, playhead) {
  const {
    run,
    rows
  } = panel, chosen = chosenIn(run), h = rows.rowHeight, size = Math.min(12, h - 2), right = Math.min(plan.left + plan.width, playhead);
  let drawn = 0;
  for (let row = Math.max(0, Math.floor(-place.top / h)); row < place.band.rows && drawn < MAX_LABELS; row++) {
    const y = panel.plot + place.top + row * h,
      at = place.band.at + row;
    if (y > panel.bottom) break;
    for (let i = firstEndingAfter(run, at, view.t0); i < run.offsets[at + 1] && run.start[i] < view.t1; i++) {
      const group = run.code[i] >> 1,
        job = run.job[group],
        from = Math.max(plan.left, X(run.code[i] & 1 ? run.body[i] : run.start[i])),
        room = Math.min(right, X(run.end[i])) - from - 9;
      if (room < 8 || group >= run.taskGroups || job < 0 || chosen >= 0 && job !== chosen) continue;
      const name = facts.shortNames[job],
        long = run.end[i] > run.veil ? name : `${name} · ${durationText(seconds(run.end[i] - run.start[i]))}`,
        text = textWidth(long, size) <= room ? long : room > 34 ? cut(name, room, size) : textWidth(name, size) <=
        room ? name : "";
      if (text) {
        write(text, from + 5, y + h / 2 + size * .33, inkOn(toneOf(run, group)[run.code[i] & 1 ? REDUCE : MAP]),
        size);
        drawn++;
      }
    }
  }
}
// Write the name of a job where it fills most of the rows.
function drawJobNames(panel, place, top, high, playhead) {
  const {
    run,
    rows
  } = panel, chosen = chosenIn(run), kind = place.band.isReduce ? 1 : 0, right = Math.min(plan.left + plan.width, playhead);
  if (facts.jobs.length > 60 && chosen < 0 || high < 26) return;
  const sums = centres(run, place.band),
    busy = [],
    size = Math.min(14, Math.max(11, high / 7));
  for (const [job, {
      held,
      middle,
      group,
      first,
      last
    }] of sums) {
    if (chosen >= 0 && job !== chosen || held < .72 * (last - first) * place.band.rows) continue;
    const x = X(middle),
      wide = held / place.band.rows * plan.width / (view.t1 - view.t0),
      width = textWidth(facts.shortNames[job], size, 600);
    if (wide < width + 8 && !(job === chosen && wide > 12) || x - width / 2 < plan.left || x + width / 2 > right ||
      busy.some(([a, b]) => x - width / 2 < b + 4 && x + width / 2 > a - 4)) continue;
    busy.push([x - width / 2, x + width / 2]);
    const own = toneOf(run, group)[kind ? REDUCE : MAP],
      y = top + high / 2 + size * .36;
    pen.font = font(size, 600);
    pen.textAlign = "center";
    pen.lineWidth = 3;
    pen.lineJoin = "round";
    pen.strokeStyle = rgb(own);
    pen.strokeText(facts.shortNames[job], x, y);
    write(facts.shortNames[job], x, y, inkOn(own), size, "center", 600);
  }
}
// Return how long each job holds slots of a band, and around when; computed once.
function centres(run, band) {
  band.centres ||= new Map();
  if (band.centres.size || band.isSummed) return band.centres;
  band.isSummed = true;
  for (let i = run.offsets[band.at]; i < run.offsets[band.at + band.rows]; i++) {
    const group = run.code[i] >> 1,
      job = run.job[group],
      held = run.end[i] - run.start[i];
    if (job < 0 || group >= run.taskGroups) continue;
    const own = band.centres.get(job) || {
      held: 0,
      middle: 0,
      group,
      first: Infinity,
      last: 0
    };
    band.centres.set(job, own);
    own.first = Math.min(own.first, run.start[i]);
    own.last = Math.max(own.last, run.end[i]);
    own.middle += held * (run.start[i] + held / 2);
    own.held += held;
  }
  for (const [job, own] of band.centres)
    if (own.held) own.middle /= own.held;
    else band.centres.delete(job);
  return band.centres;
}
// Return where a task lies: left, top, width and height in pixels; null where its row is not in view.
function placeOf(panel, task) {
  let low = 0,
    high = panel.run.offsets.length - 1;
  while (low < high - 1) {
    const middle = low + high >> 1;
    if (panel.run.offsets[middle] <= task) low = middle;
    else high = middle;
  }
  const place = panel.rows.places.find(({
    band
  }) => low >= band.at && low < band.at + band.rows);
  if (!place || place.isFolded) return null;
  const h = panel.rows.rowHeight,
    y = panel.plot + place.top + (low - place.band.at) * h,
    x = X(panel.run.start[task]);
  if (y + h < panel.plot || y > panel.bottom) return null;
  return {
    x,
    y,
    width: X(panel.run.end[task]) - x,
    height: Math.max(2, h - (h >= 6.5 ? 2 : 0)),
    row: low,
    place
  };
}
