// Verdicts as in the window, from what was worked out before: nothing is simulated here.

const SAME_TIME = 1e-9;

// Round as Python does: halves to the even neighbour.
function rounded(number) {
  const low = Math.floor(number),
    rest = number - low;
  return rest > .5 || rest === .5 && low % 2 ? low + 1 : low;
}

// Return a duration to the millisecond: "12.5 s", "10 min 00 s", "2 h 38 min 37.772 s".
function exactDuration(s) {
  const all = rounded(s * 1000),
    whole = Math.floor(all / 1000),
    rest = all % 1000 ? "." + String(all % 1000).padStart(3, "0").replace(/0+$/, "") : "";
  if (whole < 60) return `${whole}${rest} s`;
  const minutes = `${Math.floor(whole / 60) % 60} min ${two(whole % 60)}${rest} s`;
  if (whole < 3600) return minutes;
  const hours = `${Math.floor(whole / 3600)} h ${two(Math.floor(whole / 60) % 60)} min`;
  return whole % 60 || rest ? `${hours} ${two(whole % 60)}${rest} s` : hours;
}

// Return a part in percent with one digit; what lies halfway goes to the even neighbour.
function percentText(share) {
  const all = share * 100,
    tenths = Math.floor(all * 10),
    isHalf = all * 4 % 2 === 1;
  return `${isHalf ? ((tenths % 2 ? tenths + 1 : tenths) / 10).toFixed(1) : all.toFixed(1)} %`;
}

// Return whether a number is right, and how near it is.
function nearness(judged, answer) {
  const off = answer - judged.number,
    isRight = Math.abs(off) <= judged.allowed * (1 + SAME_TIME);
  if (Math.abs(off) <= SAME_TIME * Math.max(1, Math.abs(judged.number))) return [isRight, "Exactly."];
  const part = judged.number ? ` (${percentText(Math.abs(off) / judged.number)})` : "";
  return [isRight, `${exactDuration(Math.abs(off))}${part} too ${off > 0 ? "much" : "little"}.`];
}

// Return the verdict on an answer, or null where it is not known: { right, near, truth, reasons, after, look, lifts }.
function verdictOn(form, judged, answer) {
  if (form === "list") return judged.verdicts[answer];
  if (form === "order") return judged.orders[answer.join(" ")] || null;
  if (form === "hand") return judged.right;
  const [right, near] = nearness(judged, answer);
  return {
    ...judged.right,
    right,
    near
  };
}
