// The way through the lesson: one step at a time, with how many questions were answered rightly at the end.

// Show the step that is chosen.
async function showStep(hasMoved) {
  const step = stepNow();
  element("place").textContent = `Step ${at + 1} of ${lesson.steps.length}`;
  element("title").textContent = step.title;
  document.title = `${lesson.name}: ${step.title}`;
  put("text", step.text);
  showCircles();
  showVeil();
  drawSteps();
  element("back").disabled = at === 0;
  element("next").disabled = at === lesson.steps.length - 1;
  if (hasMoved) {
    element("words").scrollTop = element("picture").scrollTop = 0;
    window.scrollTo(0, 0);
    element("title").focus();
  }
  element("ask").hidden = true; // until its charts are there, whose colours it has
  await showCharts();
  if (step === stepNow()) showQuestion();
}

// Return which step the address names, as "#3"; the first one if it names none.
const stepAsked = () => Math.min(lesson.steps.length, Math.max(1, parseInt(location.hash.slice(1), 10) || 1)) - 1;

function go(number) {
  if (number < 0 || number >= lesson.steps.length || number === at) return;
  at = number;
  history.replaceState(null, "", `#${at + 1}`);
  showStep(true);
}

function showCircles() {
  const address = stepNow().circles[matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"];
  element("circles").hidden = !address;
  if (address) element("circles").src = address;
}

function showVeil() {
  element("veiled").hidden = !hides();
}

// Show which step it is, which questions were answered rightly and, in the last step, how many.
function drawSteps() {
  element("steps").replaceChildren(...lesson.steps.map((step, number) => {
    const item = document.createElement("li"),
      own = document.createElement("button"),
      isRight = progress[number].isRight;
    own.type = "button";
    own.textContent = `${number + 1}${isRight ? " ✔" : step.question ? " ?" : ""}`;
    own.title = step.title;
    own.className = isRight ? "right" : "";
    own.setAttribute("aria-label", `Step ${number + 1}: ${step.title}${isRight ? ", answered rightly" : step.question ?
      ", has a question" : ""}`);
    if (number === at) own.setAttribute("aria-current", "step");
    own.onclick = () => go(number);
    item.append(own);
    return item;
  }));
  element("end").hidden = at < lesson.steps.length - 1;
  element("end").textContent = scoreWords();
}

function scoreWords() {
  const asking = lesson.steps.map((step, number) => ({
      step,
      own: progress[number]
    })).filter(({
      step
    }) => step.question && step.question.form !== "hand"),
    done = asking.filter(({
      own
    }) => own.isRight),
    first = done.filter(({
      own
    }) => own.tries === 1).length;
  if (!asking.length) return "That was the last step.";
  const count = `${done.length} of ${plural(asking.length, "question")} answered rightly`;
  return `${done.length === asking.length ? "✔ " : ""}${count}${done.length ? `, ${first} at the first try` : ""}.`;
}

function lift() {
  progressNow().seen = Infinity;
  showVeil();
  showCharts();
  say("The veil is lifted");
}

function onStepKey(event) {
  if (!event.altKey || event.ctrlKey || event.metaKey) return;
  const by = {
    PageDown: 1,
    PageUp: -1
  } [event.key];
  if (!by) return;
  event.preventDefault();
  go(at + by);
}

// Follow the reader's theme with what is no canvas; called after the charts do.
function listenToColours() {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    showCircles();
    for (const each of document.querySelectorAll("[data-job]")) each.style.background = colourOfJob(each.dataset.job);
  });
}

element("form").onsubmit = event => {
  event.preventDefault();
  check();
};
element("hint").onclick = showHint;
element("show").onclick = showWhy;
element("again").onclick = tryAgain;
element("lift").onclick = lift;
element("back").onclick = () => go(at - 1);
element("next").onclick = () => go(at + 1);
window.addEventListener("keydown", onStepKey);
window.addEventListener("hashchange", () => go(stepAsked()));
element("jobs").addEventListener("toggle", () => {
  if (element("jobs").open && !element("jobs").querySelector("table")) fillJobs();
});
at = stepAsked();
showStep(false).then(() => {
  listen();
  listenToColours();
});
