// When slots are closed, or their node is away: hatched rows; and what happens to nodes: a bar upon their rows.

const CLOSED_DIM = 110, // opacity, of 255, of what dims a row, and of the hatching upon it
  CLOSED_HATCH = 70,
  HATCH_TILE = 8,
  MIN_HATCHED = 4, // pixels of a row from which hatching can be seen; lower ones are only dimmed
  EVENT_BAR = 2,
  EVENT_SIGN = 7,
  EVENT_REACH = 2.5, // pixels from a bar at which the pointer finds it
  MIN_SIGN_ROW = 7,
  MAX_EVENT_BARS = 20_000, // in view; of more none could be told from the next one
  FAILS = 0,
  RETURNS = 1,
  EVENT_WORDS = ["fails", "is back"];

// Dim and hatch rows while their slots are closed.
function drawClosed(panel) {
  const {
    closed
  } = panel.run, right = plan.left + plan.width, plain = new Path2D(), hatched = new Path2D();
  if (!closed) return;
  eachPlaceInView(panel, (place, first, stop) => {
    const {
      at
    } = place.band;
    for (let k = firstFrom(closed.row, at + first); k < closed.row.length && closed.row[k] < at + stop; k++) {
      const left = snapped(Math.max(plan.left, X(closed.begin[k]))),
        wide = snapped(Math.min(right, X(closed.end[k]))) - left;
      if (!(wide > 0)) continue;
      const [top, bottom] = rowSpan(panel, place, closed.row[k] - at);
      (bottom - top >= MIN_HATCHED ? hatched : plain).rect(left, top, wide, Math.max(bottom - top, 1));
    }
  });
  keepToPlot(panel);
  plain.addPath(hatched);
  pen.fillStyle = closedDim();
  pen.fill(plain);
  pen.fillStyle = closedHatch();
  pen.fill(hatched);
  pen.restore();
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
  events
}, veil) {
  const part = (columns, last, until) => columns && last(columns) > 0 && Object.fromEntries(Object.entries(columns).map(([
    name, column
  ]) => [name, until(name, column)])) || undefined;
  const isKnown = closed && Array.from(closed.begin, time => time < veil),
    count = events ? firstFrom(events.time, veil) : 0;
  return {
    closed: part(closed, () => isKnown.filter(each => each).length, (name, column) => {
      const kept = column.filter((_, k) => isKnown[k]);
      return name === "end" ? kept.map(time => time > veil ? Infinity : time) : kept;
    }),
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
  for (const [kind, text, tip] of [
      [FAILS, "node fails", "a node fails: what it runs is lost and runs again"],
      [RETURNS, "node is back", "a node that had failed takes tasks again"],
      [2, "node speed", "from then on a node runs tasks slower, or faster again"]
    ])
    if (kinds.has(kind)) signs.push([text, tip, to => drawEvent(to, 9, 0, 11, kind, true)]);
  return signs;
}
