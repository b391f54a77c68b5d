// A field for each pair of values of two axes, coloured by a number or by what is best.
class MapPlot extends StudyPlot {
  constructor(own) {
    super(own);
    const named = own.bests || [];
    own.fields.forEach((fields, row) => fields.forEach(([value, note, text, best, at, opens], column) => {
      if (text) this.all.push({
        series: best,
        x: column,
        y: row,
        column,
        row,
        value,
        note,
        at,
        opens,
        text,
        more: "",
        cells: [this.x.labels[column], this.y.labels[row], ...named.length ? [named[best], 100 * value] : [best < 0 ? value : 100 * value]]
      });
    }));
    for (const axis of [this.x, this.y]) axis.isWords = true; // fields are equally wide
    for (const axis of [this.x, this.y]) axis.scale = "words";
  }
  get columns() {
    const own = this.own,
      [title, unit] = own.value,
      axes = [
        [this.x.heading],
        [this.y.heading]
      ];
    if (own.bests) return [...axes, ["best"],
      ["ahead of the next", "%"]
    ];
    return [...axes, this.all[0]?.series >= 0 ? ["worse than the best", "%"] : [title, unit]];
  }
  measure() {
    this.x.show([]);
    this.y.show([]);
  }
  get hasGrid() {
    return false;
  }
  boxOf(mark) {
    const wide = (this.area.right - this.area.left) / (this.x.high - this.x.low),
      high = (this.area.bottom - this.area.top) / (this.y.high - this.y.low);
    return [this.px(mark.x) - wide / 2, this.py(mark.y) - high / 2, wide, high];
  }
  markAt(x, y) {
    return this.shown.find(mark => {
      const [left, top, wide, high] = this.boxOf(mark);
      return x >= left && x < left + wide && y >= top && y < top + high;
    }) || null;
  }
  paint(svg) {
    const {
      shades
    } = this.own, look = shades[isDark && shades.length > 1 ? 1 : 0];
    for (const mark of this.shown) {
      const [left, top, wide, high] = this.boxOf(mark), fill = look[mark.row][mark.column];
      svg.append(shape("rect", {
        x: left,
        y: top,
        width: Math.max(.5, wide - (wide > 4 ? 1 : 0)),
        height: Math.max(.5, high - (high > 4 ? 1 : 0)),
        fill
      }));
      if (high > 15 && textWidth(mark.note, 11) < wide - 6) {
        const text = label(mark.note, left + wide / 2, top + high / 2 + 4, "middle", "value");
        text.style.fill = inkOn(numberOf(fill));
        svg.append(text);
      }
    }
    if (this.own.bests) this.paintBorders(svg);
  }
  // Draw a line wherever another one is best.
  paintBorders(svg) {
    const best = new Map(this.shown.map(mark => [`${this.x.at(mark.x)} ${this.y.at(mark.y)}`, mark.series])),
      differs = (mark, dx, dy) => {
        const other = best.get(`${this.x.at(mark.x) + dx} ${this.y.at(mark.y) + dy}`);
        return other !== undefined && other !== mark.series;
      };
    const d = this.shown.map(mark => {
      const [left, top, wide, high] = this.boxOf(mark);
      return (differs(mark, 1, 0) ? `M${left + wide} ${top}v${high}` : "") + (differs(mark, 0, 1) ? `M${left} ${top}h${wide}` : "");
    }).join("");
    if (d) svg.append(shape("path", {
      d,
      class: "edge"
    }));
  }
  legend() {
    const {
      bests,
      paler,
      ends,
      steps
    } = this.own, patch = fill => sample(14, shape("rect", {
      width: 14,
      height: 12,
      fill
    }));
    if (bests) return [...bests.map((name, series) => ({
      name: `${name} is best`,
      series,
      sign: patch(curveColour(series))
    })), {
      name: paler[0],
      series: -1,
      sign: patch(paler[isDark ? 2 : 1])
    }];
    const own = steps[isDark ? 1 : 0];
    if (!own.length) return [];
    return [{
      name: `${ends[0]} to ${ends[1]}`,
      series: -1,
      sign: sample(90, ...own.map((fill, i) => shape("rect", {
        x: i * 90 / own.length,
        width: 90 / own.length + .5,
        height: 12,
        fill
      })))
    }];
  }
}

// Cells by two measures, and the line through those that no other beats in both.
class FrontPlot extends StudyPlot {
  constructor(own) {
    super(own);
    const names = new Map(own.groups);
    this.all = own.dots.map(dot => ({
      series: dot.group,
      x: dot.x,
      y: dot.y,
      column: 0,
      row: 0,
      at: dot.at,
      opens: dot.opens,
      text: dot.text,
      best: dot.best,
      more: dot.best ? "No other cell is better in both" : "",
      cells: [dot.text.split("\n")[0], names.get(dot.group), dot.x, dot.y, dot.best ? "beaten by none" : ""]
    }));
  }
  get columns() {
    return [
      ["cell"],
      ["group"],
      [this.x.heading, this.x.unit],
      [this.y.heading, this.y.unit],
      [""]
    ];
  }
  measure() {
    this.x.show(this.shown.map(mark => mark.x), false);
    this.y.show(this.shown.map(mark => mark.y), false);
  }
  paint(svg) {
    for (const mark of this.shown) svg.append(shape("path", {
      d: signPath(mark.series % (SIGNS + 1), this.px(mark.x), this.py(mark.y), 4.2),
      fill: curveColour(mark.series),
      stroke: "var(--plot)"
    }));
    const best = this.shown.filter(mark => mark.best).sort((a, b) => a.x - b.x || a.y - b.y);
    if (best.length) svg.append(shape("path", {
      d: pathOf(best.map(mark => [this.px(mark.x), this.py(mark.y)])),
      fill: "none",
      stroke: "var(--accent)",
      "stroke-width": 2
    }));
  }
  legend() {
    return [...this.own.groups.map(([series, name]) => ({
      name,
      series,
      sign: sample(14, shape("path", {
        d: signPath(series % (SIGNS + 1), 7, 6, 5),
        fill: curveColour(series)
      }))
    })), {
      name: "no other is better in both",
      series: -1,
      sign: sample(26, shape("path", {
        d: "M0 6H26",
        stroke: "var(--accent)",
        "stroke-width": 2
      }))
    }];
  }
}

const PLOTS = {
  curves: CurvesPlot,
  map: MapPlot,
  front: FrontPlot
};
