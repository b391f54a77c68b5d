"""`slotscope profile`: calls and time of each hook of a policy, and which of them made the run slow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.model.number_text import grouped
from core.model.time_text import percent
from explorer.cli.command import Command, flag
from explorer.cli.requests import RunOptions, Source, json_option, policy_option
from explorer.cli.screen import picked, print_json, print_line, print_table, progress

if TYPE_CHECKING:
    from core.explain.profile_run import RunProfile

HOOK = "name calls seconds each compiled_each compiled_seconds"
RUN = "jobs tasks decisions seconds compiled_seconds compiling_seconds interpreted_because"


class ProfileCommand(Command, name="profile"):
    """Calls and time of each hook of a policy, interpreted and compiled, and which made it slow."""

    source: Source
    policy: str | None = policy_option()
    changes: RunOptions
    no_compiling: bool = flag("measure the interpreted run alone")
    json: bool = json_option()

    def run(self) -> None:
        """Measure a run and print where its time goes."""
        from core.explain.profile_run import profile_run

        run = self.changes.single_run(self.source, self.policy)
        with progress("Measuring") as show:
            profile = profile_run(
                run.workload,
                run.cluster,
                run.choice,
                order=run.order,
                plan=run.plan,
                compile_it=not self.no_compiling,
                progress=show,
            )
        if self.json:
            print_json(profile_json(profile))
        else:
            title = f"{run.workload.name} · {run.choice.id} · {grouped(profile.decisions)} decisions"
            _print_profile(title, profile)


def profile_json(profile: RunProfile) -> dict[str, Any]:
    """Return what `profile --json` prints; times are seconds."""
    return picked(profile, RUN) | {
        "shares": profile.shares,
        "hooks": [picked(hook, HOOK) for hook in profile.hooks],
        "waiting": [group._asdict() for group in profile.groups],
        "sentences": list(profile.sentences()),
    }


def _print_profile(title: str, profile: RunProfile) -> None:
    from core.explain.hook_clocks import cost_text

    shares = profile.shares
    rows: list[tuple[object, ...]] = [
        (
            hook.name,
            grouped(hook.calls),
            cost_text(hook.seconds),
            percent(shares[hook.name]),
            cost_text(hook.each),
            cost_text(hook.compiled_each),
            hook.compiled_text,
        )
        for hook in profile.hooks
    ]
    others = list(shares.items())[len(profile.hooks) :]
    seconds = (profile.before, profile.rest)
    rows += [
        (name, "", cost_text(took), percent(share), "", "", "")
        for (name, share), took in zip(others, seconds, strict=True)
    ]
    rows.append(
        ("in all", "", cost_text(profile.seconds), percent(1.0), "", "", cost_text(profile.compiled_seconds))
    )
    columns = ("part", ">calls", ">interpreted", ">share", ">a call", ">compiled call", ">compiled")
    print_table(title, columns, rows)
    for sentence in profile.sentences():
        print_line(sentence)
