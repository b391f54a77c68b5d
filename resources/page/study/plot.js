// What the plots of a study share: axes, what is shown, and which mark is meant.
// A mark has a place in the plot, words, its places on the axes of the study, what it opens, and its row of the table.

class StudyPlot {
  constructor(own) {
    this.own = own;
    this.x = axisOf(own.x);
    this.y = axisOf(own.y);
    this.left = new Set(); // series that are left out
    this.all = [];
  }
  // Whether a mark is shown: its series is, and so are its places on all axes.
  shows(mark, without) {
    return !this.left.has(mark.series) && mark.at.every((place, axis) => !without[axis]?.has(place));
  }
  // Take what is shown now.
  filter(without) {
    this.shown = this.all.filter(mark => this.shows(mark, without));
    for (const axis of [this.x, this.y])
      if (axis instanceof PlaceAxis) {
        const number = axis === this.x ? "column" : "row";
        axis.keep([...new Set(this.shown.map(mark => mark[number]))].sort((a, b) => a - b));
      }
  }
  // Draw into an element of SVG of a size.
  draw(svg, width, height) {
    this.measure();
    const rows = this.y.ticks(height - 60, 46),
      most = Math.min(width * .34, Math.max(...rows.map(([, text]) => textWidth(text, AXIS_TEXT)), 8)),
      turned = this.turnsLabels(width - most - 40),
      foot = turned ? Math.min(96, 16 + Math.max(...this.x.ticks(width, 70).map(([, text]) => textWidth(text, AXIS_TEXT))) * .6) : 18;
    this.area = {
      left: Math.ceil(most) + 34,
      top: 12,
      right: width - 14,
      bottom: height - foot - 24
    };
    this.width = width;
    svg.replaceChildren();
    this.drawAxes(svg, most, turned, height);
    this.paint(svg);
    svg.append(this.ring = shape("path", {
      class: "ring"
    }));
  }
  px(x) {
    const {
      left,
      right
    } = this.area;
    return left + (this.x.at(x) - this.x.low) / (this.x.high - this.x.low) * (right - left);
  }
  py(y) {
    const {
      top,
      bottom
    } = this.area;
    return bottom - (this.y.at(y) - this.y.low) / (this.y.high - this.y.low) * (bottom - top);
  }
  // Whether the labels of x have no room beside one another.
  turnsLabels(length) {
    const ticks = this.x.ticks(length, 70);
    if (!(this.x instanceof PlaceAxis) || this.x.scale === "even") return false;
    const wide = this.x.high - this.x.low || 1;
    return ticks.some(([x, text], i) => i && (x - ticks[i - 1][0]) / wide * length < (textWidth(text, AXIS_TEXT) + textWidth(ticks[i - 1][1], AXIS_TEXT)) / 2 + 6);
  }
  drawAxes(svg, room, turned, height) {
    const {
      left,
      top,
      right,
      bottom
    } = this.area, columns = this.x.ticks(right - left, 70), rows = this.y.ticks(bottom - top, 46);
    let last = -Infinity;
    for (const [x, text] of columns) {
      const at = left + (x - this.x.low) / (this.x.high - this.x.low) * (right - left);
      if (this.hasGrid) svg.append(shape("path", {
        class: "grid",
        d: `M${at.toFixed(1)} ${top}V${bottom}`
      }));
      if (at - last < (turned ? 13 : 0)) continue;
      last = at;
      svg.append(turned ? label(cut(text, 118, AXIS_TEXT), at + 4, bottom + 13, "end", "", -38) : label(text, at, bottom + 15, "middle"));
    }
    last = Infinity;
    for (const [y, text] of rows) {
      const at = bottom - (y - this.y.low) / (this.y.high - this.y.low) * (bottom - top);
      if (this.hasGrid) svg.append(shape("path", {
        class: "grid",
        d: `M${left} ${at.toFixed(1)}H${right}`
      }));
      if (last - at < 12) continue;
      last = at;
      svg.append(label(cut(text, room, AXIS_TEXT), left - 6, at + 4, "end"));
    }
    svg.append(shape("path", {
      class: "frame",
      d: `M${left} ${top}V${bottom}H${right}`
    }));
    svg.append(label(cut(this.x.title, right - left, 12), (left + right) / 2, height - 7, "middle", "title"));
    svg.append(label(cut(this.y.title, bottom - top, 12), 13, (top + bottom) / 2, "middle", "title", -90));
  }
  get hasGrid() {
    return true;
  }
  // Return where a mark lies in pixels: left, top, width and height; 0 wide and high for a point.
  boxOf(mark) {
    return [this.px(mark.x), this.py(mark.y), 0, 0];
  }
  // Return the mark that is meant at a pixel, or null.
  markAt(x, y) {
    let best = null,
      near = 30;
    for (const mark of this.shown) {
      const [left, top] = this.boxOf(mark),
        apart = Math.hypot(left - x, top - y);
      if (apart < near)[best, near] = [mark, apart];
    }
    return best;
  }
  // Put the ring around a mark, or nowhere.
  point(mark) {
    this.pointed = mark;
    if (!this.ring) return;
    if (!mark) this.ring.removeAttribute("d");
    else {
      const [left, top, wide, high] = this.boxOf(mark);
      this.ring.setAttribute("d", wide ? `M${left} ${top}h${wide}v${high}h${-wide}Z` : signPath(0, left, top, 7));
    }
  }
}
