// The steps of the lesson in this file, what a reader did in each, and its charts as far as they are shown.
// What comes after a veil, and what is known of answers, is sealed: not to be read at a glance, and no secret.

const lesson = facts,
  progress = lesson.steps.map(() => ({
    tries: 0,
    misses: 0,
    isRight: false, // once answered rightly
    verdict: null, // the one that is shown
    seen: -Infinity, // seconds up to which the veil was lifted
    order: null
  }));
let at = 0, // which step is shown
  turn = 0; // counts what was asked to be shown: what comes late is not

const stepNow = () => lesson.steps[at],
  progressNow = () => progress[at],
  isVeiledRun = run => run.veil !== undefined,
  hasVeil = step => step.charts.facts.runs.some(isVeiledRun);

// Whether the step that is shown hides something now.
const hides = () => hasVeil(stepNow()) && progressNow().seen < Infinity;

// Mix sealed bytes with what a hash of their place gives: the finalizer of MurmurHash3.
function unmasked(bytes, salt) {
  return bytes.map((byte, i) => {
    let state = salt + i | 0;
    state = Math.imul(state ^ state >>> 16, 0x85ebca6b);
    state = Math.imul(state ^ state >>> 13, 0xc2b2ae35);
    return byte ^ (state ^ state >>> 16) & 0xff;
  });
}

// Return what is sealed in a step: what is known of the answers, and the charts without a veil.
async function unsealed(step) {
  step.hidden ||= JSON.parse(new TextDecoder().decode(await inflated(unmasked(bytesOf(step.sealed), step.salt))));
  return step.hidden;
}

// Return the charts of a step as far as they are seen: their facts, and their runs.
async function seenCharts(step, seen, order) {
  const hidden = order || seen > -Infinity && hasVeil(step) ? await unsealed(step) : null,
    source = order ? orderedCharts(step, hidden.orders[order]) : hidden?.charts || step.charts,
    own = {
      ...source.facts,
      themes: withRoles(source.facts, lesson.roles)
    },
    unpacked = await unpackedRuns(own, source.data),
    isPart = hidden?.charts && seen < Infinity;
  return [own, isPart ? unpacked.map((run, i) => seenPart(run, step.charts.facts.runs[i], seen, own.tick)) : unpacked];
}

// Return the charts of a step with its jobs in another order.
const orderedCharts = (step, {
  data,
  ...own
}) => ({
  facts: {
    ...step.charts.facts,
    ...own
  },
  data
});

// Return what is seen of a run whose veil, or that of another one, is lifted up to a time.
function seenPart(run, open, seen, tick) {
  const plain = {
    ...run,
    bound: null,
    change: "",
    standing: ""
  };
  if (!isVeiledRun(open)) return plain;
  return {
    ...runUntil(plain, Math.round(Math.max(seen, open.veil) / tick)),
    ends: open.axisEnd / tick
  };
}

// Draw the charts of the step that is shown, as far as they are seen now.
async function showCharts() {
  const step = stepNow(),
    mine = ++turn,
    [own, unpacked] = await seenCharts(step, progressNow().seen, progressNow().order);
  if (mine !== turn) return;
  showRuns(own, unpacked, step.zoom, step.job);
}
