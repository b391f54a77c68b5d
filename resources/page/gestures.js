// Mouse, wheel, touch and keys.

const PAPER_WHITE = "#ffffff";
let onPick = () => {}; // called with what lies under a click
const pointOf = event => {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};

function onDown(event) {
  const [x, y] = pointOf(event);
  canvas.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, [x, y]);
  dragged = 0;
  grip = y >= plan.axis + AXIS ? "overview" : y >= plan.axis ? "time" : "rows";
  if (grip === "time") {
    playing = false;
    playWords();
    now = Math.max(0, T(x));
    ask();
  } else if (grip === "overview") centreAt(x);
}

function centreAt(x) {
  const wide = goal.t1 - goal.t0;
  move((x - plan.left) / plan.width * span - wide / 2, wide);
}

function onMove(event) {
  const [x, y] = pointOf(event), old = fingers.get(event.pointerId);
  if (!old) {
    if (event.pointerType === "mouse") show(hitAt(x, y), x, y);
    const box = boxAt(x, y);
    if (box && event.pointerType === "mouse") showBox(box, x, y);
    if (labelAt(x, y)) canvas.style.cursor = "pointer";
    return;
  }
  if (grip === "time") {
    now = Math.max(0, T(x));
    ask();
  } else if (grip === "overview") centreAt(x);
  else if (fingers.size === 2) pinch(old, [x, y]);
  else drag(old, [x, y]);
  dragged += Math.abs(x - old[0]) + Math.abs(y - old[1]);
  if (dragged > 4) show(null);
  fingers.set(event.pointerId, [x, y]);
}

function pinch(old, point) {
  const other = [...fingers.values()].find(each => each !== old),
    was = Math.hypot(old[0] - other[0], old[1] - other[1]),
    is = Math.hypot(point[0] - other[0], point[1] - other[1]);
  if (was > 8 && is > 8) zoom(T((point[0] + other[0]) / 2), was / is);
}

function drag(old, point) {
  move(goal.t0 - (point[0] - old[0]) / plan.width * (goal.t1 - goal.t0));
  if (goal.zoom > 1) scrollRows(goal.part - (point[1] - old[1]) / plan.panels[0].rows.content);
}

function onUp(event) {
  const [x, y] = pointOf(event), isClick = fingers.delete(event.pointerId) && event.type === "pointerup" && dragged <
    5 && grip === "rows";
  if (!isClick) return;
  const label = labelAt(x, y);
  if (label) {
    fold(label.band.name);
    return;
  }
  const box = boxAt(x, y);
  if (box) {
    select(box.panel.run.stageBands.job[box.at]);
    return;
  }
  const found = hitAt(x, y);
  if (found) onPick(found);
  const head = plan.panels.find(panel => y >= panel.top && y < panel.plot);
  if (found && found.task >= 0) {
    select(found.run.job[found.run.code[found.task] >> 1]);
    if (event.pointerType !== "mouse") show(found, x, y);
  } else {
    show(found && event.pointerType !== "mouse" ? found : null, x, y);
    if (head && element("bars").children.length > 1) showAlone(head.index);
    else if (selected >= 0) select(-1);
  }
}

function onWheel(event) {
  const [x, y] = pointOf(event), unit = event.deltaMode === 1 ? 30 : 1, dy = event.deltaY * unit, dx = event.deltaX *
    unit, panel = panelAt(y);
  if (!event.ctrlKey && !event.shiftKey && Math.abs(dy) > Math.abs(dx) && scrollBands(y, dy)) {
    event.preventDefault();
    return;
  }
  const isWhole = goal.t1 - goal.t0 >= span && dy > 0 && !event.shiftKey && !event.ctrlKey && Math.abs(dy) >= Math
    .abs(dx);
  if (isWhole) return; // the page scrolls
  event.preventDefault();
  show(null);
  if (event.shiftKey) {
    if (panel) zoomRows(panel, y, Math.exp(-(dy || dx) * .002));
  } else if (Math.abs(dx) > Math.abs(dy)) move(goal.t0 + dx / plan.width * (goal.t1 - goal.t0));
  else zoom(T(x), Math.exp(Math.max(-120, Math.min(120, dy)) * (event.ctrlKey ? .01 : .0022)), true);
}
// Go to the next task of the row, or to the next row, and read out what it is.
function stepTask(across, down) {
  const panel = plan.panels.find(each => cursor && each.run === cursor.run) || plan.panels[0],
    {
      run
    } = panel;
  let task = cursor && cursor.run === run ? cursor.task + across : 0;
  if (down && cursor) {
    const row = rowOf(run, cursor.task);
    let other = row + down;
    while (other >= 0 && other < run.offsets.length - 1 && run.offsets[other] === run.offsets[other + 1]) other +=
      down;
    if (other < 0 || other >= run.offsets.length - 1) return;
    task = Math.min(run.offsets[other + 1] - 1, firstEndingAfter(run, other, run.start[cursor.task]));
  }
  task = Math.max(0, Math.min(run.code.length - 1, task));
  cursor = {
    run,
    task
  };
  if (run.start[task] < goal.t0 || run.start[task] > goal.t1) move(run.start[task] - (goal.t1 - goal.t0) / 2,
    undefined, true);
  const row = rowOf(run, task),
    place = panel.rows.places.find(({
      band
    }) => row >= band.at && row < band.at + band.rows),
    job = run.job[run.code[task] >> 1],
    found = {
      place,
      row: row - place.band.at,
      task,
      run
    };
  const said = taskFacts(run, found, task).map(pair => pair.join(" "));
  say(`${job < 0 ? "" : facts.jobs[job]}: ${[...said, attemptNote(run, task)].filter(each => each).join(", ")}`);
  show(found, Math.max(plan.left, Math.min(plan.whole, X(run.start[task]))), panel.plot + place.top + found.row *
    panel.rows.rowHeight);
  ask();
}

