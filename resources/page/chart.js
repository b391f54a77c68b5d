// The canvas: where everything lies, the picture of the rows that is kept between frames, and what is drawn over it.
// While the view moves, the last exact picture is shown moved and stretched; a new one is painted in slices.

const HEAD = 48,
  FOOT = 12,
  DEEP_FOOT = 15, // below rows with deadlines
  BAND_WIDTH = 16,
  AXIS = 26,
  OVERVIEW = 26,
  SLICE = 7,
  MAX_RATIO = 3,
  MAX_LABELS = 4000,
  MIN_WAVE = 14,
  MAX_ROOM = 1600,
  MIN_PLOT = 40,
  PAPER = 520, // a sheet across, below the title
  MOST_FOR_STAGES = 160, // pixels that a chart is higher for its stages
  HEIGHT_OF_BAND = 34;
const FAMILY = 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const STEPS_OF_TIME = [1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, .001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10,
  15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 432000, 864000, 2592000
];
const canvas = element("chart"),
  pen = canvas.getContext("2d", {
    alpha: false
  });
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let runs = [],
  span = 1,
  ratio = 1,
  plan = null,
  alone = -1,
  variant = 0,
  selected = -1,
  marks = [],
  showsPath = false,
  now = Infinity,
  playing = false;
let picture = null,
  painting = null,
  spare = null,
  version = 0,
  isAsked = false,
  lastTime = 0,
  slow = 0,
  isPrinting = false,
  cursor = null,
  standsAt = () => null, // the time at which the charts stand while nothing is played, in ticks
  drawMore = () => {}; // draws what stands above all charts
const images = new Map(),
  view = {
    t0: 0,
    t1: 1,
    zoom: 1,
    part: 0
  },
  goal = {
    ...view
  };

const font = (size, weight = 400) => `${weight} ${size}px ${FAMILY}`;

function textWidth(text, size, weight) {
  pen.font = font(size, weight);
  return pen.measureText(text).width;
}

function write(text, x, y, css, size = 12, align = "left", weight = 400) {
  pen.font = font(size, weight);
  pen.textAlign = align;
  pen.fillStyle = css;
  pen.fillText(text, x, y);
}
// Return a text cut to a width with an ellipsis.
function cut(text, width, size, weight) {
  if (textWidth(text, size, weight) <= width) return text;
  let low = 0,
    high = text.length;
  while (low < high) {
    const middle = low + high + 1 >> 1;
    if (textWidth(text.slice(0, middle) + "…", size, weight) <= width) low = middle;
    else high = middle - 1;
  }
  return low ? text.slice(0, low) + "…" : "";
}

// As in the window, the left border is a whole number of pixels from time 0: tasks and lines move together.
const perTick = () => plan.width / (view.t1 - view.t0),
  originAt = scale => Math.round(view.t0 * scale * ratio) / ratio,
  X = time => plan.left + time * perTick() - originAt(perTick()),
  T = x => (x - plan.left + originAt(perTick())) / perTick();
const same = (a, b) => a.t0 === b.t0 && a.t1 === b.t1 && a.zoom === b.zoom && a.part === b.part;
const rowLabel = (run, band, row) => band.prefix + (band.first + row);

// Return which job stands out in a run: the only one of a chart that is beside the others stands for theirs.
const chosenIn = run => selected >= 0 && run.standIn >= 0 ? run.standIn : selected;

// Return which charts are shown: one alone, or those on the cluster that is chosen.
const shownRuns = () => alone < 0 ? facts.runs.map((_, i) => i).filter(i => facts.runs[i].variant === variant) : [alone];

