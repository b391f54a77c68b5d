// Hatched stretches of rows: slots that are closed, or whose node is away, and ends that are reported late; and what
// happens to nodes: a bar upon their rows.

const CLOSED_DIM = 110, // opacity, of 255, of what dims a row, and of the hatching upon it
  CLOSED_HATCH = 70,
  HATCH_TILE = 8,
  LATE_HATCH = 200, // opacity, of 255, of the hatching of ends that are reported late
  LATE_PART = 3, // it takes the lowest part of a row, one of so many: the next task is above
  MIN_LATE = 4, // pixels of a stretch from which it can be seen
  MIN_HATCHED = 4, // pixels of a row from which hatching can be seen; lower ones are only dimmed
  EVENT_BAR = 2,
  EVENT_SIGN = 7,
  EVENT_REACH = 2.5, // pixels from a bar at which the pointer finds it
  MIN_SIGN_ROW = 7,
  MAX_EVENT_BARS = 20_000, // in view; of more none could be told from the next one
  FAILS = 0,
  RETURNS = 1,
  EVENT_WORDS = ["fails", "is back"];

// Go through stretches of time of rows in view: left, width, top and bottom of each, in pixels, and its place.
function eachStretch(panel, stretches, draw) {
  const right = plan.left + plan.width;
  eachPlaceInView(panel, (place, first, stop) => {
    const {
      at
    } = place.band;
    for (let k = firstFrom(stretches.row, at + first); k < stretches.row.length && stretches.row[k] < at + stop; k++) {
      const left = snapped(Math.max(plan.left, X(stretches.begin[k]))),
        wide = snapped(Math.min(right, X(stretches.end[k]))) - left;
      if (wide > 0) draw(left, wide, ...rowSpan(panel, place, stretches.row[k] - at), k);
    }
  });
}

// Dim and hatch rows while their slots are closed.
function drawClosed(panel) {
  const {
    closed
  } = panel.run, plain = new Path2D(), hatched = new Path2D();
  if (!closed) return;
  eachStretch(panel, closed, (left, wide, top, bottom) =>
    (bottom - top >= MIN_HATCHED ? hatched : plain).rect(left, top, wide, Math.max(bottom - top, 1)));
  keepToPlot(panel);
  plain.addPath(hatched);
  pen.fillStyle = closedDim();
  pen.fill(plain);
  pen.fillStyle = closedHatch();
  pen.fill(hatched);
  pen.restore();
}

// Hatch the foot of rows where the end of a task was not reported that the next one had followed; seen from near.
function drawLateReports(panel) {
  const {
    late
  } = panel.run, seen = new Path2D();
  if (!late) return;
  eachStretch(panel, late, (left, wide, top, bottom, k) => {
    const high = Math.max(Math.floor((bottom - top) / LATE_PART), 1);
    if (X(late.end[k]) - X(late.begin[k]) >= MIN_LATE) seen.rect(left, bottom - high, wide, high);
  });
  keepToPlot(panel);
  pen.fillStyle = colour.surface;
  pen.fill(seen);
  pen.fillStyle = patternOf(HATCH_TILE, HATCH_TILE, 0, 0, to => lateHatch(to, 0, 0, HATCH_TILE, HATCH_TILE));
  pen.fill(seen);
  pen.restore();
}

// Hatch a box.
function lateHatch(to, left, top, width, height) {
  to.fillStyle = translucent(colour.second_text, LATE_HATCH);
  for (let y = top; y < top + height; y++)
    for (let x = left + (y - left % HATCH_TILE + HATCH_TILE) % HATCH_TILE; x < left + width; x += HATCH_TILE) to.fillRect(x, y, 1, 1);
}

// Return by how much the end of a task of a row was reported late, in ticks.
function reportedLater(run, row, task) {
  if (!run.late) return 0;
  for (let k = firstFrom(run.late.row, row); k < run.late.row.length && run.late.row[k] === row; k++)
    if (run.late.begin[k] === run.end[task]) return run.late.end[k] - run.late.begin[k];
  return 0;
}

