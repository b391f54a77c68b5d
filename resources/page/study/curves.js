// Curves, bars, boxes and steps, with their spread and what a paper says of them.
class CurvesPlot extends StudyPlot {
  constructor(own) {
    super(own);
    own.curves.forEach((curve, series) => curve.xs.forEach((x, i) => {
      const base = curve.base ? curve.base[i] : 0,
        low = curve.low ? curve.low[i] : curve.ys[i],
        high = curve.high ? curve.high[i] : curve.ys[i];
      this.all.push({
        series: curve.published ? own.curves.findIndex(each => !each.published && each.colour === curve.colour) : series,
        curve,
        number: i,
        x,
        y: base + curve.ys[i],
        base,
        low,
        high,
        column: this.x instanceof PlaceAxis ? this.x.nearest(x) : 0,
        row: 0,
        at: curve.at[i],
        opens: curve.opens[i],
        text: curve.texts[i],
        more: this.moreOf(curve, i),
        cells: [curve.name, this.x.label(x), curve.ys[i], ...curve.low ? [low, high] : [null, null], curve.counts[i] ?? null]
      });
    }));
  }
  // Return what the card says of a mark beside its text: what its spread is, and of how many seeds.
  moreOf(curve, i) {
    if (curve.published || / seeds/.test(curve.texts[i])) return "";
    if (this.own.spread && curve.high?.[i] > curve.low?.[i]) return this.own.spread;
    return curve.counts[i] ? plural(curve.counts[i], "seed") : "";
  }
  get columns() {
    const {
      unit,
      heading
    } = this.y;
    return [
      ["curve"],
      [this.x.heading, this.x.unit],
      [heading, unit],
      ["from", unit],
      ["to", unit],
      ["seeds", ""]
    ];
  }
  measure() {
    const reach = this.shown.flatMap(({
        x,
        curve
      }) => this.x.isWords ? [] : [x - curve.width / 2, x + curve.width / 2]),
      bars = this.shown.some(mark => mark.curve.mark === "bars");
    this.x.show(reach);
    if (this.own.isPart) {
      [this.y.low, this.y.high] = [0, 102];
      return;
    }
    const claims = this.claims().flatMap(claim => [claim.least, claim.most]).filter(each => each !== null);
    this.y.show([...this.shown.flatMap(mark => [mark.y, mark.base + mark.low, mark.base + mark.high]), ...claims, ...bars ? [0] : []]);
  }
  // Return what a paper says of whole curves that are shown.
  claims() {
    return (this.own.claims || []).filter(claim => this.shown.some(mark => mark.curve.colour === claim.colour));
  }
  // Return the shown marks of each curve, in its order.
  parts() {
    const found = new Map();
    for (const mark of this.shown) found.has(mark.curve) ? found.get(mark.curve).push(mark) : found.set(mark.curve, [mark]);
    return found;
  }
  inkOf(curve) {
    return curve.onBars ? "var(--text)" : curveColour(curve.colour);
  }
  paint(svg) {
    const parts = this.parts(),
      spread = [...parts.keys()].filter(curve => curve.low && curve.mark !== "boxes");
    for (const claim of this.claims()) this.paintClaim(svg, claim);
    for (const [curve, marks] of parts) {
      if (curve.mark === "bars") this.paintBars(svg, curve, marks);
      else if (curve.mark === "boxes") this.paintBoxes(svg, curve, marks);
      else this.paintLine(svg, curve, marks);
    }
    spread.forEach((curve, place) => {
      if (spread.length === 1 && curve.mark === "line") this.paintBand(svg, curve, parts.get(curve));
      else this.paintSpread(svg, curve, parts.get(curve), curve.mark === "bars" ? 0 : (place - (spread.length - 1) / 2) * 3);
    });
  }
  paintClaim(svg, claim) {
    const {
      left,
      top,
      right,
      bottom
    } = this.area, stroke = curveColour(claim.colour), low = claim.least === null ? bottom : this.py(claim.least), high = claim.most === null ? top : this.py(claim.most);
    if (low > high) svg.append(shape("rect", {
      x: left,
      y: high,
      width: right - left,
      height: low - high,
      fill: stroke,
      "fill-opacity": String(CLAIM_OPACITY)
    }));
    for (const end of new Set([claim.least, claim.most])) {
      if (end !== null) svg.append(shape("path", {
        d: `M${left} ${this.py(end).toFixed(1)}H${right}`,
        stroke,
        "stroke-width": 1.4,
        "stroke-dasharray": PAPER_DASH
      }));
    }
  }
  // Return half the width of bars in pixels.
  halfOf(curve) {
    const {
      left,
      right
    } = this.area;
    return curve.width / (this.x.high - this.x.low) * (right - left) / 2;
  }
  paintBars(svg, curve, marks) {
    const half = this.halfOf(curve);
    for (const mark of marks) {
      const [x, y] = this.boxOf(mark), foot = this.py(mark.base);
      svg.append(shape("rect", {
        x: x - half,
        y: Math.min(y, foot),
        width: 2 * half,
        height: Math.abs(foot - y),
        fill: this.inkOf(curve),
        stroke: "var(--plot)"
      }));
      const text = valueText(curve.ys[mark.number], this.y.unit);
      if (!curve.base && !curve.low && textWidth(text, 11) < 2 * half) svg.append(label(text, x, Math.min(y, foot) - 4, "middle", "value"));
    }
  }
  paintBoxes(svg, curve, marks) {
    const half = Math.max(3, this.halfOf(curve));
    for (const mark of marks) svg.append(shape("rect", {
      x: this.px(mark.x) - half,
      y: this.py(mark.high),
      width: 2 * half,
      height: Math.max(1, this.py(mark.low) - this.py(mark.high)),
      fill: "none",
      stroke: this.inkOf(curve),
      "stroke-width": 1.4,
      "stroke-dasharray": PAPER_DASH
    }));
  }
  paintLine(svg, curve, marks) {
    const stroke = this.inkOf(curve),
      points = marks.map(mark => this.boxOf(mark));
    if (curve.mark !== "points") {
      const way = curve.mark === "steps" ? points.map(([x, y], i) => i ? `H${x.toFixed(1)}V${y.toFixed(1)}` : `M${x.toFixed(1)} ${y.toFixed(1)}`).join("") : pathOf(points);
      svg.append(shape("path", {
        d: way,
        fill: "none",
        stroke,
        "stroke-width": curve.published ? 1.2 : 2,
        "stroke-linejoin": "round",
        "stroke-dasharray": curve.published ? PAPER_DASH : dashOf(curve.colour, curve.dash)
      }));
    }
    if (curve.mark === "steps" || marks.length > MAX_SIGNS) return;
    for (const [x, y] of points) svg.append(shape("path", {
      d: signPath(curve.onBars ? 3 : curve.colour % SIGNS, x, y, curve.published ? 4.4 : 4),
      fill: curve.published ? "var(--plot)" : stroke,
      stroke,
      "stroke-width": 1.4
    }));
  }
  paintBand(svg, curve, marks) {
    const low = marks.map(mark => [this.px(mark.x), this.py(mark.low)]),
      high = marks.map(mark => [this.px(mark.x), this.py(mark.high)]).reverse(),
      own = shape("path", {
        d: pathOf([...low, ...high]) + "Z",
        fill: this.inkOf(curve),
        "fill-opacity": String(BAND_OPACITY),
        class: "band"
      });
    svg.prepend(own);
    return own;
  }
  paintSpread(svg, curve, marks, aside) {
    const stroke = curve.mark === "bars" ? "var(--text)" : this.inkOf(curve);
    if (marks.length > MAX_SIGNS) {
      for (const end of ["low", "high"]) svg.append(shape("path", {
        d: pathOf(marks.map(mark => [this.px(mark.x), this.py(mark[end])])),
        fill: "none",
        stroke,
        "stroke-opacity": ".5"
      }));
      return;
    }
    const d = marks.map(mark => {
      const x = this.px(mark.x) + aside,
        [low, high] = [mark.low, mark.high].map(end => this.py(mark.base + end));
      return `M${(x - 3).toFixed(1)} ${low.toFixed(1)}h6m-3 0V${high.toFixed(1)}m-3 0h6`;
    }).join("");
    svg.append(shape("path", {
      d,
      fill: "none",
      stroke,
      "stroke-width": 1.3
    }));
  }
  // Fill the band of the curve that is pointed at: those of several curves at once would mix.
  point(mark) {
    super.point(mark);
    this.band?.remove();
    this.band = null;
    if (mark?.curve.low && mark.curve.mark === "line" && this.ring) this.band = this.paintBand(this.ring.parentNode, mark.curve, this.parts().get(mark.curve));
  }
  legend() {
    const own = [];
    this.own.curves.forEach((curve, series) => {
      const name = curve.name;
      if (!own.some(each => each.name === name)) own.push({
        name,
        series: curve.published ? -1 : series,
        sign: this.signOf(curve)
      });
    });
    for (const claim of this.own.claims || []) own.push({
      name: claim.text,
      series: -1,
      sign: sample(22, shape("rect", {
        width: 22,
        height: 12,
        fill: curveColour(claim.colour),
        "fill-opacity": String(CLAIM_OPACITY * 2)
      }))
    });
    if (this.own.spread && this.own.curves.some(curve => curve.low)) own.push({
      name: this.own.spread,
      series: -1,
      sign: sample(10, shape("path", {
        d: "M2 1h6m-3 0V11m-3 0h6",
        fill: "none",
        stroke: "var(--text)"
      }))
    });
    return own.length > 1 ? own : [];
  }
  signOf(curve) {
    const stroke = this.inkOf(curve);
    if (curve.mark === "bars") return sample(14, shape("rect", {
      width: 14,
      height: 12,
      fill: stroke
    }));
    if (curve.mark === "boxes") return sample(16, shape("rect", {
      x: 2,
      y: 1,
      width: 12,
      height: 10,
      fill: "none",
      stroke,
      "stroke-dasharray": "4 3"
    }));
    const line = curve.mark === "points" ? [] : [shape("path", {
        d: "M0 6H26",
        stroke,
        "stroke-width": 2,
        "stroke-dasharray": curve.published ? PAPER_DASH : dashOf(curve.colour, curve.dash)
      })],
      mark = curve.mark === "steps" ? [] : [shape("path", {
        d: signPath(curve.onBars ? 3 : curve.colour % SIGNS, 13, 6, 4),
        fill: curve.published ? "var(--plot)" : stroke,
        stroke
      })];
    return sample(26, ...line, ...mark);
  }
}