// Lay out the charts one below the other, in a height that fits the window or, of many charts, is scrolled.
function layOut() {
  const shown = shownRuns(),
    width = canvas.clientWidth,
    small = width < 560;
  const room = Math.min(MAX_ROOM, window.innerHeight) - canvas.getBoundingClientRect().top - window.scrollY - 44,
    bands = Math.max(...shown.map(index => runs[index].bands.length)),
    least = (small ? 196 : 168) + Math.min(20, Math.max(0, bands - 2)) * HEIGHT_OF_BAND + Math.min(
      MOST_FOR_STAGES, Math.max(...shown.map(index => hasStages(runs[index]) ? bandTops(runs[index], BOX).at(-1) : 0)));
  const onPaper = Math.min(shown.length * 260, Math.max(PAPER, shown.length * 120));
  const height = Math.round(Math.max(isPrinting ? 0 : room, (isPrinting ? onPaper : shown.length * least) + AXIS + OVERVIEW));
  ratio = isPrinting ? 2 : Math.min(MAX_RATIO, window.devicePixelRatio || 1);
  if (canvas.style.height !== height + "px") canvas.style.height = height + "px";
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const labels = Math.max(...runs.map(run => Math.max(...run.bands.map(band => textWidth(rowLabel(run, band, band
    .rows - 1), 11)))));
  const left = BAND_WIDTH + Math.ceil(labels) + 15,
    each = (height - AXIS - OVERVIEW) / shown.length,
    foot = runs.some(run => run.deadline) ? DEEP_FOOT : FOOT;
  plan = {
    left,
    width: Math.max(MIN_PLOT, Math.floor(width - left - (small ? 2 : 6))),
    whole: width,
    height,
    small,
    axis: height - AXIS - OVERVIEW,
    panels: shown.map((index, k) => {
      const top = Math.round(k * each),
        stages = bandLayout(runs[index], each),
        plot = top + HEAD + (stages.height ? stages.height + BANDS_AIR : 0);
      return {
        run: runs[index],
        index,
        top,
        plot,
        stages,
        bandsTop: top + BANDS_TOP,
        bottom: Math.round((k + 1) * each) - foot,
        height: Math.round((k + 1) * each) - foot - plot
      };
    })
  };
  placeRows();
  restart();
}

function placeRows() {
  for (const panel of plan.panels) panel.rows = rowLayout(panel.run.bands, panel.height, view.zoom, view.part);
}

function restart() {
  version++;
  painting = null;
  s = null;
  ask();
}

function ask() {
  if (!isAsked) {
    isAsked = true;
    requestAnimationFrame(frame);
  }
}

// Paint the rows for the view as it is now: wider than it where that takes long, so that panning shows no blank border.
function* painted(job) {
  const v = {
      ...view
    },
    wide = Math.round(plan.width * ratio),
    margin = slow > 14 && !isPrinting ? Math.round(wide * .2) : 0,
    scale = wide / (v.t1 - v.t0);
  const origin = Math.round(v.t0 * scale) - margin,
    width = wide + 2 * margin,
    began = performance.now();
  let busy = 0,
    slice = began;
  const target = job.canvas;
  if (target.width !== width || target.height !== canvas.height) {
    target.width = width;
    target.height = canvas.height;
  }
  const to = target.getContext("2d", {
    alpha: false
  });
  to.fillStyle = colour.gap; // else it is black, and seen where paper or a stretched picture mixes pixels
  to.fillRect(0, 0, width, target.height);
  for (const panel of plan.panels) {
    const rows = rowLayout(panel.run.bands, panel.height, v.zoom, v.part);
    for (const place of rows.places) {
      const first = Math.round((panel.plot + place.first) * ratio),
        height = Math.round((panel.plot + place.last) * ratio) - first;
      if (!(height > 0)) continue; // nor is there any before a chart has been laid out
      const key = `${width}x${height}`;
      let image = images.get(key);
      if (!image) {
        if (images.size > 24) images.clear();
        images.set(key, image = new ImageData(width, height));
      }
      const [even, odd] = (place.band.isReduce ? colour.reduce_rows : colour.map_rows).map(numberOf);
      const pixels = new Uint32Array(image.data.buffer);
      const steps = (place.isFolded ? paintFolded : paintBand)(pixels, width, height, panel.run, place.band, {
        origin,
        scale,
        top: (panel.plot + place.top) * ratio - first,
        rowHeight: rows.rowHeight * ratio,
        even,
        odd,
        stripe: place.band.stripe,
        gap: numberOf(colour.gap),
        own: place.band.own,
        hasPatterns: rows.rowHeight >= PATTERN_ROW,
        borrowed: selected < 0 ? numberOf(colour.text) : blend(numberOf(colour.text), numberOf(colour.map_rows[
          0]), FADED),
        selected: chosenIn(panel.run)
      });
      while (!steps.next().done)
        if (!isPrinting && performance.now() - slice > SLICE) {
          busy += performance.now() - slice;
          yield;
          slice = performance.now();
        }
      to.putImageData(image, 0, first);
    }
    for (const strip of stripsOf({
        ...panel,
        rows
      })) {
      if (!isPrinting && performance.now() - slice > SLICE) {
        busy += performance.now() - slice;
        yield;
        slice = performance.now();
      }
      paintStrip(to, width, panel.run, strip, rows.strip, origin, scale);
    }
  }
  slow = busy + performance.now() - slice;
  return {
    canvas: target,
    view: v,
    scale,
    origin,
    width,
    version: job.version
  };
}

