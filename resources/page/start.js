// Unpack, lay out and draw.

dress(matchMedia("(prefers-color-scheme: dark)").matches);
drawVariants();
drawBars();
unpackedRuns(facts, element("data").textContent).then(unpacked => {
  element("data").remove(); // twice the memory otherwise
  runs = unpacked;
  performance.mark("unpacked");
  span = Math.max(1, ...runs.map(run => run.ends)) * 1.02;
  Object.assign(view, {
    t0: 0,
    t1: span
  });
  Object.assign(goal, view);
  if (!runs.some(run => run.path.length)) element("path").hidden = true;
  mixInks();
  drawLegend();
  layOut();
  listen();
  listenToSearch();
  element("jobs").addEventListener("toggle", fillJobs, {
    once: true
  });
  canvas.setAttribute("aria-label",
    `${runs.map(runWords).join(", ")}. ${plural(facts.jobs.length, "job")}, ${plural(runs.reduce((sum, run) => sum + run.code.length, 0), "task")}. A table of the jobs stands below.`
    );
});
