"""``python -m docs.from_code.ranking [FOLDER]``: rank all policies anew, and write the page of results.

Half a minute of a processor; with a folder of the published files of the list those as well, else what the
page has of them stays.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from core.policy_checks.ranking import rank_drawn, rank_fetched
from core.policy_checks.ranking_lines import markdown_table
from core.policy_checks.ranking_list import ranking_list

PAGE = Path(__file__).resolve().parents[1] / "reference" / "ranking.md"
PLACE = re.compile(r"(<!-- ranking: ([\w-]+) -->\n).*?(<!-- end of ranking -->)", re.S)


def workloads() -> str:
    """Return the list: what is drawn, and what is fetched from where."""
    public = ranking_list()
    lines = ["| workload | family or file | parameters, or licence and source |", "| --- | --- | --- |"]
    for drawn in public.drawn:
        settings = ", ".join(f"{name}={value}" for name, value in drawn.parameters.items()) or "as they are"
        lines.append(f"| {drawn.name} | `{drawn.family}` | {settings} |")
    for each in public.fetched:
        lines.append(
            f"| {each.name} | `{each.file}` | {each.licence}; <{each.source.replace(', ', '>, ', 1)} |"
        )
    return f"Version {public.version}, seeds {public.seeds[0]} to {public.seeds[-1]}.\n\n" + "\n".join(lines)


def with_parts(text: str, parts: dict[str, str]) -> str:
    """Return the page's text with what stands between its marks written anew, where it is given."""
    return PLACE.sub(
        lambda found: f"{found[1]}\n{parts[found[2]]}\n\n{found[3]}" if found[2] in parts else found[0], text
    )


def main(folder: Path | None) -> None:
    """Write the page."""
    parts = {"workloads": workloads(), "drawn": markdown_table(rank_drawn())}
    logs = None if folder is None else rank_fetched(folder)
    if logs is not None:
        parts["logs"] = f"On {', '.join(logs.workloads)}:\n\n{markdown_table(logs)}"
    PAGE.write_text(with_parts(PAGE.read_text("utf-8"), parts), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
