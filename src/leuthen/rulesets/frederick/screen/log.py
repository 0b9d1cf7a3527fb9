"""Events as log entries, with dice, modifiers, table cells and luck."""

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import ByKind
from leuthen.engine.events import Event
from leuthen.engine.memo import memoized
from leuthen.engine.ruleset import NOBODY, OTHER
from leuthen.rulesets.frederick.model import events
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.events import Names
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SIDES
from leuthen.rulesets.frederick.rules.c05_council import LOWEST
from leuthen.rulesets.frederick.rules.c11_allegiance import diplomacy_result
from leuthen.rulesets.frederick.rules.o05_forces import MOST
from leuthen.rulesets.frederick.rules.o09_combat import HIGH_DIE, LOW_DIE, commander_fate, percent_of
from leuthen.rulesets.frederick.rules.o12_fortresses import CAUGHT
from leuthen.rulesets.frederick.screen.setting import attrition_spot, combat_spot, initiative_spot, siege_spot
from leuthen.screen.figures import DiceCheck, check_roll, make_entry, signed
from leuthen.screen.values import BattleReport, BattleSide, Fate, LogEntry, LostForce, Spot
from leuthen.wargame.board import NOWHERE, hex_name
from leuthen.wargame.strength import total
from leuthen.wargame.war import Battlefields


def present_event(data: GameData, names: Names, event: Event) -> LogEntry:
    """Return the log entry of an event as its viewer received it (O3)."""
    gained = ""
    if isinstance(event, events.Taken) and event.before in SIDES and event.hex in data.fortresses:  # C14.3
        gained = data.fortresses[event.hex].name
    seen = {getattr(event, name, NOWHERE) for name in ("hex", "start", "to")} - {None, NOWHERE}
    return make_entry(
        event,
        event.describe(names),
        check_of(data, event),
        places=tuple(map(hex_name, sorted(seen))),
        battle=battle(data, names, event) if isinstance(event, events.BattleFought) else None,
        gained=gained,
        lost=lost_force(data, names, event),
        fates=tuple(fates(data, names, event)),
    )


def battle(data: GameData, names: Names, event: events.BattleFought) -> BattleReport:
    """Return the report of a battle (O9), with the prisoners of the loser (O9.6)."""
    hosts = [
        BattleSide(names.leader(who), strength, lost, event.prisoners if event.winner == OTHER[side] else 0)
        for who, strength, lost, side in zip(
            event.commanders, event.strengths, event.losses, (event.side, OTHER[event.side]), strict=True
        )
    ]
    first, second = hosts if event.side == 0 else reversed(hosts)
    fields, here = _battlefields(data), event.hex
    return BattleReport(
        fields.name(here), hex_name(here), event.side, event.winner, "SP", (first, second), fields.history(here)
    )


def lost_force(data: GameData, names: Names, event: Event) -> LostForce | None:
    """Return the force that was overrun (O5.9, O9.10) or could not retreat (O9.7); garrisons fall with their
    fortress."""
    if not isinstance(event, events.Overwhelmed | events.StackSurrendered):
        return None
    where = _battlefields(data).where(event.hex)
    leader = next(map(names.leader, event.leaders), "")
    if isinstance(event, events.Overwhelmed) and event.success:
        return LostForce(OTHER[event.side], where, event.against, "SP", "was overrun", leader)
    if isinstance(event, events.StackSurrendered) and event.rule == events.StackSurrendered.RULE:
        return LostForce(event.side, where, total(event.sp), "SP", "laid down its arms", leader)
    return None


def fates(data: GameData, names: Names, event: Event) -> Iterator[Fate]:
    """Yield the fates of leaders: by a die (O5.10, O8.3), captured with their men or alone (C7.7), or freed."""
    if isinstance(event, events.LeaderFate) and event.fate in events.LOST:
        yield Fate(names.leader(event.leader), event.fate, f"is {event.fate} {_battlefields(data).where(event.hex)}")
    elif isinstance(event, events.LeaderCaught):
        yield Fate(names.leader(event.leader), "captured", f"is captured {_battlefields(data).where(event.hex)}")
    elif isinstance(event, events.Overwhelmed | events.StackSurrendered):
        for leader in event.leaders:
            how = f"is captured with his men {_battlefields(data).where(event.hex)}"
            yield Fate(names.leader(leader), "captured", how)
    elif isinstance(event, events.Freed) and event.leader >= 0:
        yield Fate(names.leader(event.leader), "freed", "returns from captivity")


@memoized("memo")
def _battlefields(data: GameData) -> Battlefields:
    return Battlefields(data.places, [(fort.name, here) for here, fort in data.fortresses.items()], data.fought)


_PRUSSIAN_WORTH: Final = {PRUSSIAN: 1, NOBODY: 0, AUSTRIAN: -1}


def check_of(data: GameData, event: Event) -> DiceCheck | None:
    if not hasattr(event, "die"):
        return None
    make = _CHECKS.get(type(event))
    return make(data, event) if make else check_roll(event)


