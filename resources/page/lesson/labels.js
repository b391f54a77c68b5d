// Labels that point at tasks, gaps and places of the charts, and the time at which a step stands.

const LABEL_WIDTH = 200,
  LABEL_AWAY = [26, 12, 44, 72],
  LABEL_SIDES = [
    [1, -1],
    [1, 1],
    [-1, -1],
    [-1, 1],
    [0, -1],
    [0, 1],
    [1, 0],
    [-1, 0]
  ];

// Return what a label points at, in pixels: { x, y, width, height }; null where that is not in view.
function targetOf(panel, label) {
  const right = plan.left + plan.width,
    begin = label.begin / facts.tick,
    end = label.end / facts.tick,
    h = panel.rows.rowHeight;
  let top = panel.plot,
    bottom = panel.bottom;
  if (label.row >= 0) {
    const place = panel.rows.places.find(({
      band
    }) => label.row >= band.at && label.row < band.at + band.rows);
    if (!place || place.isFolded) return null;
    top = panel.plot + place.top + (label.row - place.band.at) * h;
    bottom = top + (label.last - label.row + 1) * h;
  }
  let x = Math.max(plan.left, X(begin)),
    until = Math.min(right, X(Math.min(end, panel.run.veil)));
  if (begin > panel.run.veil || X(end) < plan.left || x > right || (top + bottom) / 2 < panel.plot || (top + bottom) /
    2 > panel.bottom) return null;
  if (until - x < 6) {
    x = (x + until) / 2 - 3;
    until = x + 6;
  }
  return {
    x,
    y: top,
    width: until - x,
    height: Math.max(2, bottom - top - 1)
  };
}

// Return a text in lines that fit into a width.
function linesOf(text, width) {
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && textWidth(longer, 12, 600) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

// Return where a label lies: beside its target, where it covers the least of what is taken.
function besideTarget(panel, target, width, height, taken) {
  const low = panel.plot,
    deep = Math.max(low, panel.bottom - height),
    middle = target.x + target.width / 2,
    centre = target.y + target.height / 2;
  let best = null,
    least = Infinity;
  for (const away of LABEL_AWAY)
    for (const [across, down] of LABEL_SIDES) {
      const far = down ? width / 2 + away : (target.width + width) / 2 + away,
        box = {
          x: Math.min(Math.max(middle - width / 2 + across * far, plan.left + 2), plan.left + plan.width - width - 2),
          y: Math.min(Math.max(centre - height / 2 + down * ((target.height + height) / 2 + away), low), deep),
          width,
          height
        },
        covered = taken.reduce((sum, other) => sum + Math.max(0, Math.min(box.x + width, other.x + other.width) - Math
          .max(box.x, other.x)) * Math.max(0, Math.min(box.y + height, other.y + other.height) - Math.max(box.y, other
          .y)), 0);
      if (covered < least) {
        least = covered;
        best = box;
      }
    }
  return best;
}

function drawLabels(panel) {
  const seen = (panel.run.labels || []).map(label => ({
      label,
      target: targetOf(panel, label)
    })).filter(each => each.target),
    taken = seen.map(each => each.target);
  for (const each of seen) {
    each.lines = linesOf(each.label.text, Math.min(LABEL_WIDTH, plan.width - 24));
    const width = Math.max(...each.lines.map(text => textWidth(text, 12, 600))) + 16;
    each.box = besideTarget(panel, each.target, width, each.lines.length * 16 + 8, taken);
    taken.push(each.box);
  }
  for (const {
      target,
      box
    } of seen) drawPointer(target, box);
  for (const {
      target,
      box,
      lines
    } of seen) {
    outline(target, 2, null);
    outline(box, 6, colour.card);
    lines.forEach((text, i) => write(text, box.x + box.width / 2, box.y + 17 + i * 16, colour.text, 12, "center", 600));
  }
}

function outline(box, round, fill) {
  for (const [css, width] of [
      [colour.window, 3.5],
      [colour.accent, 1.8]
    ]) {
    pen.beginPath();
    pen.roundRect(box.x, box.y, box.width, box.height, round);
    if (fill) {
      pen.fillStyle = fill;
      pen.fill();
    }
    pen.strokeStyle = css;
    pen.lineWidth = width;
    pen.stroke();
  }
}

// Draw a line with a tip from a label to the nearest point of its target.
function drawPointer(target, box) {
  const within = (from, size, value) => Math.min(Math.max(value, from), from + size),
    x = within(target.x + 1, Math.max(0, target.width - 2), box.x + box.width / 2),
    y = within(target.y + 1, Math.max(0, target.height - 2), box.y + box.height / 2),
    fromX = within(box.x, box.width, x),
    fromY = within(box.y, box.height, y),
    long = Math.hypot(x - fromX, y - fromY);
  for (const [css, width] of [
      [colour.window, 4],
      [colour.accent, 1.8]
    ]) {
    pen.strokeStyle = css;
    pen.lineWidth = width;
    pen.beginPath();
    pen.moveTo(fromX, fromY);
    pen.lineTo(x, y);
    pen.stroke();
  }
  if (long < 5) return;
  const ux = (x - fromX) / long,
    uy = (y - fromY) / long;
  pen.fillStyle = colour.accent;
  pen.beginPath();
  pen.moveTo(x + ux, y + uy);
  pen.lineTo(x - 10 * ux - 5 * uy, y - 10 * uy + 5 * ux);
  pen.lineTo(x - 10 * ux + 5 * uy, y - 10 * uy - 5 * ux);
  pen.fill();
}

standsAt = () => {
  const time = progressNow().time ?? stepNow().cursor;
  return time === null ? null : time / facts.tick;
};
drawMore = () => plan.panels.forEach(drawLabels);
