// Pointing at marks with the mouse, a finger or the arrow keys, and opening what they stand for.

const plotSvg = element("plot"),
  tip = element("tip");
let byKeys = false;

// Show the card of a mark, or none; with keys it is read out.
function pointAt(mark, isRead = false) {
  studied.point(mark);
  plotSvg.style.cursor = mark?.opens >= 0 ? "pointer" : "";
  byKeys = isRead && !!mark;
  if (!mark) {
    tip.hidden = true;
    return;
  }
  const [head, ...lines] = mark.text.split("\n"), click = clickWords(mark);
  if (mark.more) lines.push(mark.more);
  fillCard(tip, "", head, [...lines.map(text => paragraphOf(text)), ...click ? [paragraphOf(click, "muted")] : []]);
  const [left, top, wide, high] = studied.boxOf(mark);
  placeCard(tip, left + wide / 2, top + high / 2, studied.width, plotSvg.clientHeight);
  if (isRead) say([head, ...lines, click].filter(Boolean).join(", "));
}

// Return what a click on a mark does.
function clickWords(mark) {
  if (mark.opens < 0) return "";
  const [name, own] = places[mark.opens];
  return own >= 0 ? `Click or Enter: the schedules of ${name}` : "No schedules of this place in this page; a click says why";
}

function paragraphOf(text, className = "") {
  const own = document.createElement("p");
  own.className = className;
  own.textContent = text;
  return own;
}

const plotPoint = event => {
  const box = plotSvg.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};

// Return the mark that an arrow key leads to: what lies aside of its way counts three times as far.
function markBeside(mark, [dx, dy]) {
  const middle = each => {
      const [left, top, wide, high] = studied.boxOf(each);
      return [left + wide / 2, top + high / 2];
    },
    [x, y] = middle(mark);
  let best = mark,
    least = Infinity;
  for (const each of studied.shown) {
    if (each === mark || dx && studied instanceof CurvesPlot && each.curve !== mark.curve) continue;
    const [a, b] = middle(each), ahead = (a - x) * dx + (b - y) * dy, aside = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
    if (ahead <= (dx ? .5 : .01) || ahead + 3 * aside >= least) continue;
    [best, least] = [each, ahead + 3 * aside];
  }
  return best;
}

const WAYS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1]
};

function onPlotKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !studied.shown.length) return;
  const now = studied.pointed;
  if (WAYS[event.key]) pointAt(now ? markBeside(now, WAYS[event.key]) : studied.shown[0], true);
  else if ((event.key === "Enter" || event.key === " ") && now?.opens >= 0) openPlace(now.opens);
  else if (event.key === "Escape") pointAt(null);
  else return;
  event.preventDefault();
}

function listenToPlot() {
  let before = null; // the mark that was pointed at when a finger came down
  plotSvg.addEventListener("pointermove", event => {
    if (event.pointerType !== "touch") pointAt(studied.markAt(...plotPoint(event)));
  });
  plotSvg.addEventListener("pointerleave", event => {
    if (event.pointerType !== "touch" && !byKeys) pointAt(null);
  });
  plotSvg.addEventListener("pointerdown", () => before = studied.pointed);
  plotSvg.addEventListener("click", event => {
    const mark = studied.markAt(...plotPoint(event)),
      isFinger = event.pointerType === "touch";
    pointAt(mark);
    if (mark?.opens >= 0 && (!isFinger || mark === before)) openPlace(mark.opens);
  });
  plotSvg.addEventListener("keydown", onPlotKey);
  plotSvg.addEventListener("focus", () => {
    if (!studied.pointed && studied.shown.length && plotSvg.matches(":focus-visible")) pointAt(studied.shown[0], true);
  });
  plotSvg.addEventListener("blur", () => pointAt(null));
}
