// What is known of a task, on a card at the pointer.

// Return what is known of a task, as pairs of words.
function taskFacts(run, place, task) {
  const group = run.code[task] >> 1,
    reduce = run.code[task] & 1,
    job = run.job[group],
    row = place.row ?? place.at,
    at = place.place.band.at + row,
    own = [],
    host = run.hosts[run.hostOf[at]];
  const slot = rowLabel(run, place.place.band, row),
    runsFor = durationText(seconds(run.end[task] - run.start[task])),
    fine = seconds(run.end[task] - run.start[task]) < 10 ? .1 : 1;
  if (group >= run.taskGroups) own.push(["Attempt", facts.looks[Math.floor((group - run.taskGroups) / run
    .attemptJobs)]]);
  else {
    const {
      number,
      count,
      wave
    } = taskNumber(run, task, at), kind = run.hasGraphs ? stageName(run, group) || "task" : reduce ? "reduce" : "map";
    own.push(["Task", run.veil < Infinity ? `${kind} ${counted(number)}` : run.isRecord ? `${kind}, one of ${counted(count)}` :
      `${kind} ${counted(number)} of ${counted(count)}`
    ], ["Wave", String(wave)]);
  }
  own.push(["Slot", host ? `${slot} on ${host}` : slot]);
  if (run.end[task] > run.veil) return [...own, ["Starts", clockText(run.start[task], .1)]]; // the rest is hidden
  own.push(["Runs",
    `${clockText(run.start[task], fine)} – ${clockText(run.end[task], fine)}`
  ], ["Takes", runsFor]);
  if (reportedLater(run, at, task)) own.push(["Reported", `${durationText(seconds(reportedLater(run, at, task)))} later`]);
  if (readsFor(run, task)) own.push(["Remote read", durationText(seconds(readsFor(run, task)))]);
  if (reduce && run.body[task] > run.start[task]) {
    const hidden = Math.max(0, Math.min(run.ready[group], run.body[task]) - run.start[task]);
    own.push(["Shuffle", durationText(seconds(run.body[task] - run.start[task]))]);
    if (hidden > 0) own.push(["of it hidden", durationText(seconds(hidden))]);
  }
  if (place.place.band.own < 2 && reduce !== place.place.band.own && group < run.taskGroups) own.push(["On",
    "a borrowed slot"
  ]);
  if (job >= 0 && run.finish[job] >= 0) own.push(["Job ends", clockText(run.finish[job])]);
  if (job >= 0 && deadlineWords(run, job)) own.push(["Deadline", deadlineWords(run, job)]);
  return own;
}

// Show what lies under a pixel: what happens to a node, a task, or rows that are folded; nothing for null.
function show(found, x, y) {
  const task = found && found.task >= 0 && found.run.start[found.task] <= now && x < X(found.run.veil) ? found.task : -1;
  canvas.style.cursor = task >= 0 ? "pointer" : "";
  card.hidden = true;
  if (!found) return;
  const {
    run,
    place
  } = found, group = run.code[task] >> 1, job = run.job[group];
  if (found.event >= 0) showEvent(run, found.event, x, y);
  else if (place.isFolded && x < X(run.veil)) showCard(foldedTitle(place.band), place.band.isReduce ? colour.reduce_band : colour
    .map_band, foldedFacts(run, place.band, T(x)), "click the label to see its rows", x, y);
  else if (task >= 0) showCard(job < 0 ? "no job" : facts.jobs[job], rgb(toneOf(run, group)[run.code[task] & 1 ? REDUCE :
    MAP]), taskFacts(run, found, task), attemptNote(run, task), x, y);
}

// Show the card at a pixel: a title with a dot, pairs of words, and a last line.
function showCard(title, css, pairs, remark, x, y) {
  const list = document.createElement("dl"),
    note = document.createElement("p");
  for (const [what, text] of pairs) {
    const dt = document.createElement("dt"),
      dd = document.createElement("dd");
    dt.textContent = what;
    dd.textContent = text;
    list.append(dt, dd);
  }
  note.textContent = remark;
  note.hidden = !remark;
  fillCard(card, css, title, [list, note]);
  placeCard(card, x, y, plan.whole, plan.height);
}

// Fill a card: the colour of what it is about, or none, its name, and elements below.
function fillCard(own, css, name, inside) {
  const head = document.createElement("h2"),
    dot = document.createElement("i");
  dot.style.background = css;
  head.append(...css ? [dot] : [], name);
  own.replaceChildren(head, ...inside);
  own.hidden = false;
}

// Put a card beside a point, as far as the room goes: right of it and below, or on its other side.
function placeCard(own, x, y, width, height) {
  const wide = own.offsetWidth,
    high = own.offsetHeight;
  own.style.transform =
    `translate(${Math.round(x + 16 + wide > width ? Math.max(0, x - wide - 14) : x + 16)}px, ${Math.round(Math.max(0, y + 18 + high > height ? y - high - 12 : y + 18))}px)`;
}
