"""The rolls of the rule set: what each had to be or brings, the cell that it reads, and what a face was worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from leuthen.engine.events import Event
from leuthen.engine.kind import ByKind
from leuthen.rulesets.campaigns.model.data import COALITION, GameData
from leuthen.rulesets.campaigns.model.events import fighting as fight
from leuthen.rulesets.campaigns.model.events import moving, turns
from leuthen.rulesets.campaigns.screen.tables import breach_spot, percent_at, percent_spot, surrender_spot
from leuthen.screen import Spot
from leuthen.screen.dice_checks import DiceCheck, Parts, die_of


def check_of(data: GameData, event: Event) -> DiceCheck | None:
    """The roll of an event; None if nothing was rolled."""
    if not die_of(event):
        return None
    make = _CHECKS.get(type(event))
    return make(data, event) if make else _roll(event)


def _roll(event: Any, worth: Callable[[int], float] | None = None, **more: Any) -> DiceCheck:
    """A roll with the modifiers of its event; `worth` takes the die with its modifiers."""
    parts: Parts = more.pop("parts", tuple((value, name) for name, value in getattr(event, "modifiers", ())))
    added = sum(value for value, _ in parts)
    return DiceCheck(
        **{"side": event.side, "is_shared": True, "is_sum": hasattr(event, "dice"), **more},
        die=die_of(event),
        parts=parts,
        worth=(lambda face: worth(face + added)) if worth else None,
    )


def _at_most(event: Any, number: int, need: str = "", **more: Any) -> DiceCheck:
    """A roll that succeeds at a number or less."""
    need = need or f"needs {number} or less"
    return _roll(event, lambda total: float(total <= number), need=need, **more)


def _share(event: Any, name: str, table: Sequence[int], first: int, need: str, **more: Any) -> DiceCheck:
    """A roll for a percentage: the cell of its table, the more the better."""
    check = _roll(event, lambda total: percent_at(table, total, first), need=need, **more)
    return msgspec.structs.replace(check, spot=percent_spot(name, table, check.total, first))


def _breach(data: GameData, event: fight.BreachRolled) -> DiceCheck:
    return _at_most(event, event.number, spot=breach_spot(data, event.hex, event.turn))


def _surrender(data: GameData, event: fight.SurrenderRolled) -> DiceCheck:
    return _at_most(event, event.number, spot=surrender_spot(data, event.hex, event.number))


def _attrition(data: GameData, event: turns.AttritionRolled) -> DiceCheck:
    parts = ((event.earlier, "earlier turns in a row"),)
    found = data.attrition
    check = _share(event, "attrition", found, 1, f"{event.percent} %", parts=parts, is_shared=False)
    return msgspec.structs.replace(check, worth=lambda die: -percent_at(found, die + event.earlier, 1))


def _reaction(data: GameData, event: moving.ReactionTried) -> DiceCheck:
    added = sum(value for _, value in event.modifiers)
    return _roll(
        event,
        lambda total: float(total - added != 6 and total <= event.initiative),
        need=f"needs {event.initiative} or less; a natural 6 fails",
        spot=Spot("reaction", f"initiative {event.initiative}"),
    )


def _forced(data: GameData, event: moving.ForcedMarch) -> DiceCheck:
    command = event.command
    return _roll(
        event,
        lambda die: 0 if die > command + 1 or die == 6 else 1 if die > command else 2,
        need=f"needs {command} or less; {command + 1} costs 5 %; a 6 fails",
        spot=Spot("forced", f"command {command}", str(event.die)),
        is_shared=False,
    )


def _recovered(data: GameData, event: turns.Recovered) -> DiceCheck:
    return _at_most(event, event.number, is_shared=False, is_sum=event.what != "command")


_CHECKS: Final[ByKind[Event, GameData, DiceCheck]] = {
    fight.Committed: lambda data, event: _share(event, "commitment", data.commitment, 1, f"{event.percent} % engaged"),
    fight.CombatRolled: lambda data, event: _share(
        event, "combat", data.combat, 0, f"{event.percent} % of {event.tp} TP"
    ),
    fight.NerveTested: lambda data, event: _at_most(event, event.morale, f"holds at {event.morale} or less"),
    fight.BreachRolled: _breach,
    fight.SurrenderRolled: _surrender,
    fight.WagonRolled: lambda data, event: _roll(
        event, lambda die: float(die > 2), need="lost at 2 or less", is_shared=False
    ),
    moving.ReactionTried: _reaction,
    moving.Roused: lambda data, event: _at_most(event, event.initiative),
    moving.ForcedMarch: _forced,
    moving.LoneFate: lambda data, event: _roll(event, lambda die: float(die > 3), need="lost at 3 or less"),
    turns.Recovered: _recovered,
    turns.AttritionRolled: _attrition,
    turns.NationTurned: lambda data, event: _roll(
        event, lambda total: float(total >= event.number), need=f"needs {event.number} or more", side=COALITION
    ),
}
"""The roll of each kind of event; one that is not here has a die and no more."""
