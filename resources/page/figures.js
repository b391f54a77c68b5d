// What is worked out of the columns when it is asked for: waves, numbers of tasks, how many slots are in use.

// Return when the waves of a job begin, and when its stages became ready: [{ time, text, isBarrier }].
function jobMarks(run, job) {
  const waves = new Map(),
    marks = [];
  for (let row = 0; row + 1 < run.offsets.length; row++) {
    const seen = new Map(); // how many tasks of each group ran on this slot before
    for (let i = run.offsets[row]; i < run.offsets[row + 1]; i++) {
      const group = run.code[i] >> 1;
      if (run.job[group] !== job || group >= run.taskGroups) continue;
      const kind = run.hasGraphs ? group : group * 2 + (run.code[i] & 1),
        wave = seen.get(kind) || 0;
      seen.set(kind, wave + 1);
      if (!waves.has(kind)) waves.set(kind, []);
      (waves.get(kind)[wave] ||= []).push(run.start[i]);
    }
  }
  for (const starts of waves.values()) {
    let latest = 0;
    starts.forEach((times, wave) => {
      times.sort((a, b) => a - b);
      latest = Math.max(latest, times[times.length - 1 >> 1]);
      if (wave && starts.length <= 60) marks.push({
        time: latest,
        isBarrier: false
      });
    });
  }
  for (let group = 0; group < run.taskGroups; group++) {
    const time = run.ready[group];
    if (run.job[group] === job && Number.isFinite(time) && time > run.arrival[job]) marks.push({
      time,
      isBarrier: true,
      text: run.hasGraphs ? `${stageName(run, group)} ready` : "maps end"
    });
  }
  return marks;
}

// Return how long a run takes, in words; what a veil hides is a dash.
const makespanText = run => durationText(run.veil === undefined || run.veil === Infinity ? run.makespan : NaN);
// Return the same in a sentence.
const runWords = run => run.veil < Infinity ? `${run.title}: what comes after ${clockText(run.veil)} is hidden` :
  `${run.title} takes ${durationText(run.makespan)}` + (lateJobs(run).length ? `, ${plural(lateJobs(run).length, "job")} late` : "") + (failures(run) ? `, nodes fail ${failures(run) === 1 ? "once" : counted(failures(run)) + " times"}` : "");

const stageName = (run, group) => {
  const name = run.stages[Math.floor(group / run.classCount)] || "";
  return /^\d*$/.test(name) ? `Stage ${name}`.trim() : name;
};

// Return which of its stage's tasks a task is in the order of starts, of how many, and its wave on its slot.
function taskNumber(run, task, row) {
  const like = run.hasGraphs ? run.code[task] >> 1 << 1 : run.code[task],
    mask = run.hasGraphs ? ~1 : ~0;
  let number = 1,
    count = 0,
    wave = 1;
  for (let i = 0; i < run.code.length; i++) {
    if ((run.code[i] & mask) !== like) continue;
    count++;
    if (run.start[i] < run.start[task] || run.start[i] === run.start[task] && i < task) number++;
  }
  for (let i = run.offsets[row]; i < task; i++)
    if ((run.code[i] & mask) === like) wave++;
  return {
    number,
    count,
    wave
  };
}

// Return how many slots are in use in each of so many equal parts of a time, as shares of all slots.
function usage(run, parts, until) {
  const change = new Float64Array(parts + 2),
    scale = parts / until;
  const add = (x, by) => {
    const at = Math.min(parts, Math.floor(x));
    change[at] += by * (1 - (x - at));
    change[at + 1] += by * (x - at);
  };
  for (let i = 0; i < run.start.length; i++) {
    add(run.start[i] * scale, 1);
    add(run.end[i] * scale, -1);
  }
  let sum = 0;
  return Float64Array.from({
    length: parts
  }, (_, i) => (sum += change[i]) / Math.max(1, run.offsets.length - 1));
}
