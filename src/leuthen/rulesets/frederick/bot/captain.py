"""The captain: a plan each turn, and the first legal order that serves it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import NOBODY, Pending, Side
from leuthen.engine.seat import Look
from leuthen.rulesets.frederick.bot import battles, fortresses, marching, prospects, winter
from leuthen.rulesets.frederick.bot.proposer import propose
from leuthen.rulesets.frederick.bot.situation import Situation, situation_of
from leuthen.rulesets.frederick.bot.weights import CAPTAIN, BotWeights
from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.data import SAXONY, TERRITORIES, GameData
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.model.pieces import PRUSSIAN
from leuthen.rulesets.frederick.rules.c02_setup import FIRST_YEAR, Deployment
from leuthen.rulesets.frederick.rules.c05_diplomacy import EnvoyChoice
from leuthen.rulesets.frederick.rules.c06_resources import RaiseChoice
from leuthen.rulesets.frederick.rules.c07_commitment import Losses
from leuthen.rulesets.frederick.rules.c08_redeployment import Redeploying, Reinforcing, Sacking
from leuthen.rulesets.frederick.rules.c11_prisoners import Freeing, LeaderOffers, LeaderReturn
from leuthen.rulesets.frederick.rules.o05_march import Marching, MarchPhase
from leuthen.rulesets.frederick.rules.o06_force_march import ForceLoss, ForceMarchPhase
from leuthen.rulesets.frederick.rules.o09_combat import CombatPhase
from leuthen.rulesets.frederick.rules.o09_retreat import Pursuit, Retreating, Routed
from leuthen.rulesets.frederick.rules.o10_supply import DepotPhase
from leuthen.rulesets.frederick.rules.o12_fortresses import RefugeChoice
from leuthen.rulesets.frederick.rules.o13_siege import Departure, Occupation, SiegePhase
from leuthen.rulesets.frederick.rules.o14_attrition import ReinforcementPhase
from leuthen.wargame.board import Hex, Hexes
from leuthen.wargame.commander import NOTHING, Commander, Propose
from leuthen.wargame.plans import Plan, Thought, expect_known
from leuthen.wargame.strength import LeaderId

LAST: Final = 4
"""Places where a leader stood that are remembered."""
_SIZE: Final = 4096
"""More hexes than a board has."""
_STOOD: Final = "stood "
QUESTION: Final = "saxony"
"""Whether Saxony is invaded, in the plan's council: 1 to invade, which makes her and others enemies, 0 to leave her."""
PROPOSALS: Final[Mapping[type[Decision], Propose]] = {
    Deployment: winter.deployment_actions,
    ReinforcementPhase: lambda s, frame: prospects.quarter_actions(s),
    DepotPhase: lambda s, frame: fortresses.depot_actions(s),
    MarchPhase: lambda s, frame: marching.march_actions(s, frame.die),
    Marching: marching.open_march_actions,
    ForceMarchPhase: lambda s, frame: marching.force_march_actions(s),
    ForceLoss: winter.exhaustion_actions,
    CombatPhase: battles.attack_actions,
    Pursuit: battles.pursuit_actions,
    Routed: battles.rout_actions,
    Retreating: battles.retreat_actions,
    RefugeChoice: battles.refuge_actions,
    SiegePhase: battles.siege_actions,
    Occupation: battles.occupation_actions,
    Departure: battles.departure_actions,
    EnvoyChoice: lambda s, frame: winter.envoy_actions(s),
    RaiseChoice: lambda s, frame: winter.raise_actions(s),
    Losses: winter.loss_actions,
    Sacking: winter.sack_actions,
    Freeing: winter.free_actions,
    LeaderOffers: winter.offer_actions,
    LeaderReturn: winter.return_actions,
    Redeploying: lambda s, frame: winter.redeployment_actions(s),
    Reinforcing: lambda s, frame: winter.reinforcement_actions(s),
}
"""By decision, what proposes actions, the best first; all other decisions get the action that commits least."""


