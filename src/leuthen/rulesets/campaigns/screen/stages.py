"""The sequence of play as a list: the steps of a turn, the chits of step F, the rounds of a battle (R3, R4, R12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.ruleset import OwnerId
from leuthen.rulesets.campaigns.model.data import NOBODY
from leuthen.rulesets.campaigns.model.events.turns import STEPS
from leuthen.rulesets.campaigns.model.state import SIDES
from leuthen.rulesets.campaigns.rules.r03_turn.sequence import TURN, GameTurn
from leuthen.rulesets.campaigns.rules.r04_command.command import Command, Orders
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Battle
from leuthen.rulesets.campaigns.rules.r17_politics.interlude import Interlude, NewYear
from leuthen.rulesets.campaigns.screen.report import Report
from leuthen.rulesets.campaigns.screen.scores import chits_left
from leuthen.screen import Stage

PAST, NOW, NEXT = "past", "now", "next"
_ROUND: Final = (
    (("join", "muster", "declare"), "Declaration", "R12.2"),
    (("commit",), "Commitment", "R12.3"),
    (("combat",), "Combat", "R12.4"),
    (("losses", "last"), "Losses", "R12.6"),
    (("nerve",), "Demoralization", "R12.7"),
    (("decide", "next"), "Breaking off", "R12.8"),
    (("end",), "End of the battle", "R12.10"),
)
"""What happens in a round, each with the stages of the engine that come before it is over."""


def make_stages(report: Report) -> tuple[Stage, ...]:
    """The steps of this turn, with the chits of step F and the parts of a battle's round under way; none at the end."""
    pos = report.pos
    if pos.outcome is not None:
        return ()
    if any(isinstance(frame, Interlude | NewYear) for frame in pos.frames):
        frame = pos.frames[-1]
        return (Stage(frame.NAME, frame.RULE, NOW, getattr(frame, "side", NOBODY), "Winter"),)
    return (*_steps(report), *_rounds(report))


def _steps(report: Report) -> Iterator[Stage]:
    done = next((frame.done for frame in report.pos.frames if isinstance(frame, GameTurn)), 0)
    for number, (letter, _) in enumerate(TURN, 1):
        name, rule = STEPS[letter]
        when = PAST if number < done else NOW if number == done else NEXT
        if letter == "F" and when == NOW:
            yield from _chits(report)
        else:
            side = _acting(report) if when == NOW else NOBODY
            yield Stage(f"{letter} · {name}", rule, when, side, "Turn")


def _acting(report: Report) -> int:
    frame = report.pos.frames[-1] if report.pos.frames else None
    side: OwnerId = getattr(frame, "side", NOBODY)
    return side


def _chits(report: Report) -> Iterator[Stage]:
    """The chit that is out, and those still in the cup (R4.1)."""
    out = next((frame for frame in report.pos.frames if isinstance(frame, Orders)), None)
    yield Stage("F · Command", "R4.1", NOW, NOBODY, "Turn")
    if out is not None:
        yield Stage(f"Chit {out.command} is out", "R4.2", NOW, out.side, "Chits")
    if any(isinstance(frame, Command) for frame in report.pos.frames):
        left = chits_left(report)
        for side in SIDES:
            for chit in left[side]:
                yield Stage(f"Chit {chit}", "R4.1", NEXT, side, "Chits in the cup")


def _rounds(report: Report) -> Iterator[Stage]:
    """The round of a battle (R12.2-R12.8)."""
    battle = next((frame for frame in reversed(report.pos.frames) if isinstance(frame, Battle)), None)
    if battle is None:
        return
    part = phase_of_round(report, battle)
    last = ", the last one" if battle.retreating >= 0 else ""
    for number, (_, name, rule) in enumerate(_ROUND):
        when = PAST if number < part else NOW if number == part else NEXT
        side = _acting(report) if when == NOW else NOBODY
        yield Stage(name, rule, when, side, f"Battle at {report.place(battle.hex)}, round {battle.round}{last}")


_ASKED: Final = {
    "joining": 0,
    "declaring": 0,
    "commitment-roll": 1,
    "combat-roll": 2,
    "losses": 3,
    "nerve-roll": 4,
    "leaving": 5,
}


def phase_of_round(report: Report, battle: Battle) -> int:
    """Which part of the round is going on."""
    asked = _ASKED.get(str(report.pos.frames[-1].__struct_config__.tag))
    if asked is not None:
        return asked
    return next(number for number, (stages, _, _) in enumerate(_ROUND) if battle.stage in stages)


def part_of(report: Report) -> str:
    """What is done now, by the rulebook's noun."""
    return report.pos.frames[-1].NAME if report.pos.frames else ""


def phase_of(report: Report) -> str:
    """What is going on: «Command, chit 3 of the Prussian side: March»."""
    pos = report.pos
    if pos.outcome is not None:
        return "The war has ended"
    inner = part_of(report)
    battle = next((frame for frame in reversed(pos.frames) if isinstance(frame, Battle)), None)
    if battle is not None:
        return f"Battle at {report.place(battle.hex)}, round {battle.round}: {inner}"
    chit = next((frame for frame in pos.frames if isinstance(frame, Orders)), None)
    if chit is not None:
        return f"Chit {chit.command} of the {report.side(chit.side)}: {inner}"
    done = next((frame.done for frame in pos.frames if isinstance(frame, GameTurn)), 0)
    step = STEPS[TURN[done - 1][0]][0] if done else "Winter"
    side = _acting(report)
    whose = f" of the {report.side(side)}" if side in SIDES else ""
    return f"{step}{whose}{f': {inner}' if inner not in (step, '') else ''}"
