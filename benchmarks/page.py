"""What a page of schedules weighs, when its first picture stands, and how smoothly it moves in Chromium.

    python -m benchmarks.page [--copies 43]

Facebook's mix so many times under FIFO: 43 copies are a million tasks on 512 + 512 slots. The page is opened
in a Chromium without a window (software rendering) of 1366x768. Frames are counted while the view is panned,
zoomed and played for three seconds each; the first picture is timed from the start of the navigation.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from benchmarks.workloads import facebook
from core.charts.charts_page import page_of
from core.files.schedule_page import write_page
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from explorer.cli.render import charts_of
from tests.browser import MISSING, Browser, chromium

SECONDS = 3
MOVES = {
    "pan": "move(span / 4 + span / 8 * Math.sin(t / 700), span / 2)",
    "zoom": "zoom(span / 3, Math.exp(.02 * Math.sin(t / 400)))",
    "play": "playing || (now = 0, play())",
}
COUNT = """new Promise(done => {
  const began = performance.now(), frames = [];
  let last = began;
  const step = () => {
    const time = performance.now(), t = time - began;
    frames.push(time - last); last = time;
    if (t > %d) { stop(); done([frames.length / t * 1000, Math.max(...frames)]); return; }
    %s; requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=43, help="of Facebook's 100 jobs")
    options = parser.parse_args()
    workload = facebook(options.copies, 512)
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    charts = charts_of([schedule], by_pool=False)
    began = time.perf_counter()
    text = page_of(charts)
    seconds = time.perf_counter() - began
    data = text.index("</script>", text.index('id="data"')) - text.index('id="data"')
    print(f"{schedule.tasks} tasks: written in {seconds:.1f} s, {len(text) / 1e6:.2f} MB,", end=" ")
    print(f"{data / schedule.tasks:.2f} bytes a task in columns, {len(text) / schedule.tasks:.2f} in all")
    if chromium() is None:
        print(MISSING)
        return
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        path = Path(folder) / "page.html"
        write_page(text, path)
        for _ in range(2):  # the second time the browser is warm
            browser.open(path)
            marks = "performance.getEntriesByType('mark').map(each => Math.round(each.startTime))"
            unpacked, first = browser.evaluate(marks)
            print(f"unpacked after {unpacked} ms, first picture after {first} ms")
        for name, move in MOVES.items():
            rate, worst = browser.evaluate(COUNT % (SECONDS * 1000, move))
            browser.settle()
            print(f"{name}: {rate:.0f} frames a second, the longest {worst:.0f} ms")
        print(f"an exact picture takes {browser.evaluate('Math.round(slow)')} ms of script")


if __name__ == "__main__":
    main()
