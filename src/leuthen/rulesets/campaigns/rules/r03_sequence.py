"""R3: the sequence of a turn, as a list that one can read; and its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from leuthen.engine.ruleset import OTHER
from leuthen.rulesets.campaigns.model.data import COALITION, PRUSSIAN
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.events import StepBegan, TurnBegan
from leuthen.rulesets.campaigns.model.forces import field_tp, inside_tp, is_friendly
from leuthen.rulesets.campaigns.model.pieces import TURNS
from leuthen.rulesets.campaigns.model.state import Draft
from leuthen.rulesets.campaigns.rules.r03_exchange import Arranging, TrimAll
from leuthen.rulesets.campaigns.rules.r04_command.command import Snapshot
from leuthen.rulesets.campaigns.rules.r05_hex_actions import take_place
from leuthen.rulesets.campaigns.rules.r09_steps import Loading, SupplyCheck, WinterToll
from leuthen.rulesets.campaigns.rules.r09_supply import load_limit
from leuthen.rulesets.campaigns.rules.r11_siege import SiegeStep
from leuthen.rulesets.campaigns.rules.r13_recovery import RecoveryStep
from leuthen.rulesets.campaigns.rules.r14_prisoners import PrisonerStep
from leuthen.rulesets.campaigns.rules.r15_arrivals import ArrivalStep, receive
from leuthen.rulesets.campaigns.rules.r16_victory import FinalScore
from leuthen.rulesets.campaigns.rules.r17_alliances import AllyStep, ConquestCheck
from leuthen.rulesets.campaigns.rules.r17_winter import Interlude


class Returning(Decision, rule="V7.3", name="Freed men"):
    """Step I begins: freed men arrive (V7.3)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        if draft.options.einhorn:
            receive(draft)


TURN: Final[tuple[tuple[str, tuple[Callable[[], Decision], ...]], ...]] = (
    ("A", (lambda: AllyStep(),)),
    ("B", (lambda: PrisonerStep(),)),
    ("C", (lambda: ArrivalStep(),)),
    ("D", (lambda: Loading(),)),
    ("E", (lambda: RecoveryStep(),)),
    ("F", (lambda: Snapshot(),)),
    ("G", (lambda: SiegeStep(PRUSSIAN), lambda: SiegeStep(COALITION))),
    ("H", (lambda: SupplyCheck(PRUSSIAN), lambda: SupplyCheck(COALITION), lambda: WinterToll())),
    (
        "I",
        (
            lambda: Returning(),
            lambda: TakePlaces(),
            lambda: ConquestCheck(),
            lambda: TrimAll(),
            lambda: Arranging(PRUSSIAN),
            lambda: Arranging(COALITION),
            lambda: TrimAll(),
            lambda: Ready(),
        ),
    ),
)
"""The steps of a turn (R3)."""


class GameTurn(Decision, rule="R3.0", name="Turn"):
    """A turn, step by step (R3)."""

    done: int = 0
    begun: bool = False

    def step(self, draft: Draft) -> None:
        """The next step; in each the Prussian side goes first (R1.6)."""
        if self.done == len(TURN):
            draft.pop()
            return
        if not self.done:
            draft.emit(TurnBegan(year=draft.year, turn=draft.turn))
        name, parts = TURN[self.done]
        draft.swap(GameTurn(self.done + 1))
        draft.emit(StepBegan(step=name))
        for make in reversed(parts):
            draft.push(make())


class War(Decision, rule="R3.0", name="War"):
    """The turns of a scenario, to its last (R16, R17)."""

    begun: bool = False

    def step(self, draft: Draft) -> None:
        """The next turn; after the last the score (R16, R17.9)."""
        if self.begun:
            plan = draft.data.scenarios[draft.scenario]
            if draft.turn == plan.end and draft.year == plan.last:  # R18.5
                draft.pop()
                draft.push(FinalScore())
                return
            if draft.turn == TURNS:
                draft.push(Interlude())
                return
            draft.turn += 1
            draft.recompute()  # who has to wait until some turn
        draft.swap(War(True))
        draft.push(GameTurn())


class TakePlaces(Decision, rule="R5.6", name="Places taken"):
    """A field force alone in the hex of an undefended stronghold takes it (R5.6)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        fields = draft.census.fields
        alone = fields[PRUSSIAN] ^ fields[COALITION]
        for here in draft.data.strongholds:
            if not alone >> here & 1:
                continue
            side = PRUSSIAN if field_tp(draft, here, PRUSSIAN) else COALITION
            free = not is_friendly(draft, here, side) and not inside_tp(draft, here, OTHER[side])
            if free and not draft.is_enemy_ground(here):
                take_place(draft, here, side)


class Ready(Decision, rule="R9.5", name="End of the turn"):
    """What is over a leader's supply limit is lost (R9.5); all are ready again (R3)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        for number, unit in list(draft.units.items()):
            sp = min(unit.sp, load_limit(draft, unit)) if unit.sp else 0
            if unit.moved or sp != unit.sp:
                draft.change(number, moved=False, sp=sp)
            if number >= draft.data.wagons and not sp and not unit.tp:
                draft.remove(number)