class Captain(Commander):
    """A general of this rule set who makes a plan each turn and does not search."""

    def __init__(self, data: GameData, side: Side, seed: int, weights: BotWeights = CAPTAIN) -> None:
        super().__init__("frederick", side, seed)
        self.data = data
        self.weights = weights

    def expect(self, plan: Plan) -> None:
        """Raises Invalid for a plan with leaders or places that are not in this game."""
        expect_known(plan.missions, len(self.data.leaders), self.data.board)

    def decide(self, look: Look, before: Thought, legal: LegalSet, pending: Pending) -> tuple[Action, Thought]:
        """The first proposal that is legal, and the plan that it serves."""
        asked = legal.first()
        if asked is None or tuple(asked.values) in NOTHING:
            return next(iter(legal)), before
        view: View = look()
        s, after = self.consider(view, before)
        return self.pick(view, s, after, legal)

    def pick(self, view: View, s: Situation, mind: Thought, legal: LegalSet) -> tuple[Action, Thought]:
        """The order by which a plan is carried out, and the thought with it."""
        return next(self.orders(view, s, mind, legal)), mind

    def orders(self, view: View, s: Situation, mind: Thought, legal: LegalSet) -> Iterator[Action]:
        """The legal proposals that serve a plan, the best first, and what commits least."""
        s.plan, s.halts = mind.plan, halts(mind)
        frame = view.frames[-1]
        if type(frame) in PROPOSALS:
            yield from (action for action in PROPOSALS[type(frame)](s, frame) if action in legal)
        yield next(iter(legal))

    def situation(self, view: View, mind: Thought) -> Situation:
        """The position as he imagines it, with that in mind."""
        return situation_of(self.data, view, self.weights, invaded_ground(self.data, mind.plan), mind.seed)

    def consider(self, view: View, before: Thought) -> tuple[Situation, Thought]:
        """The position as he imagines it, and the thought with a plan for this player turn, made when it begins."""
        s = self.situation(view, before)
        moment = self.moment(s)
        if before.date == moment:
            return s, before
        if is_saxony_open(s, before.plan):
            before = msgspec.structs.replace(before, plan=self.answered(view, before))
            s = self.situation(view, before)
        return s, msgspec.structs.replace(before, date=moment, plan=propose(s, before), notes=noted(s, before.notes))

    def answered(self, view: View, before: Thought) -> Plan:
        """The plan that says whether Saxony is invaded in 1756: she is not, and so he wins more wars (docs/bots.md)."""
        return answer_saxony(before.plan, False)

    def moment(self, s: Situation) -> int:
        """The player turn for which a plan is made, as a number."""
        return s.pos.now * 4 + s.pos.phasing


def is_saxony_open(s: Situation, plan: Plan) -> bool:
    """Whether Prussia has still to decide whether it invades Saxony in 1756 (C3.3, C5.6)."""
    return (
        QUESTION not in plan.council
        and s.side == PRUSSIAN
        and s.pos.year == FIRST_YEAR
        and s.pos.plan.par is None
        and s.pos.allegiance[SAXONY] == NOBODY
    )


def answer_saxony(plan: Plan, invades: bool) -> Plan:
    """The plan with the answer."""
    return msgspec.structs.replace(plan, council={**plan.council, QUESTION: int(invades)})


def invaded_ground(data: GameData, plan: Plan) -> Hexes:
    """The neutral ground that a plan enters."""
    if not plan.council.get(QUESTION):
        return 0
    found = 0
    for land, power in TERRITORIES.items():
        if power == SAXONY:
            found |= data.board.region(land)
    return found


def noted(s: Situation, notes: Mapping[str, int]) -> Mapping[str, int]:
    """The notes with the hexes in which leaders with men stand now, packed into a number for each of them.

    Who stays where he is has not halted once more.
    """
    kept = dict(notes)
    for army in s.armies:
        for leader in army.leaders:
            key = f"{_STOOD}{leader}"
            stood = kept.get(key, 0)
            if stood % _SIZE != army.hex + 1:
                kept[key] = (stood * _SIZE + army.hex + 1) % _SIZE**LAST
    return kept


def halts(thought: Thought) -> dict[LeaderId, tuple[Hex, ...]]:
    """Where each leader stood, by his number."""
    return {
        LeaderId(int(key[len(_STOOD) :])): _unpacked(value)
        for key, value in thought.notes.items()
        if key.startswith(_STOOD)
    }


def _unpacked(value: int) -> tuple[Hex, ...]:
    found: list[Hex] = []
    while value:
        value, here = divmod(value, _SIZE)
        found.append(Hex(here - 1))
    return tuple(found)