// Draw one frame.
function frame(time) {
  isAsked = false;
  const passed = Math.min(60, time - lastTime),
    near = calm.matches ? 1 : 1 - Math.exp(-passed / 55);
  let moves = false;
  lastTime = time;
  for (const key of Object.keys(view)) {
    const away = goal[key] - view[key],
      least = (key[0] === "t" ? goal.t1 - goal.t0 : goal[key] || 1) * 2e-4;
    if (Math.abs(away) <= least) view[key] = goal[key];
    else {
      view[key] += away * near;
      moves = true;
    }
  }
  if (playing) {
    now += passed / 1000 * span / 14;
    if (now >= span) stop();
  }
  placeRows();
  paintSome();
  draw();
  const isStill = !moves && !playing && !painting && isExact();
  if (!isStill || findUse()) ask();
}

const isExact = () => picture && picture.version === version && same(picture.view, view);

function paintSome() {
  if (isExact()) return;
  if (!painting) {
    painting = {
      canvas: spare || document.createElement("canvas"),
      version
    };
    spare = null;
    painting.steps = painted(painting);
  }
  const step = painting.steps.next();
  if (!step.done) return;
  spare = picture && picture.canvas;
  picture = step.value;
  painting = null;
  if (canvas.style.visibility !== "visible") {
    canvas.style.visibility = "visible";
    performance.mark("picture");
  }
}

function draw() {
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = colour.window;
  pen.fillRect(0, 0, plan.whole + 1, plan.height + 1);
  drawPicture();
  const ticks = ticksInView(),
    playhead = now < span ? X(now) : Infinity;
  for (const panel of plan.panels) drawPanel(panel, ticks, playhead);
  drawAxis(ticks, playhead);
  drawMore();
}

function drawPicture() {
  if (!picture) return;
  const scale = plan.width * ratio / (view.t1 - view.t0),
    grown = scale / picture.scale,
    x = picture.origin * grown - view.t0 * scale;
  pen.save();
  pen.beginPath();
  for (const panel of plan.panels)
    for (const {
        y
      } of stripsOf(panel)) pen.rect(plan.left, y, plan.width, panel.rows.strip);
  for (const panel of plan.panels)
    for (const place of panel.rows.places)
      if (place.last > place.first) pen.rect(plan.left, panel.plot + place.first, plan.width, place.last - place
        .first);
  pen.clip();
  pen.fillStyle = colour.lane;
  pen.fillRect(plan.left, 0, plan.width, plan.height);
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.imageSmoothingEnabled = false; // it lasts for some frames only
  pen.drawImage(picture.canvas, Math.round(plan.left * ratio) + (grown === 1 ? Math.round(x) : x), 0, picture.width *
    grown, picture.canvas.height);
  pen.restore();
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
}

function ticksInView() {
  const least = (view.t1 - view.t0) * facts.tick / Math.max(2, plan.width / (plan.small ? 84 : 110)),
    step = STEPS_OF_TIME.find(each => each >= least) || STEPS_OF_TIME.at(-1),
    apart = step / facts.tick,
    at = [];
  for (let time = Math.max(0, Math.ceil(view.t0 / apart)) * apart; time <= view.t1; time += apart) at.push(time);
  return {
    at,
    step
  };
}

function line(x, from, to, css, width = 1, dash = []) {
  if (x < plan.left - 1 || x > plan.left + plan.width + 1) return;
  pen.setLineDash(dash);
  pen.strokeStyle = css;
  pen.lineWidth = width;
  pen.beginPath();
  x = Math.round(x * ratio) / ratio + (width % 2 ? .5 / ratio : 0);
  pen.moveTo(x, from);
  pen.lineTo(x, to);
  pen.stroke();
  pen.setLineDash([]);
}
// Draw a flag at a line, moved aside where others are; left out where there is no room.
function flag(text, x, y, fill, ink, border, taken) {
  const width = textWidth(text, 11.5, 500) + 12,
    right = plan.left + plan.width;
  let from = Math.min(right - width, Math.max(plan.left, x - width / 2));
  for (const [a, b] of taken)
    if (from < b + 4 && from + width > a - 4) from = x >= (a + b) / 2 && b + 4 + width <= right ? b + 4 : a - 4 -
      width;
  if (from < plan.left || taken.some(([a, b]) => from < b && from + width > a)) return;
  taken.push([from, from + width]);
  pen.beginPath();
  pen.roundRect(from, y, width, 17, 4);
  pen.fillStyle = fill;
  pen.fill();
  if (border) {
    pen.strokeStyle = border;
    pen.lineWidth = 1;
    pen.stroke();
  }
  write(text, from + 6, y + 12.5, ink, 11.5, "left", 500);
}
