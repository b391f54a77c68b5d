// The question of a step: takes an answer, a second one after a hint, and shows the verdict with its reasons.

const TRIES = 2,
  RIGHT = "✔ Right.",
  WRONG = "✘ Not right:",
  ONCE_MORE = "Try once more: the next answer shows what happens.";
const HOW = {
    job: "Click the job in the chart, or choose it here.",
    slot: "Click the slot in the chart, or choose it here.",
    order: "Drag a job, or move it with its arrows; then check your order."
  },
  CHECKS = {
    order: "Check my order",
    hand: "Show an answer"
  };
let control = null;

// Show the question of the step that is shown, with what was done in it.
function showQuestion() {
  const {
    question
  } = stepNow(), {
    verdict
  } = progressNow();
  element("ask").hidden = !question;
  control = null;
  if (!question) return;
  put("asked", question.text);
  element("how").textContent = question.note || HOW[question.clicked || question.form] || "";
  element("miss").replaceChildren();
  element("hint").hidden = !question.hint.length;
  element("check").textContent = CHECKS[question.form] || "Check my answer";
  const makes = CONTROLS[question.form];
  control = makes ? makes(question, followAnswer) : null;
  element("control").replaceChildren(...control ? [control.box] : []);
  element("verdict").replaceChildren(...verdict ? verdictNodes(verdict) : []);
  showParts();
}

// Show the controls for an answer, or in their room the verdict.
function showParts() {
  const look = progressNow().verdict?.verdict.look,
    isJudged = look !== undefined;
  element("show").hidden = isJudged && look.cursor === null && !look.job;
  element("form").querySelector(".row").hidden = isJudged;
  element("control").hidden = element("how").hidden = element("miss").hidden = isJudged;
  element("verdict").hidden = element("ask").lastElementChild.hidden = !isJudged;
  followAnswer();
}

function followAnswer() {
  element("check").disabled = control !== null && control.answer() === null;
  if (stepNow().question?.form === "order") followOrder();
}

// Draw the schedule of the order that is put together, where all of them were simulated before.
async function followOrder() {
  const step = stepNow(),
    own = progressNow(),
    key = control.answer().join(" "),
    {
      orders
    } = await unsealed(step),
    order = key !== step.question.first.join(" ") && orders[key] ? key : null;
  if (step !== stepNow() || order === own.order) return;
  own.order = order;
  showCharts();
}

// Return what is shown of a verdict; of what is played by hand a right answer is shown, and nothing is judged.
function verdictNodes({
  verdict,
  text
}) {
  const isHand = verdict.form === "hand",
    head = isHand ? `An answer is ${text}.` : verdict.right ? RIGHT : `${WRONG} ${text}.`,
    near = isHand ? "" : verdict.near,
    truth = verdict.isComputed || !verdict.right ? verdict.truth : "", // of a choice it would be said again
    look = isHand ? "" : verdict.right ? "right" : "wrong",
    list = document.createElement("ul");
  for (const reason of verdict.reasons) list.append(nodeOf(["li", reason]));
  return [paragraph([head, near, truth].filter(Boolean).join(" "), look), ...verdict.reasons.length ? [list] : [], ...
    verdict.after.map(nodeOf)
  ];
}

// Judge the answer that is given; a first wrong one may be made good.
async function check() {
  const step = stepNow(),
    own = progressNow(),
    {
      question
    } = step;
  if (!question || own.verdict || control && control.answer() === null) return;
  element("check").disabled = true;
  const answer = control ? control.answer() : null,
    {
      judged
    } = await unsealed(step),
    verdict = verdictOn(question.form, judged, answer),
    text = control ? control.text() : judged.text;
  if (step !== stepNow()) return;
  if (verdict === null) {
    showMiss(`${text}: this page does not know this order. ${question.note}`);
    return;
  }
  if (question.form !== "hand") {
    own.tries++;
    own.misses += !verdict.right;
    own.isRight ||= verdict.right;
  }
  if (verdict.right || own.misses >= TRIES) settle(own, {
    ...verdict,
    form: question.form,
    isComputed: judged.isComputed
  }, text);
  else showMiss(`${WRONG} ${text}. ${plainText(question.hint)} ${ONCE_MORE}`.replaceAll("  ", " "));
  drawSteps();
}

function settle(own, verdict, text) {
  own.verdict = {
    verdict,
    text
  };
  own.seen = Math.max(own.seen, verdict.lifts ?? Infinity);
  element("verdict").replaceChildren(...verdictNodes(own.verdict));
  showParts();
  element("verdict").focus();
  if (hasVeil(stepNow())) showCharts();
  showVeil();
}

function showMiss(words) {
  element("miss").replaceChildren(paragraph(words, "miss"));
  element("how").hidden = true;
  followAnswer();
  if (control) control.focus();
}

function showHint() {
  put("miss", stepNow().question.hint);
  element("how").hidden = true;
}

// Veil the step again, and take another answer.
function tryAgain() {
  Object.assign(progressNow(), {
    misses: 0,
    verdict: null,
    seen: -Infinity,
    time: undefined
  });
  drawSteps();
  showVeil();
  showCharts().then(() => {
    showQuestion();
    if (control) control.focus();
  });
}

// Go to the time, the job and the task that decide the question.
function showWhy() {
  const {
    look
  } = progressNow().verdict.verdict, run = runs[look.chart];
  if (!run) return;
  if (look.cursor !== null) {
    progressNow().time = look.cursor;
    const time = look.cursor / facts.tick;
    if (time < goal.t0 || time > goal.t1) move(time - (goal.t1 - goal.t0) / 2, undefined, true);
  }
  const job = facts.jobs.indexOf(look.job);
  if (job >= 0 && job !== selected) select(job);
  cursor = null;
  if (look.isTask) {
    const start = Math.round(look.start / facts.tick);
    for (let i = run.offsets[look.slot]; i < run.offsets[look.slot + 1]; i++)
      if (run.start[i] === start) cursor = {
        run,
        task: i
      };
  }
  canvas.scrollIntoView({
    block: "nearest"
  });
  ask();
}

// Take what was clicked in a chart as the answer.
function pickAnswer(found) {
  const {
    question
  } = stepNow();
  if (!question?.clicked || progressNow().verdict) return;
  if (question.clicked === "slot") control.pick(question.slots.indexOf(found.place.band.at + found.row));
  else if (found.task >= 0) control.pick(question.options.indexOf(facts.jobs[found.run.job[found.run.code[found.task] >>
    1]]));
}
onPick = pickAnswer;
