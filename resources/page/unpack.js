// From the facts and the packed columns of the file to arrays of tasks.
// A column is planes of bytes: the lowest byte of each value, then the second byte of each, and so on.

const element = id => document.getElementById(id);
let facts = JSON.parse(element("facts").textContent); // of a lesson, later those of the step
const MAP = 0,
  WAIT = 1,
  SHUFFLE = 2,
  REDUCE = 3,
  EDGE = 4,
  HATCH = 5; // tones of a group

// Return the bytes of base64.
function bytesOf(base64) {
  const text = atob(base64),
    bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// Return bytes inflated.
async function inflated(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Return a function that reads the next column: [name, count, bytes of each value, least value].
function columnReader(bytes) {
  let at = 0;
  return ([, count, width, least]) => {
    const wide = width > 4 || least < 0,
      values = wide ? new Float64Array(count) : new Uint32Array(count);
    for (let plane = 0, unit = 1; plane < width; plane++, unit *= 256, at += count)
      for (let i = 0; i < count; i++) values[i] += bytes[at + i] * unit;
    if (least)
      for (let i = 0; i < count; i++) values[i] += least;
    return values;
  };
}

// Return the bits of bytes, the lowest first, as zeros and ones.
const bitsOf = (bytes, count) => Uint8Array.from({
  length: count
}, (_, i) => bytes[i >> 3] >> (i & 7) & 1);

// Return a run: its facts and columns. Tasks stand row by row; times are ticks.
function unpackedRun(run, read, tick) {
  const column = {};
  for (const layout of run.columns) column[layout[0]] = read(layout);
  const count = column.code.length,
    rows = column.rows.length;
  const offsets = new Int32Array(rows + 1),
    start = new Uint32Array(count),
    end = new Uint32Array(count),
    body = new Uint32Array(count);
  const shortest = new Float64Array(rows).fill(Infinity);
  for (let row = 0, i = 0, reduce = 0; row < rows; row++) {
    offsets[row + 1] = offsets[row] + column.rows[row];
    for (let time = 0; i < offsets[row + 1]; i++) {
      const length = column.length[i];
      start[i] = time += column.gap[i];
      end[i] = time += length;
      body[i] = start[i] + (column.code[i] & 1 ? column.shuffle[reduce++] : 0);
      if (length > 0 && length < shortest[row]) shortest[row] = length;
    }
  }
  let first = 0;
  const bands = run.bands.map(band => {
    const own = {
      ...band,
      at: first
    };
    first += band.rows;
    return own;
  });
  const never = time => time < 0 ? Infinity : time,
    stretches = name => column[`${name}Row`] && {
      row: column[`${name}Row`],
      begin: column[`${name}Begin`],
      end: Float64Array.from(column[`${name}End`], never)
    },
    ready = Float64Array.from(column.groupReady, never);
  return {
    ...run,
    bands,
    offsets,
    start,
    end,
    body,
    shortest,
    ready,
    code: column.code,
    job: column.groupJob,
    tone: column.groupTone,
    arrival: column.arrival,
    finish: column.finish,
    closed: stretches("closed"),
    late: stretches("late"), // in which the ends of tasks were not reported
    events: column.eventTime && {
      time: column.eventTime,
      node: column.eventNode,
      kind: column.eventKind, // its place in `HAPPENINGS`
      speed: column.eventSpeed, // millionths
      back: column.eventBack, // when a node that fails returns, -1 for never and for not known
      lost: column.eventLost
    },
    nodeOf: column.nodeOf, // of each row
    jobClass: Int32Array.from(column.jobClass), // of each job, its place in the legend, -1 for none
    deadline: column.deadline, // of each job, -1 for none
    attemptNotes: column.attemptNotes, // of each attempt that is no task, in the order of the rows
    remoteRead: column.remoteRead, // of each job: what a read from another node adds to a map
    remote: column.remote && bitsOf(column.remote, count),
    ends: (run.axisEnd ?? run.makespan) / tick,
    veil: run.veil === undefined ? Infinity : Math.round(run.veil / tick), // what starts later is not known
    path: Array.from(column.pathTask, (task, i) => ({
      task,
      begin: column.pathBegin[i],
      end: column.pathEnd[i],
      cause: column.pathCause[i]
    }))
  };
}

// Return all runs of some facts, with their packed columns in base64.
async function unpackedRuns(own, base64) {
  const read = columnReader(await inflated(bytesOf(base64)));
  return own.runs.map(run => unpackedRun(run, read, own.tick));
}

// Return of each job when its first task starts, how many tasks of either kind it has, and its slot time.
function jobSums(run) {
  const jobs = facts.jobs.length,
    first = new Float64Array(jobs).fill(Infinity),
    maps = new Uint32Array(jobs),
    reduces = new Uint32Array(jobs),
    held = new Float64Array(jobs);
  for (let i = 0; i < run.code.length; i++) {
    const group = run.code[i] >> 1,
      job = run.job[group];
    if (job < 0 || group >= run.taskGroups) continue; // an attempt that is no task
    if (run.start[i] < first[job]) first[job] = run.start[i];
    if (run.code[i] & 1) reduces[job]++;
    else maps[job]++;
    held[job] += run.end[i] - run.start[i];
  }
  return {
    first,
    maps,
    reduces,
    held
  };
}
