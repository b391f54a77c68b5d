"""Runs a real Spark and prints how far predictions of its times are off.

    python -m benchmarks.truth [--seed 1] [--kinds KIND...] [--cores 4 8 16] [--repeat 3] [--only-predict]

Some 30 minutes for all 16 kinds on an idle machine. Where others keep the machine busy, tasks take
longer than they sleep, and more so on more slots. A run that fails is named, and the table has the others.
"""

from __future__ import annotations

import argparse
import sys
from itertools import chain
from typing import TYPE_CHECKING

from benchmarks.truth.applications import KINDS, drawn
from benchmarks.truth.judged import RealRun, judged, print_judged, print_repeats
from benchmarks.truth.spark import RunFailed, folder_of, log_of, prepared

if TYPE_CHECKING:
    from benchmarks.truth.applications import Drawn
    from benchmarks.truth.spark import Spark

CORES = (4, 8, 16)


def main() -> int:
    """Run, predict and print; return 1 if a run failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1, help="applications are drawn from it")
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS), metavar="KIND")
    parser.add_argument("--cores", nargs="+", type=int, default=CORES)
    parser.add_argument("--repeat", type=int, default=3, help="so many runs of the first one, alike")
    parser.add_argument("--only-predict", action="store_true", help="from the logs of the last runs")
    options = parser.parse_args()
    try:
        spark = None if options.only_predict else prepared()
    except RunFailed as error:
        print(f"truth: {error}", file=sys.stderr)
        return 1
    found, failed, first = [], 0, list[RealRun]()
    for kind in options.kinds:
        runs = _runs(spark, kind, options.seed, [(cores, 0) for cores in options.cores])
        failed += len(options.cores) - len(runs)
        found += judged(runs)
        first = first or runs[:1]
    if found:
        print_judged(found)
    again = [(options.cores[0], number) for number in range(1, options.repeat)]
    if first and len(alike := first + _runs(spark, options.kinds[0], options.seed, again)) > 1:
        print_repeats(alike)
    return int(failed > 0)


def _runs(spark: Spark | None, kind: str, seed: int, wanted: list[tuple[int, int]]) -> list[RealRun]:
    """Return the runs of an application on so many cores each, without those that failed, which are named."""
    return list(chain.from_iterable(_run(spark, drawn(kind, seed), *each) for each in wanted))


def _run(spark: Spark | None, one: Drawn, cores: int, again: int) -> list[RealRun]:
    try:
        if spark is None:
            log = log_of(folder_of(one, cores, again))
        else:
            print(f"{one.name} on {cores} cores ...", flush=True)
            log = spark.run(one, cores, again)
    except RunFailed as error:
        print(f"truth: {error}", file=sys.stderr)
        return []
    return [RealRun(one.name, one.slots(cores), log)]


if __name__ == "__main__":
    sys.exit(main())
