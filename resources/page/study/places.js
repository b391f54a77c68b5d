// The schedules of a place that was clicked: they were simulated when the page was written.

const opening = {
  turn: 0, // counts what was asked for: what comes late is not shown
  isListening: false
};

async function jsonOf(packed) {
  return JSON.parse(new TextDecoder().decode(await inflated(bytesOf(packed))));
}

// Return why this page has no schedules of a place, and what to do.
function whyNone(number) {
  const why = places[number][2],
    has = aboutStudy.schedules.length;
  if (why) return `There is nothing to draw: ${why}.`;
  if (aboutStudy.whyNone) return aboutStudy.whyNone;
  return `This page has the schedules of ${has} of ${plural(places.length, "place")}, and not of this one. ` +
    "Whoever wrote it can put more inside, with --places and --mb of slotscope study page; in the study window of Slotscope every place opens.";
}

// Show the schedules of a place, or why there are none.
async function openPlace(number) {
  const turn = ++opening.turn,
    [name, own] = places[number];
  let shown = null;
  if (own >= 0) {
    const [packed, data] = aboutStudy.schedules[own], found = await jsonOf(packed);
    found.themes = withRoles(found, rolesOfStudy);
    shown = [found, await unpackedRuns(found, data)];
    if (turn !== opening.turn) return;
  }
  element("opened").hidden = false;
  element("whose").textContent = `Schedules of ${name}`;
  element("none").hidden = own >= 0;
  element("charts").hidden = own < 0;
  if (shown) {
    facts = shown[0];
    variant = 0;
    drawBars();
    showRuns(...shown);
    if (!opening.isListening) listen();
    opening.isListening = true;
    say(`Schedules of ${name}: ${runs.map(runWords).join(", ")}`);
  } else {
    element("none").textContent = whyNone(number);
    say(whyNone(number));
  }
  element("whose").focus({
    preventScroll: true
  });
  element("opened").scrollIntoView({
    behavior: calm.matches ? "auto" : "smooth",
    block: "start"
  });
}
