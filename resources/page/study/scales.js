// Where values lie along an axis of a picture, and how they are written.

const MINUS = "\u2212",
  HALF = .5,
  AXIS_ROOM = .06, // beside the outermost marks, as a part of what lies between them
  FROM_ZERO = .35, // an axis begins at 0 where the smallest is below this part of the largest
  AXIS_TEXT = 11.5;

// Return a number with four digits: "12.5", "2 400 000", "1.5e-07".
function numberText(value) {
  const size = Math.abs(value);
  if (size >= 1e4) return value < 0 ? "-" + counted(Math.round(size)) : counted(Math.round(size));
  if (!size || size >= 1e-4) return String(+value.toPrecision(4));
  const [head, power] = value.toExponential(3).split("e");
  return `${+head}e-${String(-power).padStart(2, "0")}`;
}

// Return a value with its unit: "2 min 05 s", "12.5 %", "64 slots".
function valueText(value, unit) {
  if (!Number.isFinite(value)) return "–";
  if (unit === "s") return value < 0 ? MINUS + durationText(-value) : durationText(value);
  return unit ? `${numberText(value)} ${unit}` : numberText(value);
}

// Return seconds as a clock has them.
const instantText = (time, step) => (time < 0 ? MINUS : "") + clockText(Math.abs(time) / facts.tick, step);

// Return round values from low to high, about so many, and how far they are apart.
function roundValues(low, high, most, isTime) {
  const least = (high - low) / Math.max(1, most),
    power = 10 ** Math.floor(Math.log10(least || 1)),
    apart = (isTime && least >= 1 && STEPS_OF_TIME.find(each => each >= least)) || [1, 2, 5, 10].map(each => each * power)
    .find(each => each >= least * .999) || power,
    found = [];
  for (let i = Math.ceil(low / apart - 1e-9); i * apart <= high + apart * 1e-9; i++) found.push(+(i * apart).toPrecision(12));
  return [found, apart];
}

// An axis of numbers with a unit.
class NumberAxis {
  constructor([title, unit]) {
    this.unit = unit;
    this.title = unit && unit !== "s" ? `${title} (${unit})` : title;
    this.heading = title;
  }
  at(value) {
    return value;
  }
  label(value) {
    return valueText(value, this.unit);
  }
  // Show all of some values, from 0 where that is near or they are lengths.
  show(values, isFromZero = true) {
    const low = Math.min(...values),
      high = Math.max(...values);
    if (!values.length) [this.low, this.high] = [0, 1];
    else if (isFromZero && low >= 0 && low < FROM_ZERO * high) [this.low, this.high] = [0, high * (1 + AXIS_ROOM)];
    else {
      const room = AXIS_ROOM * (high - low) || Math.max(Math.abs(high) * AXIS_ROOM, HALF);
      [this.low, this.high] = [low - room, high + room];
    }
  }
  ticks(length, each) {
    const isTime = this.unit === "s",
      [values, step] = roundValues(this.low, this.high, Math.max(2, length / each), isTime);
    return values.map(value => [value, isTime ? instantText(value, step) : Math.abs(value) >= 1e4 ? numberText(value) :
      String(+value.toPrecision(6))
    ]);
  }
}

// An axis of the values of the study: words have a place each, numbers lie by their size, or by their factors.
class PlaceAxis {
  constructor({
    title,
    labels,
    places,
    scale
  }) {
    Object.assign(this, {
      title,
      labels,
      places,
      scale
    });
    this.heading = title;
    this.isWords = scale === "words";
    this.kept = labels.map((_, place) => place);
  }
  // Keep some of the labels, by their places, ascending: words move together.
  keep(places) {
    this.kept = places;
  }
  // Return which label lies at a number of the picture.
  nearest(x) {
    if (this.isWords) return Math.round(x);
    let best = 0;
    this.places.forEach((place, number) => {
      if (Math.abs(place - x) < Math.abs(this.places[best] - x)) best = number;
    });
    return best;
  }
  at(x) {
    if (!this.isWords) return x;
    const place = Math.round(x);
    return this.kept.indexOf(place) + x - place;
  }
  label(x) {
    return this.labels[this.nearest(x)];
  }
  show(values) {
    if (this.isWords) {
      [this.low, this.high] = [-HALF, Math.max(1, this.kept.length) - HALF];
      return;
    }
    const all = [...values, ...this.kept.map(place => this.places[place])],
      low = Math.min(...all),
      high = Math.max(...all),
      room = AXIS_ROOM * (high - low) || HALF;
    [this.low, this.high] = all.length ? [low - room, high + room] : [0, 1];
  }
  ticks(length, each) {
    const texts = this.kept.map(place => [this.isWords ? this.at(place) : this.places[place], this.labels[place]]);
    if (this.scale !== "even") return texts;
    const pixels = texts.map(([x]) => (x - this.low) / (this.high - this.low) * length),
      widest = Math.max(0, ...texts.map(([, text]) => textWidth(text, AXIS_TEXT))) + 8;
    if (pixels.every((x, i) => !i || x - pixels[i - 1] >= Math.min(each, widest))) return texts;
    const [values] = roundValues(this.low, this.high, Math.max(2, length / each), false);
    return values.map(value => [value, String(+value.toPrecision(6))]);
  }
}

const axisOf = shown => Array.isArray(shown) ? new NumberAxis(shown) : new PlaceAxis(shown);
