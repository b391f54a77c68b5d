// What stands around the charts: bars, legend, search, the table of jobs.

// Return a small canvas that shows a tone, or a sign.
function swatch(width, paint) {
  const own = document.createElement("canvas"),
    to = own.getContext("2d");
  own.width = width * 2;
  own.height = 22;
  own.style.width = width + "px";
  own.style.height = "11px";
  own.setAttribute("aria-hidden", "true");
  to.scale(2, 2);
  paint(to);
  return own;
}

function key(text, picture, act, title) {
  const own = document.createElement(act ? "button" : "span"),
    words = document.createElement("span");
  own.className = "key";
  words.textContent = text;
  if (title) own.title = title;
  if (act) {
    own.type = "button";
    own.onclick = act;
  }
  own.append(picture, words);
  return own;
}
// Show what the colours of classes mean, then the parts of a task, then lines.
function drawLegend() {
  const list = element("legend");
  list.replaceChildren();
  facts.classes.forEach((own, number) => {
    const css = rgb(look.classes[number]),
      job = facts.jobs.indexOf(own.job),
      isJob = own.job !== "" && job >= 0;
    list.append(key(isJob ? facts.shortNames[job] : own.name, swatch(11, to => {
      to.fillStyle = css;
      to.fillRect(0, 0, 11, 11);
    }), isJob && (() => select(job)), isJob ? own.job : plural(own.jobs, "job")));
  });
  const tones = facts.inks.length ? tonesOf(runs[0].tone[0]) : null,
    reduces = runs.some(run => run.code.some((c, i) => c & 1 && run.body[i] > run.start[i]));
  const hatched = (tone, hatch) => swatch(18, to => {
    to.fillStyle = rgb(tones[tone]);
    to.fillRect(0, 0, 18, 11);
    to.fillStyle = rgb(tones[HATCH]);
    for (let y = 0; y < 11; y++)
      for (let x = 0; x < 18; x++) {
        to.globalAlpha = HATCHES[hatch][(hatch === TYPICAL ? x + y : x - y) & 15] / 256 || 0;
        to.fillRect(x, y, 1, 1);
      }
  });
  if (tones && reduces) {
    if (runs.some(run => run.code.some((c, i) => c & 1 && run.start[i] < run.ready[c >> 1]))) list.append(key(runs[0]
      .hasGraphs ? "waits for a stage" : "waits for maps", hatched(WAIT, WAITING)), key("first shuffle", hatched(SHUFFLE, FIRST)));
    list.append(key("shuffle", hatched(SHUFFLE, TYPICAL)));
  }
  if (runs.some(run => run.bands.some(band => band.own < 2))) list.append(key("borrowed slot", swatch(14, to => {
    to.fillStyle = colour.map_band;
    to.fillRect(0, 0, 14, 11);
    to.fillStyle = colour.text;
    to.fillRect(0, 9, 14, 2);
  })));
  for (const [text, tip, paint] of [...stageSigns(), ...nodeSigns(), ...attemptSigns(), ...readSigns(), ...deadlineSigns(), ...useSigns()]) list.append(key(text, swatch(18, paint), null, tip));
  list.append(key("makespan", swatch(3, to => {
    to.fillStyle = colour.ink;
    to.fillRect(0, 0, 2, 11);
  })));
  if (runs.some(run => run.bound !== null)) list.append(key("lower bound", swatch(3, to => {
    to.fillStyle = colour.second_text;
    for (let y = 0; y < 11; y += 4) to.fillRect(0, y, 1.4, 2);
  })));
}

// Show the makespans on the cluster that is chosen; lengths of bars are the same on all clusters.
function drawBars() {
  const most = Math.max(...facts.runs.map(run => run.makespan)) || 1,
    own = facts.runs.map((_, i) => i).filter(i => facts.runs[i].variant === variant),
    base = facts.runs[own[0]];
  element("bars").replaceChildren();
  own.forEach((index, place) => {
    const run = facts.runs[index];
    const item = document.createElement("li"),
      bar = document.createElement("button"),
      parts = ["b", "i", "strong", "small"].map(tag => document.createElement(tag)),
      fill = document.createElement("span");
    bar.type = "button";
    bar.setAttribute("aria-pressed", "false");
    bar.dataset.run = index;
    bar.title = own.length > 1 ? "Show this chart alone, or all again" : run.why;
    parts[0].textContent = run.title;
    fill.style.width = run.veil === undefined ? run.makespan / most * 100 + "%" : 0;
    parts[1].append(fill);
    if (run.bound !== null) {
      const mark = document.createElement("em");
      mark.style.left = `calc(${Math.min(1, run.bound / most) * 100}% - 1px)`;
      parts[1].append(mark);
    }
    parts[2].textContent = makespanText(run);
    const isOther = run.isRecord !== base.isRecord;
    parts[3].textContent = place ? run.change : own.length > 1 ? "baseline" : "";
    if (place && !isOther) parts[3].className = run.makespan < base.makespan ? "better" : run.makespan >
      base.makespan ? "worse" : "";
    bar.append(...parts);
    bar.onclick = () => {
      if (own.length > 1) showAlone(index);
    };
    item.append(bar);
    element("bars").append(item);
  });
}

function showAlone(index) {
  alone = alone === index ? -1 : index;
  element("bars").querySelectorAll("button").forEach(bar => bar.setAttribute("aria-pressed", +bar.dataset.run === alone));
  layOut();
}