const closedDim = () => translucent(colour.window, CLOSED_DIM),
  closedHatch = () => patternOf(HATCH_TILE, HATCH_TILE, 0, 0, to => {
    to.fillStyle = translucent(colour.second_text, CLOSED_HATCH);
    for (let y = 0; y < HATCH_TILE; y++) to.fillRect(HATCH_TILE - 1 - y, y, 1, 1);
  });

// Return the rows of each node, ascending.
function rowsOfNodes(run) {
  if (!run.rowsOfNodes) {
    run.rowsOfNodes = new Map();
    run.nodeOf.forEach((node, row) => {
      if (!run.rowsOfNodes.has(node)) run.rowsOfNodes.set(node, []);
      run.rowsOfNodes.get(node).push(row);
    });
  }
  return run.rowsOfNodes;
}

// Return the bars of what happens in view: event, row, top and bottom; whether the row above has the same.
function eventBars(panel) {
  const {
    run
  } = panel, {
    time,
    node
  } = run.events, found = [], from = firstFrom(time, view.t0);
  eachPlaceInView(panel, (place, first, stop) => {
    const {
      at
    } = place.band;
    for (let event = from; event < time.length && time[event] <= view.t1 && found.length <= MAX_EVENT_BARS; event++) {
      const own = rowsOfNodes(run).get(node[event]) || [];
      for (let k = firstFrom(own, at + first), before = -1; k < own.length && own[k] < at + stop; before = own[k++]) {
        const [top, bottom] = rowSpan(panel, place, own[k] - at);
        found.push({
          event,
          top,
          bottom,
          goesOn: before === own[k] - 1
        });
      }
    }
  });
  return found.length > MAX_EVENT_BARS ? [] : found;
}

// Draw a bar for each event upon the rows of its node; its sign is filled for a failure, else hollow.
function drawNodeEvents(panel) {
  const {
    events
  } = panel.run, bars = events ? eventBars(panel) : [];
  if (!bars.length) return;
  keepToPlot(panel);
  for (const {
      event,
      top,
      bottom,
      goesOn
    } of bars) drawEvent(pen, snapped(X(events.time[event])), top, bottom, events.kind[event], !goesOn && bottom - top >=
    MIN_SIGN_ROW);
  pen.restore();
}

// Draw a bar, and at its head a triangle that points down for a failure, up for a return; else a diamond.
function drawEvent(to, x, top, bottom, kind, hasSign) {
  const half = EVENT_SIGN / 2,
    head = top + 1,
    foot = head + EVENT_SIGN,
    ink = eventInk(kind);
  to.fillStyle = ink;
  to.fillRect(x - EVENT_BAR / 2, top, EVENT_BAR, Math.max(bottom - top, 1));
  if (!hasSign) return;
  const corners = kind === FAILS ? [
    [x - half, head],
    [x + half, head],
    [x, foot]
  ] : kind === RETURNS ? [
    [x - half, foot],
    [x + half, foot],
    [x, head]
  ] : [
    [x, head],
    [x + half, head + half],
    [x, foot],
    [x - half, head + half]
  ];
  to.beginPath();
  for (const [across, down] of corners) to.lineTo(across, down);
  to.closePath();
  to.fillStyle = kind === FAILS ? ink : colour.window;
  to.fill();
  to.strokeStyle = ink;
  to.lineWidth = 1;
  to.stroke();
}

const failures = run => run.events ? run.events.kind.filter(kind => kind === FAILS).length : 0,
  eventInk = kind => kind === FAILS ? colour.worse : colour.text;

// Return what happens to the node of a row at a pixel, as far as it is played: the nearest event, or -1.
function eventAt(run, row, x) {
  if (!run.events) return -1;
  const {
    time,
    node
  } = run.events, last = Math.min(T(x + EVENT_REACH), now);
  let best = -1;
  for (let event = firstFrom(time, T(x - EVENT_REACH)); event < time.length && time[event] <= last; event++)
    if (node[event] === run.nodeOf[row] && (best < 0 || Math.abs(X(time[event]) - x) < Math.abs(X(time[best]) - x)))
      best = event;
  return best;
}

