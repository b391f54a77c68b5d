"""Where things are in the checkout, and which real logs lie beside it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "data"
TRACES = ROOT.parent / "shared" / "traces"
"""Logs that are not ours to publish: tests take those that are here, and the rest does without."""
HAND_WRITTEN = sorted(path for path in DATA.glob("*.*") if path.suffix != ".md")
"""At least one small log of every format."""


def real_logs(*names: str) -> list[str]:
    """Return those of the logs that lie beside the checkout, in this order."""
    return [name for name in names if (TRACES / name).exists()]