// Offer the clusters on which the schedules were simulated, where there are several.
function drawVariants() {
  const place = element("variants");
  place.hidden = facts.variants.length < 2;
  place.replaceChildren(...facts.variants.map((name, number) => {
    const own = document.createElement("button");
    own.type = "button";
    own.textContent = name;
    own.title = `The schedules on ${name}: key ${number + 1}`;
    own.setAttribute("aria-pressed", number === variant);
    own.onclick = () => showVariant(number);
    return own;
  }));
}

function showVariant(number) {
  if (number >= facts.variants.length || number === variant) return;
  variant = number;
  alone = -1;
  cursor = null;
  drawVariants();
  element("variants").children[number].focus();
  drawBars();
  layOut();
  say(`${facts.variants[number]}: ` + shownRuns().map(i => runWords(runs[i])).join(", "));
}
// Say in words what the critical paths consist of.
function pathWords() {
  if (!showsPath) {
    say("");
    return;
  }
  say(runs.map(run => {
    const sums = new Map();
    for (const link of run.path) sums.set(link.cause, (sums.get(link.cause) || 0) + link.end - link.begin);
    return `${run.title}: ` + [...sums].sort((a, b) => b[1] - a[1]).map(([cause, ticks]) =>
      `${facts.causes[cause]} ${durationText(seconds(ticks))}`).join(", ");
  }).join(". "));
}

// ---- search
let matches = [],
  marked = 0;

function lookFor() {
  const asked = element("find").value.trim().toLowerCase(),
    list = element("found");
  matches = [];
  for (let i = 0; asked && i < facts.jobs.length && matches.length < 400; i++)
    if (facts.jobs[i].toLowerCase().includes(asked)) matches.push(i);
  matches = matches.sort((a, b) => facts.jobs[a].toLowerCase().indexOf(asked) - facts.jobs[b].toLowerCase().indexOf(
    asked) || facts.jobs[a].length - facts.jobs[b].length).slice(0, 8);
  marked = 0;
  list.replaceChildren(...matches.map((job, i) => {
    const item = document.createElement("li");
    item.id = "found" + i;
    item.setAttribute("role", "option");
    item.textContent = facts.jobs[job];
    item.onpointerdown = event => {
      event.preventDefault();
      take(job);
    };
    return item;
  }));
  showMatches(matches.length > 0);
}

function showMatches(isOpen) {
  const list = element("found"),
    field = element("find");
  list.hidden = !isOpen;
  field.setAttribute("aria-expanded", isOpen);
  [...list.children].forEach((item, i) => item.setAttribute("aria-selected", i === marked));
  if (isOpen) field.setAttribute("aria-activedescendant", "found" + marked);
  else field.removeAttribute("aria-activedescendant");
}

function take(job) {
  showMatches(false);
  if (job !== selected) select(job);
  const {
    first
  } = sumsOf(runs[0]), a = first[job], b = runs[0].finish[job];
  if (Number.isFinite(a) && (b < goal.t0 || a > goal.t1)) move((a + b) / 2 - (goal.t1 - goal.t0) / 2, undefined,
  true);
}

function listenToSearch() {
  const field = element("find");
  field.addEventListener("input", () => {
    lookFor();
    if (!field.value && selected >= 0) select(-1);
  });
  field.addEventListener("blur", () => showMatches(false));
  field.addEventListener("keydown", event => {
    if (event.key === "Enter" && matches.length) take(matches[marked]);
    else if (event.key === "Escape") {
      showMatches(false);
      if (selected >= 0) select(-1);
      field.value = "";
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && matches.length) {
      event.preventDefault();
      marked = (marked + (event.key === "ArrowDown" ? 1 : matches.length - 1)) % matches.length;
      showMatches(true);
    }
  });
}

// ---- the table behind the canvas
const MAX_TABLE_ROWS = 2000;

function fillJobs() {
  const table = document.createElement("table"),
    head = table.createTHead().insertRow(),
    body = table.createTBody(),
    order = jobOrder().slice(0, MAX_TABLE_ROWS),
    cell = (row, text) => {
      const own = document.createElement("th");
      own.scope = row === head ? "col" : "row";
      own.textContent = text;
      row.append(own);
    };
  const named = run => facts.variants.length ? `${run.title}, ${facts.variants[run.variant]}` : run.title;
  const far = runs[0].veil < Infinity ? " so far" : "";
  for (const text of ["job", runs[0].hasGraphs ? "tasks" + far : "maps" + far, ...runs[0].hasGraphs ? [] : ["reduces" +
      far
    ], ...runs
      .flatMap(run => [`${named(run)}: first task`, `${named(run)}: ends`])
    ]) cell(head, text);
  for (const job of order) {
    const row = body.insertRow(),
      base = sumsOf(runs[0]);
    cell(row, facts.jobs[job]);
    row.dataset.job = job;
    row.onclick = () => select(job);
    for (const number of runs[0].hasGraphs ? [base.maps[job] + base.reduces[job]] : [base.maps[job], base.reduces[
        job]]) row.insertCell().textContent = counted(number);
    for (const run of runs)
      for (const time of [sumsOf(run).first[job], run.finish[job] < 0 ? NaN : run.finish[job]]) row.insertCell()
        .textContent = clockText(time);
  }
  const place = element("jobs").querySelector(".wide");
  place.append(table);
  if (facts.jobs.length > order.length) {
    const note = document.createElement("p");
    note.textContent =
      `The first ${counted(order.length)} of ${plural(facts.jobs.length, "job")}, in the order in which they start.`;
    place.append(note);
  }
  markRow();
}

function markRow() {
  for (const row of element("jobs").querySelectorAll("tr[data-job]")) {
    if (+row.dataset.job === selected) row.setAttribute("aria-selected", "true");
    else row.removeAttribute("aria-selected");
  }
}
