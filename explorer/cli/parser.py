"""What the command line understands; scripts rely on it, so it only grows."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, NoReturn

from core.model.cluster import OVERHEAD_NAMES, SHUFFLE_MODELS
from core.model.errors import InputError, UnknownName
from explorer.cli.library_options import add_library

if TYPE_CHECKING:
    from collections.abc import Callable

WORKLOAD = "a workload document, a log in any supported format, or the name of a sample"
FAMILIES = "facebook, yahoo, synthetic1, synthetic2, dhfs, circumflex, omo, or fitted (to a job: --from)"
COMMANDS = (
    "simulate",
    "compare",
    "explain",
    "fidelity",
    "scans",
    "render",
    "export",
    "import",
    "library",
    "generate",
    "deadlines",
    "fit",
    "scale",
    "policies",
    "samples",
    "bench",
)


class Parser(argparse.ArgumentParser):
    """Raises InputError instead of leaving the program."""

    def error(self, message: str) -> NoReturn:
        """Raise the message as a sentence."""
        raise InputError(f"{message} (see '{self.prog} --help')")


def build_parser() -> Parser:
    """Return the parser of all commands."""
    parser = Parser(
        prog="slotscope",
        description="See MapReduce schedules, change them by hand, and simulate again.",
        epilog="Without a command, 'slotscope [FILE...]' opens the window.",
    )
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    _add_simulate(commands.add_parser)
    _add_compare(commands.add_parser)
    _add_explain(commands.add_parser)
    _add_fidelity(commands.add_parser)
    _add_scans(commands.add_parser)
    _add_render(commands.add_parser)
    _add_export(commands.add_parser)
    _add_import(commands.add_parser)
    add_library(commands.add_parser)
    _add_generate(commands.add_parser)
    _add_deadlines(commands.add_parser)
    _add_fit(commands.add_parser)
    _add_scale(commands.add_parser)
    _add_policies(commands.add_parser)
    for name, text in (
        ("samples", "list the sample workloads"),
        ("bench", "measure events per second on this machine"),
    ):
        _add_json(commands.add_parser(name, help=text, description=text))
    return parser


def _add_simulate(add: Callable[..., Any]) -> None:
    text = "run one policy and print what came out"
    parser = add("simulate", help=text, description=text)
    parser.add_argument("workload", metavar="W", help=WORKLOAD)
    parser.add_argument("--policy", metavar="ID", help="a policy of 'slotscope policies' (default fifo)")
    _add_run_options(parser)
    parser.add_argument(
        "--tasks", action="store_true", help="with --json: every task with its slot and times"
    )
    parser.add_argument("--csv", metavar="F", help="write every task to this CSV file")
    _add_json(parser)


def _add_compare(add: Callable[..., Any]) -> None:
    text = "run several policies; the first one is the baseline"
    parser = add("compare", help=text, description=text)
    parser.add_argument("workload", metavar="W", help=WORKLOAD)
    _add_choices(parser)
    _add_run_options(parser)
    _add_json(parser)


def _add_explain(add: Callable[..., Any]) -> None:
    text = "say why: the chain behind a makespan and what else stands out, a task's start, a job's waiting"
    parser = add("explain", help=text, description=text)
    parser.add_argument("workload", metavar="W", help=WORKLOAD)
    parser.add_argument("--policy", metavar="ID", help="a policy of 'slotscope policies' (default fifo)")
    parser.add_argument(
        "--task", metavar="J1.map.3", help="why this task started then and there; counted from 1"
    )
    parser.add_argument("--job", metavar="J2", help="with --at: what this job waits for")
    parser.add_argument("--at", type=float, metavar="SECONDS", help="when, with --job")
    _add_run_options(parser)
    _add_json(parser)


def _add_fidelity(add: Callable[..., Any]) -> None:
    text = "simulate a log on the cluster that wrote it, and say how far off each job is"
    parser = add("fidelity", help=text, description=text)
    parser.add_argument("workload", metavar="LOG", help="a log, or a workload document made from one")
    parser.add_argument("--policy", metavar="ID", default="fifo", help="the policy of that cluster (fifo)")
    parser.add_argument(
        "--overheads-of",
        metavar="LOG",
        help="check the overheads that fit another log of that cluster, not those that fit this one",
    )
    _add_json(parser)


def _add_scans(add: Callable[..., Any]) -> None:
    text = "compare FLEX, BATCH, AKO and CIRCUMFLEX on shared scans by the fluid model"
    parser = add("scans", help=text, description=text)
    parser.add_argument("workload", metavar="W", help=WORKLOAD)
    parser.add_argument(
        "--metric",
        metavar="ID",
        default="automatic",
        help="what is optimised (average-response; max-stretch where jobs scan some of a dataset's blocks)",
    )
    parser.add_argument(
        "--metrics", action="store_true", help="list all 16 metrics: which can be optimised, and their values"
    )
    parser.add_argument(
        "--window", type=float, default=120.0, metavar="S", help="BATCH's window in seconds (120)"
    )
    parser.add_argument(
        "--load", type=float, default=0.9, metavar="F", help="part of the slots that AKO plans for (0.9)"
    )
    parser.add_argument(
        "--service-levels",
        default="60:1, 300:5, 900:20",
        metavar="S:COST,...",
        help="what responses longer than so many seconds cost, for metrics of SLAs",
    )
    parser.add_argument("--map-slots", type=int, metavar="N", help="map slots instead of the suggested ones")
    _add_json(parser)


def _add_render(add: Callable[..., Any]) -> None:
    text = "draw the schedules of one or more policies into a picture; needs no display"
    parser = add("render", help=text, description=text)
    parser.add_argument("workload", metavar="W", help=WORKLOAD)
    _add_choices(parser)
    parser.add_argument(
        "--out", metavar="F.png|svg|pdf", required=True, help="the picture; its ending decides"
    )
    parser.add_argument("--size", metavar="WxH", default="1600x900", help="pixels (default 1600x900)")
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="default light")
    rows = "what a row is: a slot (the default), or a place in the band of a pool that shares slots"
    parser.add_argument("--rows", choices=("slot", "pool"), default="slot", help=rows)
    _add_run_options(parser)


def _add_export(add: Callable[..., Any]) -> None:
    text = "write a schedule for other programs, or a comparison as one HTML file"
    parser = add("export", help=text, description=text)
    parser.add_argument("workload", metavar="W", help=WORKLOAD)
    _add_choices(parser)
    formats = ("tasks", "jobs", "parquet", "chrome", "paje", "html")
    kinds = (
        "table of tasks or jobs (Parquet if the file ends in .parquet, else CSV), tasks as Parquet, Chrome "
        "trace for Perfetto, Paje trace, HTML report"
    )
    parser.add_argument("--format", choices=formats, help=f"{kinds}; without it the file's ending decides")
    parser.add_argument("--out", metavar="F", required=True, help="the file; .gz compresses text")
    _add_run_options(parser)


def _add_choices(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--policies", metavar="ID,ID,...", default="", help="policies, the baseline first")
    parser.add_argument(
        "--recorded", action="store_true", help="begin with what really ran, as the log recorded it"
    )


def _add_import(add: Callable[..., Any]) -> None:
    text = "turn real logs into one workload document and print the import report"
    parser = add("import", help=text, description=text)
    parser.add_argument("paths", metavar="PATH", nargs="+", help="logs, or folders of logs")
    _add_parameter(parser, "set what the log does not say, for example map_rate=20 (SWIM)")
    parser.add_argument("--out", metavar="F.workload.json", required=True, help="the document to write")
    _add_json(parser)


def _add_generate(add: Callable[..., Any]) -> None:
    text = "draw a synthetic workload of a family of the literature"
    parser = add("generate", help=text, description=text)
    parser.add_argument("family", metavar="FAMILY", help=FAMILIES)
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="same seed, same workload (default 1)"
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="number of jobs (default: the family's)")
    parser.add_argument(
        "--from", dest="template", metavar="W", help="family fitted: the workload with the job to fit to"
    )
    parser.add_argument("--job", metavar="NAME", help="with --from: which job (where there are several)")
    _add_parameter(parser)
    parser.add_argument(
        "--deadline-factor", type=float, metavar="F", help="random deadlines, as by 'slotscope deadlines'"
    )
    parser.add_argument("--out", metavar="F.workload.json", required=True, help="the document to write")


def _add_deadlines(add: Callable[..., Any]) -> None:
    text = "give every job a random deadline, from 1 to F times what it takes alone on the whole cluster"
    parser = add("deadlines", help=text, description=text)
    parser.add_argument("workload", metavar="W", help=WORKLOAD)
    parser.add_argument("--factor", type=float, required=True, metavar="F", help="at least 1")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="same seed, same deadlines (default 1)"
    )
    _add_cluster_options(parser)
    parser.add_argument("--out", metavar="F.workload.json", required=True, help="the document to write")


def _add_fit(add: Callable[..., Any]) -> None:
    text = "fit distributions to a job's durations, the best first by Kolmogorov-Smirnov distance"
    parser = add("fit", help=text, description=text)
    parser.add_argument("workload", metavar="W", help=WORKLOAD)
    parser.add_argument("--job", metavar="NAME", help="which job (needed where there are several)")
    _add_json(parser)


def _add_scale(add: Callable[..., Any]) -> None:
    text = "scale jobs to another size of their input: maps by number, reduces by the data that falls on each"
    parser = add("scale", help=text, description=text)
    parser.add_argument("workload", metavar="W", help=WORKLOAD)
    parser.add_argument(
        "--factor", type=float, required=True, metavar="F", help="input afterwards / input before"
    )
    parser.add_argument("--jobs", metavar="J1,J2", help="scale these jobs only, not all")
    parser.add_argument(
        "--reduces",
        choices=("stay", "scale"),
        default="stay",
        help="stay: as many reduces, each with more to do (default); scale: more reduces",
    )
    parser.add_argument("--out", metavar="F.workload.json", required=True, help="the document to write")


def _add_policies(add: Callable[..., Any]) -> None:
    text = "list the policies with their parameters, or print the beginning of your own"
    parser = add("policies", help=text, description=text)
    parser.add_argument(
        "--template",
        metavar="NAME",
        nargs="?",
        const="",
        help="print a commented policy file, to be saved and edited: --template smallest-first > mine.py",
    )
    _add_json(parser)


def _add_run_options(parser: argparse.ArgumentParser) -> None:
    """Add what changes the cluster or the policy of a run."""
    _add_parameter(parser)
    _add_cluster_options(parser)
    parser.add_argument(
        "--order", metavar="J2,J1", help="serve the jobs in this order (for compare: policy 'order')"
    )
    parser.add_argument("--policy-file", metavar="F.py", help="a policy of your own; its code is run")


def _add_cluster_options(parser: argparse.ArgumentParser) -> None:
    """Add what changes the workload's cluster."""
    parser.add_argument("--map-slots", type=int, metavar="N", help="map slots (default: the workload's)")
    parser.add_argument(
        "--reduce-slots", type=int, metavar="N", help="reduce slots (default: the workload's)"
    )
    parser.add_argument(
        "--overheads",
        metavar="NAME=VALUE,...",
        help="what the cluster spends besides running tasks: "
        + ", ".join(OVERHEAD_NAMES)
        + " (times in seconds; see 'slotscope fidelity')",
    )
    parser.add_argument(
        "--containers", type=int, metavar="N", help="untyped slots instead of map and reduce slots"
    )
    parser.add_argument(
        "--nodes",
        metavar="8x16GB,8",
        action="append",
        help="nodes instead of slots: how many, memory and cores of each; again, or with +, for other sizes",
    )
    parser.add_argument("--map-request", metavar="1GB,1", help="memory and cores that a map asks of its node")
    parser.add_argument("--reduce-request", metavar="2GB,1", help="memory and cores that a reduce asks for")
    parser.add_argument(
        "--slowstart", type=float, metavar="F", help="fraction of maps complete before reduces start"
    )
    parser.add_argument("--shuffle", choices=SHUFFLE_MODELS, help="shuffle model (default: the workload's)")


def _add_parameter(parser: argparse.ArgumentParser, text: str = "set a parameter") -> None:
    parser.add_argument("-p", dest="parameters", metavar="NAME=VALUE", action="append", default=[], help=text)


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")


def parameters_of(given: list[str]) -> dict[str, str]:
    """Split ``name=value`` options; raises InputError for one without a name or given twice."""
    parameters: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise InputError(f"-p {text}: give a parameter as name=value")
        if name in parameters:
            raise InputError(f"-p {text}: parameter {name} is given twice")
        parameters[name.strip()] = value.strip()
    return parameters


def refuse_word(word: str) -> None:
    """Raise UnknownName for a word that is neither a command nor a file but looks like a command."""
    raise UnknownName("command or file", word, COMMANDS)
