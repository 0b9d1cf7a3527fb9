"""Events as log entries, with dice, modifiers, table cells and luck."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

import msgspec

from leuthen.engine.choice import ByKind
from leuthen.engine.events import Event
from leuthen.engine.memo import memoized
from leuthen.rulesets.campaigns.model import events
from leuthen.rulesets.campaigns.model.data import COALITION, GameData
from leuthen.rulesets.campaigns.model.forces import percent_at
from leuthen.rulesets.campaigns.screen.setting import breach_spot, percent_spot, surrender_spot
from leuthen.screen.figures import DiceCheck, check_roll, die_of, make_entry
from leuthen.screen.values import UNLED, BattleReport, BattleSide, Fate, LogEntry, LostForce, Spot, begun
from leuthen.wargame.board import NOWHERE, hex_name
from leuthen.wargame.strength import total
from leuthen.wargame.war import Battlefields


def present_event(data: GameData, names: events.Names, event: Event) -> LogEntry:
    here = getattr(event, "hex", NOWHERE)
    return make_entry(
        event,
        begun(event.describe(names)),
        check_of(data, event),
        places=(hex_name(here),) if here is not None and here >= 0 and not event.way else (),
        round=getattr(event, "round", 0),
        losses=tuple(zip(event.began, event.lost, strict=True)) if isinstance(event, events.BattleEnded) else (),
        brief=begun(event.deed(names)),
        battle=battle(data, names, event) if isinstance(event, events.BattleEnded) else None,
        gained=data.strongholds[event.hex].name if isinstance(event, events.PlaceFell | events.PlaceTaken) else "",
        lost=lost_force(data, names, event),
        fates=tuple(fates(data, names, event)),
    )


def battle(data: GameData, names: events.Names, event: events.BattleEnded) -> BattleReport:
    """Return the report of a battle (R12); the losses include prisoners (R12.10)."""
    chiefs = [names.unit(number) if number >= 0 else UNLED for number in event.commanders]
    first, second = map(BattleSide, chiefs, event.began, event.lost)
    fields, here = _battlefields(data), event.hex
    return BattleReport(
        fields.name(here), hex_name(here), event.attacker, event.side, "TP", (first, second), fields.history(here)
    )


def lost_force(data: GameData, names: events.Names, event: Event) -> LostForce | None:
    """Return the beaten force that could not retreat for the second time in a turn (R12.9), or None."""
    if not isinstance(event, events.Cornered) or not event.whole:
        return None
    where, leader = _battlefields(data).where(event.hex), next(map(names.unit, event.leaders), "")
    return LostForce(event.side, where, total(event.tp), "TP", "laid down its arms", leader)


def fates(data: GameData, names: events.Names, event: Event) -> Iterator[Fate]:
    """Yield the fates of leaders: captured alone (R2.4) or with their men (R11.6, R12.9), or freed."""
    if isinstance(event, events.LoneFate) and event.fate == "is captured" and not data.is_wagon(event.unit):
        yield Fate(names.unit(event.unit), "captured", f"is captured {_battlefields(data).where(event.hex)}")
    elif isinstance(event, events.PlaceFell | events.Cornered):
        for leader in event.leaders:
            how = f"is captured with his men {_battlefields(data).where(event.hex)}"
            yield Fate(names.unit(leader), "captured", how)
    elif isinstance(event, events.PrisonersFreed):
        for leader in event.leaders:
            yield Fate(names.unit(leader), "freed", "returns from captivity")


@memoized("memo")
def _battlefields(data: GameData) -> Battlefields:
    return Battlefields(data.places, [(place.name, here) for here, place in data.strongholds.items()], data.fought)


def check_of(data: GameData, event: Event) -> DiceCheck | None:
    if not die_of(event):
        return None
    make = _CHECKS.get(type(event))
    return make(data, event) if make else _roll(event)


_roll: Final = partial(check_roll, is_shared=True)


def _at_most(event: Any, number: int, need: str = "", **more: Any) -> DiceCheck:
    need = need or f"needs {number} or less"
    return _roll(event, lambda total: float(total <= number), need=need, **more)


def _share(event: Any, name: str, table: Sequence[int], first: int, need: str, **more: Any) -> DiceCheck:
    check = _roll(event, lambda total: percent_at(table, total, first), need=need, **more)
    return msgspec.structs.replace(check, spot=percent_spot(name, table, check.total, first))


def _attrition(data: GameData, event: events.AttritionRolled) -> DiceCheck:
    parts = ((event.earlier, "earlier turns in a row"),)
    found = data.attrition
    check = _share(event, "attrition", found, 1, f"{event.percent} %", parts=parts, is_shared=False)
    return msgspec.structs.replace(check, worth=lambda die: -percent_at(found, die + event.earlier, 1))


def _forced(data: GameData, event: events.ForcedMarch) -> DiceCheck:
    command = event.command
    return _roll(
        event,
        lambda die: 0 if die > command + 1 or die == 6 else 1 if die > command else 2,
        need=f"needs {command} or less; {command + 1} costs 5 %; a 6 fails",
        spot=Spot("forced", f"command {command}", str(event.die)),
        is_shared=False,
    )


_CHECKS: Final[ByKind[Event, GameData, DiceCheck]] = {
    events.Committed: lambda data, event: _share(event, "commitment", data.commitment, 1, f"{event.percent} % engaged"),
    events.CombatRolled: lambda data, event: _share(
        event, "combat", data.combat, 0, f"{event.percent} % of {event.tp} TP"
    ),
    events.NerveTested: lambda data, event: _at_most(event, event.morale, f"holds at {event.morale} or less"),
    events.BreachRolled: lambda data, event: _at_most(
        event, event.number, spot=breach_spot(data, event.hex, event.turn)
    ),
    events.SurrenderRolled: lambda data, event: _at_most(
        event, event.number, spot=surrender_spot(data, event.hex, event.number)
    ),
    events.WagonRolled: lambda data, event: _roll(
        event, lambda die: float(die > 2), need="lost at 2 or less", is_shared=False
    ),
    events.ReactionTried: lambda data, event: _roll(
        event,
        lambda total: float(total - events.total_of(event.modifiers) != 6 and total <= event.initiative),
        need=f"needs {event.initiative} or less; a natural 6 fails",
        spot=Spot("reaction", f"initiative {event.initiative}"),
    ),
    events.Roused: lambda data, event: _at_most(event, event.initiative),
    events.ForcedMarch: _forced,
    events.LoneFate: lambda data, event: _roll(event, lambda die: float(die > 3), need="lost at 3 or less"),
    events.Recovered: lambda data, event: _at_most(
        event, event.number, is_shared=False, is_sum=event.what != "command"
    ),
    events.AttritionRolled: _attrition,
    events.NationTurned: lambda data, event: _roll(
        event, lambda total: float(total >= event.number), need=f"needs {event.number} or more", side=COALITION
    ),
}
"""Rolls by kind of event; others are a plain die."""