function rowOf(run, task) {
  let low = 0,
    high = run.offsets.length - 1;
  while (low < high - 1) {
    const middle = low + high >> 1;
    if (run.offsets[middle] <= task) low = middle;
    else high = middle;
  }
  return low;
}

function onKey(event) {
  const wide = goal.t1 - goal.t0,
    middle = (goal.t0 + goal.t1) / 2,
    more = event.shiftKey;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key >= "1" && event.key <= "9" && +event.key <= facts.variants.length) {
    showVariant(event.key - 1);
    event.preventDefault();
    return;
  }
  const acts = {
    ArrowLeft: () => more ? stepTask(-1, 0) : move(goal.t0 - wide / 6, wide, true),
    ArrowRight: () => more ? stepTask(1, 0) : move(goal.t0 + wide / 6, wide, true),
    ArrowUp: () => more ? stepTask(0, -1) : scrollRows(goal.part - .1 / goal.zoom),
    ArrowDown: () => more ? stepTask(0, 1) : scrollRows(goal.part + .1 / goal.zoom),
    "+": () => zoom(middle, 2 / 3, true),
    "=": () => zoom(middle, 2 / 3, true),
    "-": () => zoom(middle, 1.5, true),
    Home: whole,
    0: whole,
    " ": () => playing ? stop() : play(),
    c: foldAll,
    n: () => step(1),
    p: () => step(-1),
    Escape: () => {
      playing = false;
      now = Infinity;
      cursor = null;
      show(null);
      playWords();
      if (selected >= 0) select(-1);
      ask();
    }
  };
  if (acts[event.key]) {
    event.preventDefault();
    acts[event.key]();
  }
}

function listen() {
  canvas.addEventListener("pointerdown", onDown);
  canvas.addEventListener("pointermove", onMove);
  canvas.addEventListener("pointerup", onUp);
  canvas.addEventListener("pointercancel", onUp);
  canvas.addEventListener("pointerleave", event => {
    if (event.pointerType === "mouse") show(null);
  }); // NOTE: it follows every tap
  canvas.addEventListener("wheel", onWheel, {
    passive: false
  });
  canvas.addEventListener("keydown", onKey);
  canvas.addEventListener("blur", () => {
    cursor = null;
    show(null);
    ask();
  });
  canvas.addEventListener("dblclick", event => {
    const [x, y] = pointOf(event);
    if (panelAt(y)) zoom(T(x), event.shiftKey ? 3 : 1 / 3, true);
  });
  element("play").onclick = () => playing ? stop() : play();
  element("whole").onclick = whole;
  element("path").onclick = event => {
    showsPath = !showsPath;
    event.currentTarget.setAttribute("aria-pressed", showsPath);
    pathWords();
    ask();
  };
  let width = 0;
  new ResizeObserver(() => {
    if (canvas.clientWidth !== width) {
      width = canvas.clientWidth;
      layOut();
    }
  }).observe(canvas);
  window.addEventListener("resize", layOut);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", event => {
    if (!isPrinting) appear(event.matches);
  });
  window.addEventListener("beforeprint", () => print(true));
  window.addEventListener("afterprint", () => print(false));
}

function appear(dark) {
  dress(dark);
  mixInks();
  drawLegend();
  restart();
}
// Draw at once, light and sharp, what is put on paper; or go back to the screen.
function print(isOnPaper) {
  isPrinting = isOnPaper;
  appear(!isOnPaper && matchMedia("(prefers-color-scheme: dark)").matches);
  if (isOnPaper) colour = {
    ...colour,
    window: PAPER_WHITE,
    gap: PAPER_WHITE
  };
  layOut();
  while (isOnPaper && !isExact()) paintSome();
  draw();
}
