"""The general who goes by a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final

import msgspec

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import Pending, Side
from leuthen.engine.seat import Look
from leuthen.rulesets.frederick.bot import marching
from leuthen.rulesets.frederick.bot.general import PROPOSALS
from leuthen.rulesets.frederick.bot.generals import council, deployment, depots, leaderless, memory, saxony
from leuthen.rulesets.frederick.bot.generals.intent import Intent
from leuthen.rulesets.frederick.bot.generals.proposer import propose
from leuthen.rulesets.frederick.bot.redeployment import reinforcement_actions
from leuthen.rulesets.frederick.bot.situation import Situation, situation_of
from leuthen.rulesets.frederick.bot.temper import Temper
from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.rules.c02_setup import Deployment
from leuthen.rulesets.frederick.rules.c05_diplomacy.diplomacy import EnvoyChoice
from leuthen.rulesets.frederick.rules.c06_increments import RaiseChoice
from leuthen.rulesets.frederick.rules.c08_redeployment.redeployment import Redeploying, Reinforcing
from leuthen.rulesets.frederick.rules.o05_march.phase import MarchPhase
from leuthen.rulesets.frederick.rules.o10_supply.depots import DepotPhase
from leuthen.wargame.commander import Commander, Propose
from leuthen.wargame.plans import Plan, Thought, expect_known

_NOTHING: Final = (("done",), ("hold",))
CAPTAIN: Final = Temper(
    pace=2.5, delay=0.13, patience=1.65, hunt_far=9, fear=1.17, helpers=0.85, least_chance=0.22, siege_turns=1.5,
    watchful=0.55, gathering=12.0, hunting=0.95, great=4.2, melting=0.105, walk_in=0.55, caution=0.8, meeting=2.0,
    least_gain=0.6, battle_chance=0.42, march=0.3, rout=0.11, homeward=12, way_home=0.5, cold=0.165, second=0.48,
    kept_siege=1.25, kept_relief=0.85, crumb=5.0, leash=11, abroad=0.28, shared=0.47, large=28, least_part=10,
    share=0.48, worth_a_part=0.25, bold=1.8, to_and_fro=3.5, calm=2.5, weary=6.0, forced_hunt=1.2, forced_relief=0.85,
    largest=110, frost=0.05, hardy=9, winter_gain=3.2, exposed=4, great_garrison=3, garrison=1, field_leaders=2,
)  # fmt: skip
"""Found by games against himself in which all numbers were changed a little at once, and by what his wars look like.

See docs/bots.md.
"""
OWN: Final[Mapping[type, Propose]] = {
    **PROPOSALS,
    Deployment: deployment.deployment_actions,
    DepotPhase: lambda s, frame: depots.depot_actions(s),
    EnvoyChoice: lambda s, frame: council.envoy_actions(s),
    RaiseChoice: lambda s, frame: council.raise_actions(s),
    MarchPhase: lambda s, frame: chain(leaderless.lead_actions(s, frame.die), marching.march_actions(s, frame.die)),
    Redeploying: lambda s, frame: council.redeployment_actions(s),
    Reinforcing: lambda s, frame: reinforcement_actions(s, led_first=True),
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
        s, after = self.consider(view, before)
        return self.pick(view, s, after, legal)

    def pick(self, view: View, s: Situation, mind: Thought, legal: LegalSet) -> tuple[Action, Thought]:
        """The order by which a plan is carried out, and the thought with it."""
        return next(self.orders(view, s, mind, legal)), mind

    def orders(self, view: View, s: Situation, mind: Thought, legal: LegalSet) -> Iterator[Action]:
        """The legal orders of the habits that serve a plan, the best first, and what commits least."""
        s.guide = Intent(mind.plan, memory.halts(mind))
        habit = OWN.get(type(view.frames[-1]))
        if habit is not None:
            yield from (action for action in habit(s, view.frames[-1]) if action in legal)
        yield next(iter(legal))

    def situation(self, view: View, mind: Thought) -> Situation:
        """The position as he imagines it, with that in mind."""
        invaded = saxony.invaded(self.data, mind.plan)
        return situation_of(self.data, view, temper=self.temper, invaded=invaded, seed=mind.seed)

    def consider(self, view: View, before: Thought) -> tuple[Situation, Thought]:
        """The position as he imagines it, and the thought with a plan for this player turn, made when it begins."""
        s = self.situation(view, before)
        moment = self.moment(s)
        if before.date == moment:
            return s, before
        if saxony.is_open(s, before.plan):
            before = msgspec.structs.replace(before, plan=self.answered(view, before))
            s = self.situation(view, before)
        plan, notes = self.plan(s, view, before), memory.noted(s, before.notes)
        after = msgspec.structs.replace(before, date=moment, plan=plan, notes=notes)
        return s, after

    def answered(self, view: View, before: Thought) -> Plan:
        """The plan that says whether Saxony is invaded in 1756: she is not, and so he wins more wars (docs/bots.md)."""
        return saxony.answer(before.plan, False)

    def moment(self, s: Situation) -> int:
        """The player turn for which a plan is made, as a number."""
        return s.pos.now * 4 + s.pos.phasing

    def plan(self, s: Situation, view: View, before: Thought) -> Plan:
        """A plan for this player turn."""
        return propose(s, before)
