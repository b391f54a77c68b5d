// Times in words, spelled as everywhere in Slotscope: durations "1 min 42 s", instants "1:42".

const two = number => String(number).padStart(2, "0");
const seconds = ticks => ticks * facts.tick;

// Return a number rounded as everywhere in Slotscope: halves to even ones.
function evenly(number) {
  const low = Math.floor(number);
  return number - low === .5 ? low + low % 2 : Math.round(number);
}

// Return how long something takes.
function durationText(s) {
  if (!Number.isFinite(s)) return "–";
  if (Math.round(s * 10) / 10 < 10) {
    const digits = s >= 1 ? 1 : 2 - Math.floor(Math.log10(Math.max(s, .001)) + 1);
    return `${+s.toFixed(digits)} s`;
  }
  const whole = Math.round(s),
    minutes = Math.round(s / 60),
    hours = Math.round(s / 3600);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${whole / 60 | 0} min ${two(whole % 60)} s`;
  if (minutes < 1440) return `${minutes / 60 | 0} h ${two(minutes % 60)} min`;
  return `${hours / 24 | 0} d ${two(hours % 24)} h`;
}

// Return an instant; `step` is how far apart neighbouring instants are, in seconds.
function clockText(ticks, step = 1) {
  if (!Number.isFinite(ticks)) return "–";
  const digits = step >= 1 ? 0 : Math.min(6, Math.ceil(-Math.log10(step) - 1e-9));
  const whole = 10 ** digits,
    all = evenly(Math.max(0, seconds(ticks)) * whole),
    s = Math.floor(all / whole),
    rest = digits ? "." + String(all % whole).padStart(digits, "0") : "";
  const h = Math.floor(s / 3600),
    m = Math.floor(s / 60) % 60;
  if (h >= 48) return `${Math.floor(h / 24)} d ${two(h % 24)}:${two(m)}`;
  return h ? `${h}:${two(m)}:${two(s % 60)}${rest}` : `${m}:${two(s % 60)}${rest}`;
}

const counted = number => number.toLocaleString("en").replaceAll(",", "\u202f");
const plural = (number, one) => `${counted(number)} ${one}${number === 1 ? "" : "s"}`;
