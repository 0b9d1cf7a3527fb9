"""O4 and C4: the sequence of play, as lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from leuthen.engine.memo import Memo
from leuthen.engine.ruleset import NOBODY, OTHER, Side
from leuthen.rulesets.frederick.model.decisions import Decision, next_step
from leuthen.rulesets.frederick.model.events import PhaseBegan, TurnBegan, YearEnded
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, DONE, PRUSSIAN
from leuthen.rulesets.frederick.model.state import Draft
from leuthen.rulesets.frederick.rules import c05_council as council
from leuthen.rulesets.frederick.rules import o14_attrition as attrition
from leuthen.rulesets.frederick.rules.c08_redeployment import PrisonerExchange, RedeploymentPhase
from leuthen.rulesets.frederick.rules.c12_victory import FinalVictory, VictoryCheck, end_scenario, is_over
from leuthen.rulesets.frederick.rules.o05_march import ForceMarchPhase, MarchPhase
from leuthen.rulesets.frederick.rules.o09_combat import CombatPhase
from leuthen.rulesets.frederick.rules.o10_supply import DepotPhase, DestroyDepots
from leuthen.rulesets.frederick.rules.o12_fortresses import all_in_quarters, release_resting
from leuthen.rulesets.frederick.rules.o13_siege import SiegePhase

LAST_TURN: Final = 18
FIRST_YEAR: Final = 1756

PLAYER_TURN: Final[tuple[Callable[[Side], Decision], ...]] = (  # O4.2
    lambda side: attrition.ReinforcementPhase(side),
    lambda side: attrition.MoraleRecoveryPhase(side),
    lambda side: DepotPhase(side),
    lambda side: MarchPhase(side),
    lambda side: DestroyDepots(),
    lambda side: ForceMarchPhase(OTHER[side]),
    lambda side: DestroyDepots(),
    lambda side: CombatPhase(side, side),
    lambda side: DestroyDepots(),
    lambda side: SiegePhase(side),
    lambda side: attrition.AttritionPhase(OTHER[side]),
)


WINTER: Final[tuple[Decision, ...]] = (  # C4.2, C12, C13
    attrition.YearsEndAttrition(),
    VictoryCheck(),
    FinalVictory(),
    attrition.Rally(),
    council.DiplomacyPhase(),
    council.ForceIncrementPhase(),
    council.CommitmentPhase(),
    RedeploymentPhase(),
    council.SubsidyPhase(),
)


class PlayerTurn(Decision, rule="O4.2", name="Player turn"):
    """The phases of a player turn (O4.2)."""

    side: Side
    done: int = 0

    def step(self, draft: Draft) -> None:
        draft.phasing = self.side  # O4.3
        if self.done == len(PLAYER_TURN):
            draft.pop()
            return
        phase = PLAYER_TURN[self.done](self.side)
        draft.swap(PlayerTurn(self.side, self.done + 1))
        draft.push(phase)
        if isinstance(phase, attrition.ReinforcementPhase):
            release_resting(draft, phase.side)
        elif isinstance(phase, MarchPhase | ForceMarchPhase):
            # all are fresh again (O5.7, O6.3), except those that must stay (O14.4)
            draft.spent, draft.shifted, draft.sallied = {}, frozenset(), frozenset()
            tired = [(key, stack) for key, stack in draft.stacks.items() if stack.marched or stack.resting]
            for key, stack in tired:
                draft.stacks[key] = msgspec.structs.replace(stack, marched=stack.resting)
                draft.spent |= dict.fromkeys(stack.resters, DONE)
            if tired:
                draft.known = Memo()
            draft.emit(PhaseBegan(side=phase.side, phase=phase.NAME))


GAME_TURN: Final[tuple[Decision, ...]] = (PrisonerExchange(), PlayerTurn(PRUSSIAN), PlayerTurn(AUSTRIAN))  # O4.1


class GameTurn(Decision, rule="O4.1", name="Game turn"):
    """A game turn with its two player turns (O1.1, O4.1); the year may end with it (C4.3)."""

    done: int = 0

    def step(self, draft: Draft) -> None:
        part = next_step(draft, self, self.done, GAME_TURN)
        if not self.done:
            draft.emit(TurnBegan(year=draft.year, turn=draft.turn))
        if part is None:
            draft.phasing = NOBODY
        elif not isinstance(part, PrisonerExchange) or draft.turn % 2 == 0:  # C11.1
            draft.push(part)


class Campaign(Decision, rule="C4.3", name="Yearly campaign"):
    """The turns of a year (O1.2, C3.1, C4.3)."""

    begun: bool = False

    def step(self, draft: Draft) -> None:
        """Begin the next turn, until turn 18 is over or all are in quarters; 1756 always runs to its end (C3.1)."""
        if self.begun:
            early = draft.year > FIRST_YEAR and all_in_quarters(draft)
            if is_over(draft, LAST_TURN):
                draft.pop()
                end_scenario(draft)
                return
            if draft.turn == LAST_TURN or early:
                draft.pop()
                first, early = draft.year == FIRST_YEAR, early and draft.turn < LAST_TURN
                draft.emit(YearEnded(year=draft.year, by="C3.1" if first else "", early=early))
                return
            draft.turn += 1
        draft.swap(Campaign(True))
        draft.push(GameTurn())


class GrandStrategy(Decision, rule="C4.2", name="Grand Strategic sequence"):
    """The sequence between two campaigns (C4.1, C4.2)."""

    done: int = 0

    def step(self, draft: Draft) -> None:
        phase = next_step(draft, self, self.done, WINTER)
        if phase is not None:
            draft.push(phase)


class War(Decision, rule="C4.1", name="War"):
    """Campaigns with the Grand Strategic sequence between them (C4.1); this decision lies under all others."""

    fighting: bool = False

    def step(self, draft: Draft) -> None:
        if not self.fighting:
            draft.swap(War(True))
            draft.push(Campaign())
            return
        draft.swap(NextYear())
        draft.push(GrandStrategy())


class NextYear(Decision, rule="C4.2", name="Initiation"):
    """Initiation: turn 1 of the next year (C4.2)."""

    def step(self, draft: Draft) -> None:
        draft.year, draft.turn = draft.year + 1, 1
        draft.swap(War(False))
