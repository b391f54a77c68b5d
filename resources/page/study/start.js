// Unpack the pictures, show the first one, and listen.

const aboutStudy = facts, // of the study; later `facts` are those of the schedules of a place
  rolesOfStudy = Object.fromEntries(Object.entries(facts.themes).map(([name, own]) => [name, own.roles]));
let pictures = [],
  places = []; // of each its name, which schedules it has, -1 for none, and why not

function appearStudied(dark) {
  dress(dark);
  if (studied) drawStudied();
}

dress(matchMedia("(prefers-color-scheme: dark)").matches);
jsonOf(element("pictures").textContent).then(found => {
  ({
    pictures,
    places
  } = found);
  element("pictures").remove(); // twice the memory otherwise
  element("study").hidden = false;
  choosePicture();
  for (const id of ["group", "measure", "variant"]) element(id).addEventListener("change", choosePicture);
  listenToPlot();
  let width = element("plotted").clientWidth; // it is drawn for that
  new ResizeObserver(() => {
    if (element("plotted").clientWidth === width) return;
    width = element("plotted").clientWidth;
    drawStudied();
  }).observe(element("plotted"));
  window.addEventListener("resize", drawStudied);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", event => appearStudied(event.matches));
  window.addEventListener("beforeprint", () => appearStudied(false));
  window.addEventListener("afterprint", () => appearStudied(matchMedia("(prefers-color-scheme: dark)").matches));
  performance.mark("studied");
});
