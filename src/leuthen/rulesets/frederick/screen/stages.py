"""The sequence of play as a list: what is over, what is going on, what comes next (O4, C4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

from leuthen.engine.kept import Kept
from leuthen.engine.ruleset import Side
from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.data import AUSTRIA, NATIONS, NOBODY, PRUSSIA
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.model.events.base import SIDE_NAMES
from leuthen.rulesets.frederick.model.state import SIDES
from leuthen.rulesets.frederick.rules.c02_setup import Deployment
from leuthen.rulesets.frederick.rules.c04_sequence import (
    GAME_TURN,
    PLAYER_TURN,
    WINTER,
    GameTurn,
    GrandStrategy,
    NextYear,
    PlayerTurn,
)
from leuthen.rulesets.frederick.rules.c05_diplomacy.diplomacy import YEAR as DIPLOMACY_YEAR
from leuthen.rulesets.frederick.rules.c05_diplomacy.diplomacy import DiplomacyPhase
from leuthen.rulesets.frederick.rules.c08_redeployment.redeployment import STEPS, RedeploymentPhase
from leuthen.rulesets.frederick.rules.c12_victory import FIRST_CHECK, VictoryCheck
from leuthen.rulesets.frederick.rules.c13_end import FinalVictory
from leuthen.rulesets.frederick.rules.o09_combat.combat import CombatPhase
from leuthen.rulesets.frederick.rules.o10_supply.depots import DestroyDepots
from leuthen.rulesets.frederick.rules.o11_morale import Rally
from leuthen.rulesets.frederick.rules.o14_winter.attrition import YearsEndAttrition
from leuthen.screen import Stage

PAST, NOW, NEXT = "past", "now", "next"
_SILENT: Final = (DestroyDepots, Rally)
"""Steps of the lists that are no phases of the rulebook."""
_SHAPING: Final = (Deployment, GrandStrategy, RedeploymentPhase, GameTurn, PlayerTurn)
"""The decisions in progress on which the list depends."""
_KEPT: Final = Kept[tuple[Stage, ...]]()
SIDE_WORDS: Final = (NATIONS[PRUSSIA], NATIONS[AUSTRIA])
F = TypeVar("F", bound=Decision)


def make_stages(view: View) -> tuple[Stage, ...]:
    """The phases of the present turn, or those between two years; the set-up before the first."""
    if view.outcome is not None:
        return ()
    shaping = tuple([frame for frame in view.frames if isinstance(frame, _SHAPING)])
    return _KEPT.of((view.year, view.turn, view.options.last_year, shaping), lambda: _stages(view))


def _stages(view: View) -> tuple[Stage, ...]:
    setting_up, winter = _frame(view, Deployment), _frame(view, GrandStrategy)
    if winter is not None:
        return tuple(_winter(view, winter))
    first = [_stage(setting_up, NOW, "Set-up")] if setting_up is not None else []
    return (*first, *_turn(view))


def _frame(view: View, kind: type[F]) -> F | None:
    """The decision in progress of a kind, or None."""
    return next((frame for frame in view.frames if isinstance(frame, kind)), None)


def _stage(phase: Decision, when: str, group: str) -> Stage:
    return Stage(phase.NAME, phase.RULE, when, getattr(phase, "side", NOBODY), group)


def _mark(index: int, done: int) -> str:
    """`done` counts the steps that have begun, the present one among them."""
    return PAST if index < done - 1 else NOW if index == done - 1 else NEXT


def _listed(phases: Sequence[Decision], done: int, group: str) -> Iterator[Stage]:
    """The phases of a list, as far as it has come."""
    for index, phase in enumerate(phases):
        if not isinstance(phase, _SILENT):
            yield _stage(phase, _mark(index, done), group)


def _turn(view: View) -> Iterator[Stage]:
    """The exchange of prisoners on even turns, and both player turns with their phases (O4.1, O4.2)."""
    whole, part = _frame(view, GameTurn), _frame(view, PlayerTurn)
    begun = whole.done if whole is not None else 0
    for index, make in enumerate(GAME_TURN):
        step = make()
        if isinstance(step, PlayerTurn):
            yield from _player_turn(step.side, _mark(index, begun), part)
        elif not view.turn % 2:  # C11.1
            yield _stage(step, _mark(index, begun), step.NAME)


def _player_turn(side: Side, when: str, part: PlayerTurn | None) -> Iterator[Stage]:
    done = {PAST: len(PLAYER_TURN) + 1, NOW: part.done if part is not None else 0, NEXT: 0}[when]
    group = f"{SIDE_WORDS[side]} player turn"
    yield from _listed([make(side) for make in PLAYER_TURN], done, group)


def _winter(view: View, winter: GrandStrategy) -> Iterator[Stage]:
    """The Grand Strategic sequence of this year, the Re-deployment Phase step by step (C4.2, C8, C12, C13)."""
    for index, make in enumerate((*WINTER, NextYear)):
        phase, when = make(), _mark(index, winter.done)
        if isinstance(phase, RedeploymentPhase) and _is_played(view, phase):
            part = _frame(view, RedeploymentPhase)
            done = {PAST: len(STEPS) + 1, NOW: part.done if part is not None else 0, NEXT: 0}[when]
            yield from _listed(STEPS, done, GrandStrategy.NAME)
        elif not isinstance(phase, _SILENT) and _is_played(view, phase):
            yield _stage(phase, when, GrandStrategy.NAME)


def _is_played(view: View, phase: Decision) -> bool:
    """Diplomacy comes once (C5), the check from 1757 on (C12), peace after the last year alone (C13)."""
    is_last = view.year >= view.options.last_year
    if isinstance(phase, DiplomacyPhase):
        return view.year == DIPLOMACY_YEAR and not is_last
    if isinstance(phase, VictoryCheck):
        return view.year >= FIRST_CHECK
    if isinstance(phase, FinalVictory):
        return is_last
    return not is_last or isinstance(phase, YearsEndAttrition)


def phase_of(view: View, stages: Sequence[Stage]) -> str:
    """What is going on: «Force March of the Austrian side: March of a force»."""
    if view.outcome is not None:
        return "The war has ended"
    inner = view.frames[-1].NAME if view.frames else ""
    now = next((stage for stage in stages if stage.when == NOW), None)
    if now is None:
        return inner
    combat = _frame(view, CombatPhase)
    side = now.side if combat is None else combat.declaring  # both sides declare attacks, one after the other (O9.2)
    whose = f" of the {SIDE_NAMES[side]}" if side in SIDES else ""
    return f"{now.name}{whose}{f': {inner}' if inner not in (now.name, '') else ''}"
