// Show the charts of other runs in the place of those that are shown.

// Return the colours of both themes of some charts: their roles are those of the whole page.
const withRoles = (own, roles) => Object.fromEntries(Object.entries(own.themes).map(([name, colours]) => [name, {
  ...colours,
  roles: roles[name]
}]));

// Draw other runs, from one time to another, in seconds, with a job that stands out.
function showRuns(own, unpacked, zoom, job) {
  facts = own;
  runs = unpacked;
  alone = -1;
  showsPath = playing = false;
  now = Infinity;
  cursor = null;
  playWords();
  span = Math.max(1, ...runs.map(run => run.ends)) * 1.02;
  const [t0, t1] = (zoom || [0, span * facts.tick]).map(time => time / facts.tick);
  span = Math.max(span, t1);
  Object.assign(goal, {
    t0,
    t1,
    zoom: 1,
    part: 0
  });
  Object.assign(view, goal);
  selected = facts.jobs.indexOf(job);
  marks = selected < 0 ? [] : runs.map(run => jobMarks(run, chosenIn(run)));
  element("path").hidden = !runs.some(run => run.path.length);
  element("path").setAttribute("aria-pressed", "false");
  dress(matchMedia("(prefers-color-scheme: dark)").matches);
  mixInks();
  drawLegend();
  layOut();
  tellCharts();
}

// Say what the charts show, on the canvas and in the table behind it.
function tellCharts() {
  canvas.setAttribute("aria-label", `${runs.map(runWords).join(", ")}. ${plural(facts.jobs.length, "job")}. A table of the jobs stands below.`);
  element("jobs").querySelector(".wide").replaceChildren();
  if (element("jobs").open) fillJobs();
}
