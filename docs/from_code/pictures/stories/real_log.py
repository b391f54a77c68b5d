"""The real log of some stories: 19 jobs of a Hadoop cluster, from the tests of Apache Hadoop (Apache-2.0).

It is not part of this project; where it does not lie beside it, pictures of it stay as they are.
"""

from __future__ import annotations

from pathlib import Path

REAL_LOG = (
    Path(__file__).resolve().parents[5] / "shared" / "traces" / "hadoop-mapreduce" / "19-jobs.trace.json.gz"
)
