"""The captain: it plans before every march and each new turn, follows the plan, and serves as a player's staff."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar, Final

from leuthen.engine.choice import Action, Refusal
from leuthen.engine.decision import Decision
from leuthen.engine.ruleset import Side
from leuthen.rulesets.campaigns.bot import marching, troops, winter
from leuthen.rulesets.campaigns.bot.goals import goals_in, reason_of, still_open, think
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.bot.weights import CAPTAIN, BotWeights
from leuthen.rulesets.campaigns.knowledge import View
from leuthen.rulesets.campaigns.model.actions import Attack, Declare, Hold, Withdraw
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.forces import commander, force_at, percent_of, strength
from leuthen.rulesets.campaigns.model.pieces import CAPTIVE, COMING, GONE, Unit
from leuthen.rulesets.campaigns.odds import attrition_odds
from leuthen.rulesets.campaigns.rules import r14_prisoners as prisoners
from leuthen.rulesets.campaigns.rules import r15_arrivals as arrivals
from leuthen.rulesets.campaigns.rules.r03_turn import Arranging
from leuthen.rulesets.campaigns.rules.r04_command.activation import Passing
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r06_joining import Joining
from leuthen.rulesets.campaigns.rules.r06_meeting import Meeting, Rousing
from leuthen.rulesets.campaigns.rules.r07_reaction import Reacting, ReactionWindow
from leuthen.rulesets.campaigns.rules.r08_forced_march import TOLL, ForcedMarches
from leuthen.rulesets.campaigns.rules.r09_supply import Feeding, SupplyStep, Toll, is_near, need, stock
from leuthen.rulesets.campaigns.rules.r11_siege import Occupying, SiegeStep
from leuthen.rulesets.campaigns.rules.r12_battle import Battle, Declaring, Leaving, Losses, Retreating
from leuthen.rulesets.campaigns.rules.r17_campaign import Council, Interlude, Quartering
from leuthen.wargame.board import NOWHERE, Hex, hex_name
from leuthen.wargame.bot.commander import Assault, Commander, Proposals
from leuthen.wargame.missions import Kind, Mission, Missions, Plan, Reason, Thought, date_number
from leuthen.wargame.strength import LeaderId

GONE_WHERE: Final[Mapping[int, str]] = {CAPTIVE: "is a prisoner", COMING: "has not come yet", GONE: "has left the war"}
"""reasons why a leader is not on the map"""


class Captain(Commander[View, Situation]):
    """A bot that plans before every march and does not search.

    As staff it treats reactions and routine decisions as part of its plan.
    """

    PROPOSALS: ClassVar[Proposals] = {
        Orders: marching.order_actions,
        Marching: marching.march_step_actions,
        Passing: marching.passing_actions,
        ForcedMarches: marching.forced_actions,
        Meeting: marching.attack_actions,
        Rousing: marching.attack_actions,
        ReactionWindow: marching.reaction_actions,
        Reacting: marching.react_actions,
        Joining: marching.join_actions,
        Declaring: lambda s, frame: iter((Declare(True, False), Hold())),
        Leaving: marching.leave_actions,
        Retreating: marching.retreat_actions,
        SiegeStep: marching.siege_actions,
        Occupying: marching.occupation_actions,
        SupplyStep: marching.supply_actions,
        Feeding: marching.feeding_actions,
        Arranging: troops.arrange_actions,
        Losses: troops.loss_actions,
        Toll: troops.loss_actions,
        **dict.fromkeys(
            (arrivals.Displaced, arrivals.FreedMen, arrivals.Recruits, arrivals.Replacements), winter.arrival_actions
        ),
        Quartering: winter.quarter_actions,
        Council: winter.council_actions,
        prisoners.Proposing: winter.exchange_actions,
        prisoners.Consenting: winter.consent_actions,
        prisoners.Naming: winter.naming_actions,
        prisoners.LeaderClaim: winter.claim_actions,
        prisoners.Ransoming: winter.ransom_actions,
    }
    FORESEEN = (
        Orders, Marching, Passing, Meeting, Rousing, ForcedMarches, ReactionWindow, Reacting, SupplyStep, Feeding,
        SiegeStep, Occupying, Arranging, arrivals.Placing, arrivals.Appearing, Toll,
    )  # fmt: skip
    AFFAIRS: ClassVar[Mapping[type[Decision], str]] = {
        Battle: "the battle",
        Retreating: "the battle",
        Council: "the winter council",
        Quartering: "the winter council",
        Interlude: "the winter council",
        prisoners.PrisonerStep: "the prisoners",
        prisoners.Proposing: "the prisoners",
        prisoners.Consenting: "the prisoners",
        prisoners.Ransoming: "the prisoners",
    }

    RULES_OF_THUMB: ClassVar[Mapping[type[Decision], str]] = {
        Orders: "Leaders without a mission stay in place, and small corps join the nearest army (R4.2).",
        Meeting: "The odds decide between an attack and a detour (R6.1).",
        ReactionWindow: "Forces attack a marching enemy they should beat, and evade a stronger one (R7.1).",
        ForcedMarches: "Forced marches take empty places, or surprise an enemy who seems out of reach (R8).",
        SupplyStep: "Wagons and depots are made near armies and sent where they are needed (R9.3).",
        Feeding: "Forces are fed while supplies last (R9.7).",
        SiegeStep: "Sieges are rolled for every turn (R11.2).",
        Occupying: "A captured place gets a garrison by its size (R11.6).",
        Arranging: "The ablest leader commands, and has the most TP (R3.2).",
        arrivals.Placing: "New TP go where most is at stake (R15.1).",
        arrivals.Appearing: "A new leader joins the army that needs him most (R15.1).",
        Council: "Winter quarters are chosen for gains and defence in spring (R17.6).",
    }

    def __init__(self, data: GameData, side: Side, seed: int, weights: BotWeights = CAPTAIN) -> None:
        super().__init__("campaigns", data, side, seed)
        self.data = data
        self.weights = weights

    def consider(self, view: View, before: Thought) -> tuple[Situation, Thought]:
        s = Situation(self.data, view, weights=self.weights)
        return s, think(s, before)

    def adopt(self, s: Situation, mind: Thought) -> None:
        s.plan = goals_in(s, mind.plan)

    def turn(self, view: View) -> int:
        return date_number(view.year, view.turn)

    def missions(self, view: View) -> Missions:
        return ForceMissions(self.think(view), self.mind.plan)

    def doubt(self, view: View, action: Action) -> str:
        """Return no doubt in a battle that the side itself began."""
        is_own_battle = any(isinstance(frame, Battle) and frame.attacker == view.viewer for frame in view.frames)
        return "" if is_own_battle and not isinstance(action, Withdraw) else super().doubt(view, action)

    def assault(self, view: View, action: Action) -> Assault | None:
        frame = view.frames[-1]
        if not isinstance(action, Attack) or not isinstance(frame, Meeting):
            return None
        s = self.think(view)
        here = s.pos.units[frame.lead].hex
        odds = s.fight(s.field(here, s.side), s.field(here, s.foe), here).attacker_wins
        return Assault(s.data.book.fort_or_place(here), odds, self.mind.plan.mission_of(frame.lead))


class ForceMissions(Missions):
    """Missions of leaders, each with the units of the same nation under that leader's command (R2.2)."""

    KINDS: ClassVar[tuple[Kind, ...]] = ("besiege", "raid", "cover", "relieve", "hunt", "join", "hold", "winter")
    STILL: ClassVar[tuple[Kind, ...]] = ("hold", "winter")
    RULE = "R2.2"

    def __init__(self, s: Situation, plan: Plan) -> None:
        super().__init__(s.data.book, s.board, plan)
        self.s = s

    @cached_property
    def own(self) -> Sequence[LeaderId]:
        return [unit.number for unit in (*self.s.generals, *self.s.idle)]

    def why_not_lead(self, leader: LeaderId) -> str:
        pos = self.s.pos
        if pos.side(leader) != self.s.side:
            return "is not yours"
        if leader not in pos.units:
            is_known = leader < len(pos.roster)
            return GONE_WHERE.get(pos.roster[leader], "is not on the map") if is_known else "is not there"
        return "has no troops to lead" if not pos.units[leader].tp or self.s.data.is_wagon(leader) else ""

    def why_barred(self, kind: Kind, here: Hex) -> Refusal | None:
        s = self.s
        if not s.board.is_in_play(here):
            return Refusal("R5.1", "{} is water, or outside the theatre", (hex_name(here),), here)
        if still_open(s, Mission(kind, (), here)) is not None:
            return None
        name = self.book.fort_or_place(here)
        if here in s.pos.owners and s.pos.is_enemy_ground(here):
            return Refusal("R5.6", "{} is of a neutral nation and cannot be taken", (name,), here)
        return Refusal("R11.1", "there is nothing to take at {}", (name,), here)

    def kind_for(self, here: Hex) -> Kind:
        if here in self.s.worths:
            return "besiege" if self.s.guards(here) else "raid"
        return "hunt" if self.s.field(here, self.s.foe) else "cover"

    def army_of(self, leader: LeaderId) -> tuple[LeaderId, ...]:
        """Return a leader with the other leaders of the same nation in the force that the leader commands."""
        pos = self.s.pos
        unit, nation = pos.units[leader], pos.leader(leader).nation
        force = force_at(pos, unit.hex, self.s.side, unit.inside)
        if commander(pos, force) != leader:
            return (leader,)
        led = [one.number for one in force if one.tp and not self.s.data.is_wagon(one.number)]
        return (leader, *[number for number in led if number != leader and pos.leader(number).nation == nation])

    def reason(self, kind: Kind, army: Sequence[LeaderId], here: Hex) -> Reason:
        return reason_of(self.s, kind, army, here)

    def stand(self, army: Sequence[LeaderId]) -> tuple[Hex, str]:
        units = self._units(army)
        return (units[0].hex, f"{strength(units)} TP") if units else (NOWHERE, "")

    def price(self, mission: Mission) -> str:
        """Return the cost of sieges and hunger (R11.3, R9.7, V3.5); battle losses are in the reason."""
        units = self._units(mission.army)
        return "; ".join(self._prices(units, mission)) if units else ""

    @property
    def today(self) -> int:
        return date_number(self.s.pos.year, self.s.pos.turn)

    def _units(self, army: Sequence[LeaderId]) -> list[Unit]:
        return [self.s.pos.units[leader] for leader in army if leader in self.s.pos.units]

    def _prices(self, units: list[Unit], mission: Mission) -> Iterator[str]:
        pos, here = self.s.pos, mission.place if mission.place != NOWHERE else units[0].hex
        if mission.kind == "besiege":
            yield "siege rolls cost no men (R11.3)"
        due = need(pos, strength(units))
        if not due or is_near(pos, here, self.s.side, here == units[0].hex and units[0].inside):
            return
        if pos.options.einhorn:
            lost, rule = float(sum(points * chance for points, chance in attrition_odds(pos, units))), "V3.5"
        else:
            lost, rule = float(percent_of(TOLL, strength(units))), "R9.7"
        yield f"{due} SP per turn there beyond the depots, {stock(units)} in stock; unfed {lost:.1f} TP ({rule})"
