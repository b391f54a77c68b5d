// What stands around the picture: which one is shown, its legend, what is left out, its numbers.

const without = []; // of each axis of the study the places that are left out
let studied = null, // the plot that is shown
  sorted = [-1, 1]; // by which column its numbers are sorted, and whether they ascend

const uniqueOf = values => [...new Set(values)];

// Fill a chooser, and hide it where there is nothing to choose.
function fillChoice(id, names, chosen) {
  const own = element(id);
  own.replaceChildren(...names.map(name => new Option(name.slice(0, 1).toUpperCase() + name.slice(1), name, false, name === chosen)));
  own.value = chosen;
  own.parentElement.hidden = names.length < 2;
}

const ALL_CELLS = "all cells";

// Show what the choosers say; one that has no such picture goes back to its first.
function choosePicture() {
  const group = element("group").value || pictures[0].group,
    ofGroup = pictures.filter(each => each.group === group),
    measure = ofGroup.some(each => each.measure === element("measure").value) ? element("measure").value : ofGroup[0].measure,
    ofMeasure = ofGroup.filter(each => each.measure === measure),
    named = each => each.variant || ALL_CELLS,
    variant = ofMeasure.some(each => named(each) === element("variant").value) ? element("variant").value : named(ofMeasure[0]);
  fillChoice("group", uniqueOf(pictures.map(each => each.group)), group);
  fillChoice("measure", uniqueOf(ofGroup.map(each => each.measure)), measure);
  fillChoice("variant", uniqueOf(ofMeasure.map(named)), variant);
  showPicture(ofMeasure.find(each => named(each) === variant));
}

function showPicture(own) {
  studied = new PLOTS[own.plot](own);
  sorted = [-1, 1];
  element("answer").textContent = own.answer;
  fillFilter();
  drawStudied();
}

// Draw the picture and all that follows from what is left out.
function drawStudied() {
  const wide = element("plotted").clientWidth - 2,
    high = Math.round(Math.max(240, Math.min(460, window.innerHeight * .52, wide * .8)));
  if (wide <= 0) return;
  tip.hidden = true;
  studied.pointed = null;
  studied.filter(without);
  plotSvg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  plotSvg.style.height = high + "px";
  studied.draw(plotSvg, wide, high);
  const own = studied.own;
  plotSvg.setAttribute("aria-label", `${element("group").value}${own.measure ? `, ${own.measure}` : ""}: ${plural(studied.shown.length, "mark")}. ${own.answer}`);
  drawSigns();
  noteWords();
  fillNumbers();
}

// Show the legend: a series is left out, or shown again, by a click.
function drawSigns() {
  const had = document.activeElement?.dataset?.series;
  element("signs").replaceChildren(...studied.legend().map(({
    name,
    series,
    sign
  }) => {
    const canHide = series >= 0,
      own = document.createElement(canHide ? "button" : "span"),
      words = document.createElement("span");
    own.className = "key";
    words.textContent = own.title = name;
    own.append(sign, words);
    if (canHide) {
      own.type = "button";
      own.dataset.series = series;
      own.setAttribute("aria-pressed", !studied.left.has(series));
      own.onclick = () => {
        studied.left.has(series) ? studied.left.delete(series) : studied.left.add(series);
        drawStudied();
      };
    }
    return own;
  }));
  if (had !== undefined) element("signs").querySelector(`[data-series="${had}"]`)?.focus();
}

function noteWords() {
  const left = studied.all.length - studied.shown.length,
    carry = aboutStudy.schedules.length,
    words = [`${plural(studied.own.runs, "run")}.`];
  if (left) words.push(`${counted(left)} of ${plural(studied.all.length, "mark")} left out.`);
  if (places.length) words.push(carry ? `Click a mark: ${carry === places.length ? "all places have" : `${counted(carry)} of ${plural(places.length, "place")} have`} their schedules in this page.` : aboutStudy.whyNone);
  if (aboutStudy.hasMore) words.push("The study window of Slotscope has more pictures of it.");
  element("note").textContent = words.join(" ");
}