def _battle(data: GameData, event: events.BattleFought) -> DiceCheck:
    def worth(total: int) -> float:
        """Return the attacker's lead in the score with this sum (O9.6)."""
        result = max(LOW_DIE, min(HIGH_DIE, total))
        column = max(lowest for lowest in data.columns if lowest <= event.ratio)
        first, second = (
            percent_of(percent, strength)
            for percent, strength in zip(data.combat[result, column], event.strengths, strict=True)
        )
        return second - first + (event.scores[0] - event.losses[1]) - (event.scores[1] - event.losses[0])

    spot = combat_spot(data, event.result, event.ratio)
    return check_roll(event, worth, counts=event.result, spot=spot, is_shared=True)


def _siege(data: GameData, event: events.SiegeRolled) -> DiceCheck:
    def worth(total: int) -> float:
        return sum(total >= lowest for lowest, _ in data.siege[1:])

    return check_roll(event, worth, counts=event.total, spot=siege_spot(data, event.total), is_shared=True)


def _retreat(data: GameData, event: events.Retreated) -> DiceCheck:
    parts, spot = ((event.initiative, "initiative"),), initiative_spot("retreat", event.die, event.initiative)
    return check_roll(event, parts=parts, counts=min(6, event.die + event.initiative), spot=spot)


def _commander(data: GameData, event: events.CommanderFate) -> DiceCheck:
    def worth(face: int) -> float:
        return {"killed": 0, "captured": 1}.get(commander_fate(face, lost=event.lost), 2)

    return check_roll(
        event, worth, spot=Spot("commander", str(event.die), f"battle {'' if event.lost else 'not '}lost")
    )


def _stray(data: GameData, event: events.LeaderFate) -> DiceCheck:
    is_lost = event.die > CAUGHT and event.fate == "captured"  # nobody is there to whom he could escape
    return check_roll(event, lambda face: float(face > CAUGHT and not is_lost), spot=Spot("stray", str(event.die)))


def _morale(data: GameData, event: events.Recovered) -> DiceCheck:
    return check_roll(
        event,
        lambda total: float(total >= event.target),
        parts=((event.initiative, "initiative"),),
        need=f"needs {event.target}",
        spot=initiative_spot("morale", event.die, event.initiative),
    )


def _attrition(data: GameData, event: events.Starved) -> DiceCheck:
    return check_roll(
        event,
        lambda total: -data.attrition[min(total, len(data.attrition)) - 1],
        parts=((event.added, "earlier turns, winter"),),
        spot=attrition_spot(data, event.die + event.added),
    )


def _march(data: GameData, event: events.Rolled) -> DiceCheck:
    """The initiative that counted is the leader's, or 0 if his force is demoralized (O5.2, O11.1)."""
    if event.leader < 0:
        return check_roll(event, float, spot=Spot("march", str(event.die)))
    printed = data.leaders[event.leader].initiative
    counted = printed if min(MOST, event.die + printed) - event.points in (0, 1) else 0
    return check_roll(
        event,
        lambda total: min(MOST, total - counted + printed),
        parts=((counted, "initiative"),),
        need=f"{event.points} MP",
        spot=initiative_spot("force-march" if event.rule == "O6.1" else "march", event.die, counted),
    )


def _courting(data: GameData, event: events.DiplomacyRolled | events.Reacted) -> DiceCheck:
    """A roll on the Diplomacy Table: its luck is shared, with the opposite sign (C5.3, C5.7)."""

    def worth(total: int) -> float:
        return _PRUSSIAN_WORTH[diplomacy_result(data, event.power, total, 0)[1]]

    spot = Spot("diplomacy", signed(event.row), data.powers[event.power].name)
    return check_roll(event, worth, side=PRUSSIAN, counts=event.row, spot=spot, is_shared=True)


def _commitment(data: GameData, event: events.CommitmentRolled) -> DiceCheck:
    def worth(total: int) -> float:
        percent, switches = data.commitment[max(LOWEST, total), event.power]
        return percent - 1000 * switches

    spot = Spot("commitment", signed(event.row), data.powers[event.power].name)
    return check_roll(event, worth, counts=event.row, spot=spot)


def _leaders(data: GameData, event: events.LeadersRolled) -> DiceCheck:
    table = [0] * 6 if data.powers[event.power].most_leaders else [new for new, _ in data.leader_table]
    return check_roll(event, lambda face: table[face - 1], spot=Spot("leaders", str(event.die)))


def _subsidy(data: GameData, event: events.SubsidyRolled) -> DiceCheck:
    spot = Spot("subsidy", str(event.row))
    return check_roll(event, lambda total: data.subsidy[max(1, total) - 1], counts=event.row, spot=spot)


_CHECKS: Final[ByKind[Event, GameData, DiceCheck]] = {
    events.BattleFought: _battle,
    events.SiegeRolled: _siege,
    events.Retreated: _retreat,
    events.CommanderFate: _commander,
    events.LeaderFate: _stray,
    events.Recovered: _morale,
    events.Starved: _attrition,
    events.Rolled: _march,
    events.Reacted: _courting,
    events.DiplomacyRolled: _courting,
    events.CommitmentRolled: _commitment,
    events.LeadersRolled: _leaders,
    events.SubsidyRolled: _subsidy,
}
"""Rolls by kind of event; others are a plain die."""