// Show what happens to a node on the card, when, until when, and what is lost.
function showEvent(run, event, x, y) {
  const {
    time,
    node,
    kind,
    speed,
    back,
    lost
  } = run.events, own = kind[event], fails = own === FAILS, words = EVENT_WORDS[own] ||
    `runs at ${+(speed[event] / 1e6).toPrecision(4)} of its speed`, lines = [["at", clockText(time[event])]];
  if (fails && (back[event] >= 0 || run.veil === Infinity)) lines.push(["back", back[event] < 0 ? "never" : clockText(back[
    event])]);
  if (fails) lines.push(["lost", plural(lost[event], "task")]);
  showCard(`Node N${node[event] + 1} ${words}`, eventInk(own), lines, fails && lost[event] ?
    "What it ran is lost and runs again." : "", x, y);
}

// Return the part of what is known of slots and nodes at a time, in ticks.
function nodesUntil({
  closed,
  late,
  events
}, veil) {
  const part = (columns, last, until) => columns && last(columns) > 0 && Object.fromEntries(Object.entries(columns).map(([
    name, column
  ]) => [name, until(name, column)])) || undefined;
  const count = events ? firstFrom(events.time, veil) : 0,
    stretches = columns => {
      const isKnown = columns && Array.from(columns.begin, time => time < veil);
      return part(columns, () => isKnown.filter(each => each).length, (name, column) => {
        const kept = column.filter((_, k) => isKnown[k]);
        return name === "end" ? kept.map(time => time > veil ? Infinity : time) : kept;
      });
    };
  return {
    closed: stretches(closed),
    late: stretches(late),
    events: part(events, () => count, (name, column) => {
      const kept = column.slice(0, count);
      return name === "back" ? Float64Array.from(kept, time => time > veil ? -1 : time) : kept;
    })
  };
}

// Return the entries of the legend, as `deadlineSigns` does.
function nodeSigns() {
  const signs = [],
    kinds = new Set(runs.flatMap(run => run.events ? Array.from(run.events.kind) : [])),
    hatch = to => {
      to.fillStyle = colour.map_rows[0];
      to.fillRect(0, 0, 18, 11);
      to.fillStyle = closedDim();
      to.fillRect(0, 0, 18, 11);
      to.fillStyle = translucent(colour.second_text, CLOSED_HATCH);
      for (let y = 0; y < 11; y++)
        for (let x = (15 - y) % HATCH_TILE; x < 18; x += HATCH_TILE) to.fillRect(x, y, 1, 1);
    };
  if (runs.some(run => run.closed && !run.events)) signs.push(["closed slot",
    "the slot is not there: it opens later, or has closed", hatch
  ]);
  if (runs.some(run => run.closed && run.events)) signs.push(["node away",
    "the slot is not there: its node has failed", hatch
  ]);
  if (runs.some(run => run.late)) signs.push(["reported late",
    "the log reports the end of a task only after its slot had the next one; seen from near", to => {
      to.fillStyle = rgb(tonesOf(runs[0].tone[0])[MAP]);
      to.fillRect(0, 0, 18, 11);
      to.fillStyle = colour.surface;
      to.fillRect(0, 8, 18, 3);
      lateHatch(to, 0, 8, 18, 3);
    }
  ]);
  for (const [kind, text, tip] of [
      [FAILS, "node fails", "a node fails: what it runs is lost and runs again"],
      [RETURNS, "node is back", "a node that had failed takes tasks again"],
      [2, "node speed", "from then on a node runs tasks slower, or faster again"]
    ])
    if (kinds.has(kind)) signs.push([text, tip, to => drawEvent(to, 9, 0, 11, kind, true)]);
  return signs;
}
