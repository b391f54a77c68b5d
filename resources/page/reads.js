// What reading from another node added to a map: the end of its bar is lighter, with level lines.

const READ_WASH = 120,
  READ_LINE = 150,
  READ_APART = 4,
  MAX_READS_LOOKED_AT = 200_000,
  MAX_READS = 2000, // in view; of more none could be told from the next one
  MIN_READ_WIDTH = 5; // pixels of a map that has room for it

// Return the maps that read longer for being on another node.
function remoteTasks(run) {
  if (!run.remoteOnes) {
    const found = [];
    if (run.remote) run.remote.forEach((isRemote, task) => {
      if (isRemote && run.end[task] <= run.veil) found.push(task);
    });
    run.remoteOnes = Int32Array.from(found);
  }
  return run.remoteOnes;
}
const readsFor = (run, task) => run.remote && run.remote[task] ? run.remoteRead[run.job[run.code[task] >> 1]] : 0;

// Return the remote reads of a chart that are in view: place, row, task.
function readsInView(panel) {
  const {
    run
  } = panel, chosen = chosenIn(run), found = [];
  let lookedAt = 0;
  eachInRows(panel, remoteTasks(run), (place, row, task) => {
    lookedAt++;
    if (run.end[task] < view.t0 || run.start[task] >= view.t1 || (run.end[task] - run.start[task]) * perTick() <
      MIN_READ_WIDTH || chosen >= 0 && run.job[run.code[task] >> 1] !== chosen) return;
    if (found.length <= MAX_READS) found.push([place, row, task]);
  });
  return lookedAt > MAX_READS_LOOKED_AT || found.length > MAX_READS ? [] : found;
}

function drawRemoteReads(panel) {
  const {
    run
  } = panel, found = readsInView(panel);
  if (!found.length) return;
  keepToPlot(panel);
  for (const [place, row, task] of found) {
    const [top, bottom] = rowSpan(panel, place, row), end = X(run.end[task]), begin = X(run.end[task] - readsFor(run,
      task)), left = snapped(begin), right = snapped(begin + Math.max(end - begin - 1, 1));
    drawRead(pen, left, top, right - left, bottom - top - (bottom - top > 3 ? 1 : 0));
  }
  pen.restore();
}

function drawRead(to, left, top, wide, high) {
  to.fillStyle = translucent(colour.window, READ_WASH);
  to.fillRect(left, top, wide, high);
  to.fillStyle = translucent(colour.text, READ_LINE);
  for (let y = READ_APART - 1; y < high; y += READ_APART) to.fillRect(left, top + y, wide, 1);
}

// Return the entry of the legend, as `deadlineSigns` does.
function readSigns() {
  if (!runs.some(run => remoteTasks(run).length)) return [];
  return [
    ["remote read", "what reading its input from another node added to a map", to => {
      to.fillStyle = rgb(tonesOf(runs[0].tone[0])[MAP]);
      to.fillRect(0, 0, 18, 11);
      drawRead(to, 9, 0, 9, 11);
    }]
  ];
}
