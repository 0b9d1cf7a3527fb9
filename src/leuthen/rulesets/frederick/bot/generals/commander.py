"""The general who goes by a plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import Pending, Side
from leuthen.engine.seat import Look
from leuthen.rulesets.frederick.bot.general import PROPOSALS
from leuthen.rulesets.frederick.bot.generals import council, deployment, depots, memory
from leuthen.rulesets.frederick.bot.generals.intent import Intent
from leuthen.rulesets.frederick.bot.generals.proposer import propose
from leuthen.rulesets.frederick.bot.situation import Situation, situation_of
from leuthen.rulesets.frederick.bot.temper import Temper
from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.rules.c02_setup import Deployment
from leuthen.rulesets.frederick.rules.c06_increments import RaiseChoice
from leuthen.rulesets.frederick.rules.c08_redeployment.redeployment import Redeploying
from leuthen.rulesets.frederick.rules.o10_supply.depots import DepotPhase
from leuthen.wargame.commander import Commander, Propose
from leuthen.wargame.plans import Plan, Thought, expect_known

_NOTHING: Final = (("done",), ("hold",))
CAPTAIN: Final = Temper()
OWN: Final[Mapping[type, Propose]] = {
    **PROPOSALS,
    Deployment: deployment.deployment_actions,
    DepotPhase: lambda s, frame: depots.depot_actions(s),
    RaiseChoice: lambda s, frame: council.raise_actions(s),
    Redeploying: lambda s, frame: council.redeployment_actions(s),
}
"""By decision, who knows what to do."""


class Captain(Commander):
    """A general of this rule set who makes a plan each turn and does not search."""

    def __init__(self, data: GameData, side: Side, seed: int, temper: Temper = CAPTAIN) -> None:
        super().__init__("frederick", side, seed)
        self.data = data
        self.temper = temper

    def expect(self, plan: Plan) -> None:
        """Raises Invalid for a plan with leaders or places that are not in this game."""
        expect_known(plan.missions, len(self.data.leaders), self.data.board)

    def decide(self, look: Look, before: Thought, legal: LegalSet, pending: Pending) -> tuple[Action, Thought]:
        """The first order of the habits that is legal, and the plan that they serve."""
        asked = legal.first()
        if asked is None or tuple(asked.values) in _NOTHING:
            return next(iter(legal)), before
        view: View = look()
        frame = view.frames[-1]
        s = self.situation(view)
        after = self.consider(s, view, before)
        s.guide = Intent(after.plan, memory.halts(after))
        for action in OWN[type(frame)](s, frame) if type(frame) in OWN else ():
            if action in legal:
                return action, after
        return next(iter(legal)), after

    def situation(self, view: View) -> Situation:
        """The position as he imagines it."""
        return situation_of(self.data, view, temper=self.temper)

    def consider(self, s: Situation, view: View, before: Thought) -> Thought:
        """The thought with a plan for this player turn, made when it begins."""
        moment = self.moment(s)
        if before.date == moment:
            return before
        plan, notes = self.plan(s, view, before), memory.noted(s, before.notes)
        return msgspec.structs.replace(before, date=moment, plan=plan, notes=notes)

    def moment(self, s: Situation) -> int:
        """The player turn for which a plan is made, as a number."""
        return s.pos.now * 4 + s.pos.phasing

    def plan(self, s: Situation, view: View, before: Thought) -> Plan:
        """A plan for this player turn."""
        return propose(s, before)