// Offer the points of all axes that marks of the picture lie at, to be left out.
function fillFilter() {
  const fields = aboutStudy.axes.map((axis, number) => {
    const at = uniqueOf(studied.all.map(mark => mark.at[number] ?? -1)).filter(place => place >= 0 && place < axis.labels.length).sort((a, b) => a - b);
    if (at.length < 2) return null;
    const own = document.createElement("fieldset"),
      head = document.createElement("legend");
    head.textContent = axis.name;
    own.append(head, ...at.map(place => {
      const line = document.createElement("label"),
        box = document.createElement("input");
      box.type = "checkbox";
      box.checked = !without[number]?.has(place);
      box.onchange = () => {
        without[number] ||= new Set();
        box.checked ? without[number].delete(place) : without[number].add(place);
        drawStudied();
      };
      line.append(box, axis.labels[place]);
      return line;
    }));
    return own;
  }).filter(Boolean);
  element("filter").querySelector("div").replaceChildren(...fields);
  element("filter").hidden = !fields.length;
}

// ---- the numbers

// Return the shown marks in the order of the table.
function sortedMarks() {
  const [column, way] = sorted;
  if (column < 0) return studied.shown;
  const value = mark => mark.cells[column] ?? (way > 0 ? Infinity : -Infinity);
  return [...studied.shown].sort((a, b) => {
    const [one, other] = [value(a), value(b)];
    return way * (typeof one === "string" && typeof other === "string" ? one.localeCompare(other, "en", {
      numeric: true
    }) : one < other ? -1 : one > other ? 1 : 0);
  });
}

function fillNumbers() {
  const table = document.createElement("table"),
    head = table.createTHead().insertRow(),
    body = table.createTBody(),
    used = studied.columns.map((_, column) => studied.all.some(mark => (mark.cells[column] ?? "") !== "")),
    rows = sortedMarks();
  studied.columns.forEach(([name], column) => {
    if (used[column]) head.append(sortHeading(name, column));
  });
  if (places.length) head.insertCell().textContent = "";
  for (const mark of rows.slice(0, MAX_TABLE_ROWS)) {
    const row = body.insertRow();
    studied.columns.forEach(([, unit], column) => {
      if (used[column]) fillCell(row.insertCell(), mark.cells[column], unit ?? "");
    });
    if (places.length) openButton(row.insertCell(), mark);
  }
  const more = document.createElement("p");
  if (rows.length > MAX_TABLE_ROWS) more.textContent = `The first ${counted(MAX_TABLE_ROWS)} of ${plural(rows.length, "row")}.`;
  element("numbers").querySelector(".wide").replaceChildren(table, more);
}

function sortHeading(name, column) {
  const own = document.createElement("th"),
    button = document.createElement("button"),
    [by, way] = sorted,
    isText = studied.all.some(mark => typeof mark.cells[column] === "string");
  own.scope = "col";
  own.className = isText ? "text" : "";
  button.type = "button";
  button.textContent = `${name || "in both"}${by === column ? way > 0 ? " ▴" : " ▾" : ""}`;
  own.setAttribute("aria-sort", by !== column ? "none" : way > 0 ? "ascending" : "descending");
  button.onclick = () => {
    sorted = [column, by === column ? -way : 1];
    fillNumbers();
    element("numbers").querySelectorAll("thead button")[[...own.parentElement.children].indexOf(own)]?.focus();
  };
  own.append(button);
  return own;
}

function fillCell(cell, value, unit) {
  if (typeof value === "string") {
    cell.className = "text";
    cell.textContent = value;
  } else if (value !== null && value !== undefined) {
    cell.textContent = valueText(value, unit);
    cell.dataset.value = value;
  }
}

function openButton(cell, mark) {
  if (!(mark.opens >= 0) || places[mark.opens][1] < 0) return;
  const own = document.createElement("button");
  own.type = "button";
  own.textContent = "schedules";
  own.setAttribute("aria-label", `Schedules of ${places[mark.opens][0]}`);
  own.onclick = () => openPlace(mark.opens);
  cell.append(own);
}
