"""The captain makes a plan each turn, follows it, and serves as a player's staff; the colonel searches first.

The colonel tries plans and marches in sampled worlds (docs/bots.md).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from itertools import islice
from operator import or_
from typing import ClassVar, Final, TypeAlias

import msgspec

from leuthen.engine.choice import Action, LegalSet, Refusal
from leuthen.engine.decision import Decision, Done
from leuthen.engine.refusal import first_refusal
from leuthen.engine.ruleset import NOBODY, SIDES, OwnerId, Side
from leuthen.rulesets.frederick.bot import goals, marching, winter
from leuthen.rulesets.frederick.bot.situation import DICE, Situation, sample_likely_state
from leuthen.rulesets.frederick.bot.weights import CAPTAIN, BotWeights
from leuthen.rulesets.frederick.knowledge import View
from leuthen.rulesets.frederick.model.actions import Attack, March
from leuthen.rulesets.frederick.model.data import SAXONY, TERRITORIES, GameData
from leuthen.rulesets.frederick.model.pieces import CAPTIVE, GONE, ON_MAP, PRUSSIAN, Stack
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules import c08_redeployment as redeployment
from leuthen.rulesets.frederick.rules.c02_setup import FIRST_YEAR, Deployment
from leuthen.rulesets.frederick.rules.c04_sequence import GrandStrategy
from leuthen.rulesets.frederick.rules.c05_council import EnvoyChoice, Losses, RaiseChoice
from leuthen.rulesets.frederick.rules.o05_forces import nobody_enters
from leuthen.rulesets.frederick.rules.o05_march import ForceLoss, ForceMarchPhase, Marching, MarchPhase
from leuthen.rulesets.frederick.rules.o09_combat import Battles, CombatPhase, Pursuit, Retreating, Routed
from leuthen.rulesets.frederick.rules.o10_supply import DepotPhase
from leuthen.rulesets.frederick.rules.o12_fortresses import RefugeChoice
from leuthen.rulesets.frederick.rules.o13_siege import Departure, Occupation, SiegePhase, siege_modifiers, siege_result
from leuthen.rulesets.frederick.rules.o14_attrition import ReinforcementPhase, attrition_loss, attrition_percent
from leuthen.rulesets.frederick.ruleset import Frederick
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.bot.commander import Assault, Commander, Proposals, halts_in, play_out, with_halts
from leuthen.wargame.bot.value import Value
from leuthen.wargame.missions import Kind, Mission, Missions, Plan, Reason, Thought, date_number
from leuthen.wargame.search import Goal, Stream, seed_of, sequential_halving
from leuthen.wargame.strength import LeaderId

QUESTION: Final = "saxony"
"""Council decision: 1 to invade Saxony, which makes an enemy of her and others, 0 to leave her alone."""
BESIEGING: Final = ("besiege", "raid")
GONE_WHERE: Final[Mapping[int, str]] = {CAPTIVE: "is a prisoner", GONE: "is dead or dismissed"}
"""reasons why a leader is not on the map"""


class Captain(Commander[View, Situation]):
    PROPOSALS: ClassVar[Proposals] = {
        Deployment: winter.deployment_actions,
        ReinforcementPhase: lambda s, frame: marching.quarter_actions(s),
        DepotPhase: lambda s, frame: marching.depot_actions(s),
        MarchPhase: lambda s, frame: marching.march_actions(s, frame.die),
        Marching: marching.open_march_actions,
        ForceMarchPhase: lambda s, frame: marching.force_march_actions(s),
        ForceLoss: winter.exhaustion_actions,
        CombatPhase: marching.attack_actions,
        Pursuit: marching.pursuit_actions,
        Routed: marching.rout_actions,
        Retreating: marching.retreat_actions,
        RefugeChoice: marching.refuge_actions,
        SiegePhase: marching.siege_actions,
        Occupation: marching.occupation_actions,
        Departure: marching.departure_actions,
        EnvoyChoice: lambda s, frame: winter.envoy_actions(s),
        RaiseChoice: lambda s, frame: winter.raise_actions(s),
        Losses: winter.loss_actions,
        redeployment.Sacking: winter.sack_actions,
        redeployment.Freeing: winter.free_actions,
        redeployment.LeaderOffers: winter.offer_actions,
        redeployment.LeaderReturn: winter.return_actions,
        redeployment.Redeploying: lambda s, frame: winter.redeployment_actions(s),
        redeployment.Reinforcing: lambda s, frame: winter.reinforcement_actions(s),
    }
    FORESEEN = (
        Deployment, ReinforcementPhase, DepotPhase, MarchPhase, Marching, ForceMarchPhase, CombatPhase, Pursuit,
        SiegePhase, Occupation,
    )  # fmt: skip
    AFFAIRS: ClassVar[Mapping[type[Decision], str]] = {
        GrandStrategy: "the winter council",
        Battles: "the battle",
        SiegePhase: "the siege",
        redeployment.PrisonerExchange: "the prisoners",
        redeployment.LeaderExchange: "the prisoners",
    }

    RULES_OF_THUMB: ClassVar[Mapping[type[Decision], str]] = {
        Deployment: "Armies start where they cover most fortresses, with 1 SP in each of the others (C2.1).",
        DepotPhase: "Depots are started before a fortress and on the way to a siege; idle ones are removed (O10.4).",
        MarchPhase: "Fortresses get SP by value and danger, SP without a general get one; other armies go "
        "to better positions (O5.1).",
        Marching: "The march continues if the next hex is better (O5.1).",
        ForceMarchPhase: "The likelier a force march is to cost 1 SP, the more it must gain (O6.1).",
        CombatPhase: "Attacks are ordered where the tables promise a gain (O9.4).",
        Pursuit: "The victor pursues if it is safe (O9.15).",
        SiegePhase: "A siege is rolled for once its depot is complete (O13.1).",
        Occupation: "A captured fortress gets a garrison by its value and danger (O13.5).",
        ReinforcementPhase: "From turn 15 on, armies take winter quarters if they can (O14.1).",
        RaiseChoice: "All points are spent at once, while there are counters (C6.5).",
        redeployment.Redeploying: "Garrisons are filled up, armies are concentrated where most is at stake, and each "
        "gets a general (C8.6).",
    }

    def __init__(self, data: GameData, side: Side, seed: int, weights: BotWeights = CAPTAIN) -> None:
        super().__init__("frederick", data, side, seed)
        self.data = data
        self.weights = weights

    def situation(self, view: View, mind: Thought) -> Situation:
        saxony = [land for land, power in TERRITORIES.items() if power == SAXONY and mind.plan.council.get(QUESTION)]
        invaded = reduce(or_, map(self.data.board.region, saxony), 0)
        return Situation(self.data, view, self.weights, invaded, mind.seed)

    def consider(self, view: View, before: Thought) -> tuple[Situation, Thought]:
        s = self.situation(view, before)
        moment = s.pos.now * 4 + s.pos.phasing
        if before.date == moment:
            return s, before
        is_saxony_open = (  # Prussia decides in 1756 (C3.3, C5.6)
            QUESTION not in before.plan.council and s.side == PRUSSIAN and s.pos.year == FIRST_YEAR
            and s.pos.plan.par is None and s.pos.allegiance[SAXONY] == NOBODY
        )  # fmt: skip
        if is_saxony_open:
            before = msgspec.structs.replace(before, plan=self.decide_on_saxony(view, before))
            s = self.situation(view, before)
        notes = with_halts(before.notes, ((leader, army.hex) for army in s.armies for leader in army.leaders))
        return s, msgspec.structs.replace(before, date=moment, plan=goals.propose(s, before), notes=notes)

    def adopt(self, s: Situation, mind: Thought) -> None:
        s.plan, s.halts = mind.plan, halts_in(mind.notes)

    def decide_on_saxony(self, view: View, before: Thought) -> Plan:
        """Return the plan with the decision on Saxony in 1756: not to invade wins more wars (docs/bots.md)."""
        return answer_saxony(before.plan, False)

    def turn(self, view: View) -> int:
        """Return the date of the side's last turn (O4.1); the enemy's actions after it belong to the same turn."""
        return date_number(view.year, view.turn) - (view.phasing != view.viewer and view.viewer != 0)

    def missions(self, view: View) -> Missions:
        return ArmyMissions(self.think(view), self.mind.plan)

    def assault(self, view: View, action: Action) -> Assault | None:
        if not isinstance(action, Attack):
            return None
        s = self.think(view)
        mine = s.pos.stack_at(action.hex, s.side)
        odds = s.fight(mine, s.pos.stack_at(action.hex, s.foe), action.hex).attacker_wins
        return Assault(s.data.book.fort_or_place(action.hex), odds, goals.mission_of(self.mind.plan, mine))


def answer_saxony(plan: Plan, invades: bool) -> Plan:
    return msgspec.structs.replace(plan, council={**plan.council, QUESTION: int(invades)})


class ArmyMissions(Missions):
    """Missions of stacks: each stack has the mission of its commander (O2.5)."""

    KINDS: ClassVar[tuple[Kind, ...]] = tuple(goals.GOALS)
    RULE = "O2.5"

    def __init__(self, s: Situation, plan: Plan) -> None:
        super().__init__(s.data.book, s.board, plan)
        self.s = s

    @cached_property
    def own(self) -> Sequence[LeaderId]:
        return [leader for stack in self.s.mine for leader in stack.leaders]

    def why_not_lead(self, leader: LeaderId) -> str:
        s, man = self.s, self.s.data.leaders[leader]
        if s.pos.side_of(man.power) != s.side:
            return "is not yours"
        army = self._stack(leader)
        if s.pos.roster[leader] != ON_MAP or army is None:
            return GONE_WHERE.get(s.pos.roster[leader], "is not on the map")
        if not army.sp:
            return "has no troops to lead"
        if army.commander != leader:
            return f"is under {s.data.leaders[army.commander].name}: give the army's mission to him"
        return ""

    def why_barred(self, kind: Kind, here: Hex) -> Refusal | None:
        s, name = self.s, self.book.fort_or_place(here)
        is_taken, is_closed = s.pos.owners.get(here, s.side) == s.side, not goals.still_open(s, Mission(kind, (), here))
        return nobody_enters(s.pos, here, self.book.place(here)) or first_refusal(
            here,
            (s.neutral >> here & 1, "C3.3", "{} is neutral: entering it makes a new enemy", name),
            (kind in BESIEGING and is_taken, "O13.1", "there is nothing to besiege at {}", name),
            (kind == "hunt" and is_closed, "O9.1", "no enemy army is known to be at {}", name),
            (is_closed, "O12.2", "{} belongs to the enemy: besiege it first", name),
        )

    def kind_for(self, here: Hex) -> Kind:
        if self.s.pos.owners.get(here, self.s.side) != self.s.side:
            return "besiege"
        return "hunt" if self.s.enemies.hexes >> here & 1 else "hold"

    def army_of(self, leader: LeaderId) -> tuple[LeaderId, ...]:
        army = self._stack(leader)
        return (leader, *(n for n in army.leaders if n != leader)) if army is not None else (leader,)

    def led_by(self, army: tuple[LeaderId, ...]) -> tuple[LeaderId, ...]:
        return self.army_of(army[0])

    def reason(self, kind: Kind, army: Sequence[LeaderId], here: Hex) -> Reason:
        stack = self._stack(army[0])
        return goals.reason(self.s, stack, Goal(goals.GOALS[kind], here, 1.0)) if stack is not None else Reason("")

    def stand(self, army: Sequence[LeaderId]) -> tuple[Hex, str]:
        stack = self._stack(army[0])
        return (stack.hex, f"{stack.strength} SP") if stack is not None else (NOWHERE, "")

    def price(self, mission: Mission) -> str:
        """Return the mean cost of a siege roll and of attrition (O13.2, O10.8, O14.2); the reason has battle losses."""
        army, s, here = self._stack(mission.army[0]), self.s, mission.place
        if army is None or not army.sp:
            return ""
        prices: list[str] = []
        garrison = s.pos.inside(here, s.foe)
        if mission.kind in BESIEGING and garrison is not None and garrison.sp:
            added = sum(siege_modifiers(s.pos, msgspec.structs.replace(army, hex=here, inside=False), garrison))
            repulses = sum(siege_result(s.pos, die + added) == "repulse" for die in DICE)
            rolls = f"{repulses / 6:.1f} SP a siege roll" if repulses else "no men at the first siege roll"
            prices.append(f"{rolls} (O13.2)")
        is_fed = s.supplied(army) >> here & 1
        percents = [attrition_percent(s.pos, die + (0 if is_fed else s.pos.is_winter)) for die in DICE]
        hunger = sum(attrition_loss(army.strength, percent, again=False) for percent in percents) / len(percents)
        if not is_fed:
            prices.append(f"{hunger:.1f} SP a turn there out of supply, and more later (O10.8)")
        elif s.pos.is_winter:
            prices.append(f"{hunger:.1f} SP a turn in the open in winter (O14.2)")
        return "; ".join(prices)

    @property
    def today(self) -> int:
        return goals.today(self.s)

    def _stack(self, leader: LeaderId) -> Stack | None:
        return next((stack for stack in self.s.mine if leader in stack.leaders), None)


Way: TypeAlias = tuple[Action | None, Thought]  # the first order, if it is not left to the plan, and the thought
ORDERS: Final = 4  # orders of the plan that are tried, beside other goals
WORLDS: Final = 3  # mean number of worlds for each candidate; more worlds gain little (docs/bots.md)
CAMPAIGNS: Final = 24
"""Rollouts of the first two years for the decision on Saxony: about 7 s of CPU, once a war. A table stops a bot after
10 s and starts it again behind all others.
"""
OTHER_GOALS: Final = 5  # other goals tried for an army, beside staying
IDLE: Final = 2  # armies tried when no march is planned
LEAST_IDLE: Final = 8  # SP of such an army
LEAD: Final = 0.002  # value of a VP of the final lead: it decides where the win is almost certain


class Searcher(Captain):
    """A captain that tries alternatives before an army marches or stays.

    Each is played out in sampled worlds with common dice until the bot's next turn or the end of the year, and judged
    by the learned value.
    """

    def __init__(self, ruleset: Frederick, value: Value, side: Side, seed: int) -> None:
        super().__init__(ruleset.data, side, seed)
        self.rules = ruleset
        self._value = value

    def decide_on_saxony(self, view: View, before: Thought) -> Plan:
        """Return the plan with the decision on Saxony: both are played out to the end of 1757, and leaving her is the
        default.
        """
        plans = [answer_saxony(before.plan, invades) for invades in (False, True)]
        ways: list[Way] = [(None, msgspec.structs.replace(before, plan=plan)) for plan in plans]
        return plans[self._best(view, ways, CAMPAIGNS, lambda state: state.year > FIRST_YEAR + 1)]

    def pick(self, view: View, s: Situation, mind: Thought, legal: LegalSet) -> tuple[Action, Thought]:
        if not isinstance(view.frames[-1], MarchPhase):
            return super().pick(view, s, mind, legal)
        found = list(self._marches(view, s, mind, legal))
        tried = [way for number, way in enumerate(found) if way not in found[:number]]
        year, turn = s.pos.year, s.pos.turn

        def is_over(state: State) -> bool:
            is_next = state.turn > turn + 1 or (state.turn != turn and state.phasing == s.side)
            return is_next or state.year != year

        return tried[self._best(view, tried, WORLDS * len(tried), is_over)]

    def _marches(self, view: View, s: Situation, mind: Thought, legal: LegalSet) -> Iterator[tuple[Action, Thought]]:
        orders = list(islice(self.orders(view, s, mind, legal), ORDERS))
        yield from ((order, mind) for order in orders)
        first = orders[0]
        marching = [army for army in s.mine if isinstance(first, March) and first.leader in army.leaders]
        marching = [army for army in marching if goals.mission_of(mind.plan, army) is not None]
        for army in marching or (idle_armies(s) if isinstance(first, Done) else ()):
            for plan in alternative_plans(s, mind.plan, army):
                other = msgspec.structs.replace(mind, plan=plan)
                order = next(self.orders(view, self.situation(view, other), other, legal))
                if marching or (isinstance(order, March) and order.leader in army.leaders):
                    yield order, other

    def _best(self, view: View, tried: Sequence[Way], most: int, is_over: Callable[[State], bool]) -> int:
        seen = seed_of(tried[0][1].seed, self.rules.encode_view(view))
        return sequential_halving(
            len(tried), most, lambda one, world: self.payoff(view, tried[one], is_over, seen + world)
        ).best

    def payoff(self, view: View, way: Way, is_over: Callable[[State], bool], seed: int) -> float:
        rules, (first, mind) = self.rules, way
        state = sample_likely_state(rules.data, view, Stream(seed_of(seed, "world")))
        heads = [Captain(rules.data, side, seed) for side in SIDES]
        heads[mind.side].take_up(mind)
        if first is not None:
            state = rules.apply(state, mind.side, first).state
        return self.worth(play_out(rules, state, heads, is_over, seed), mind.side)

    def worth(self, state: State, side: OwnerId) -> float:
        """Return a side's expected score plus a little for its lead."""
        value = self._value.chance(state) + LEAD * self._value.lead(state)
        return value if side == PRUSSIAN else -value


def alternative_plans(s: Situation, plan: Plan, army: Stack) -> Iterator[Plan]:
    """Yield the plan with other goals of an army, best first, and with none. Missions given by the player stay."""
    mission = goals.mission_of(plan, army)
    if mission is not None and mission.signed:
        return
    known, whose = (None, army.leaders) if mission is None else ((mission.kind, mission.place), mission.army)
    others = sorted(goals.candidates(s, army, mission, []), key=lambda goal: (-goal.value, goal.hex))
    good = [goal for goal in others if goal.value > 0 and (goals.KINDS[goal.kind], goal.hex) != known]
    for goal in islice(good, OTHER_GOALS):
        yield plan.give(msgspec.structs.replace(goals.mission_for(s, army, goal, None), army=whose))
    yield plan.give(Mission("hold", whose, army.hex, since=goals.today(s)))


def idle_armies(s: Situation) -> list[Stack]:
    able = (army for army in marching.movers(s, forced=False) if army.leaders and not army.demoralized)
    return [army for army in able if army.strength >= LEAST_IDLE][:IDLE]
