"""What the story of a war takes of an event: battles, forces and fortresses that were lost, what befell leaders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.kept import Kept, kept_with
from leuthen.engine.ruleset import OTHER
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.events import Event, Names, grand
from leuthen.rulesets.frederick.model.events import fighting as fight
from leuthen.rulesets.frederick.model.events import operations as field
from leuthen.rulesets.frederick.model.state import SIDES
from leuthen.screen.battles import BattleReport, Host, LostForce
from leuthen.wargame.battlefields import Battlefields
from leuthen.wargame.board import hex_name
from leuthen.wargame.strength import total

LOST: Final = ("killed", "captured")
"""Fates of a leader who is not among his own any more."""


def gained(data: GameData, event: Event) -> str:
    """The fortress that passes from one side to the other; a base of a scenario is not told of (C14.3)."""
    if not isinstance(event, field.Taken) or event.before not in SIDES or event.hex not in data.fortresses:
        return ""
    return data.fortresses[event.hex].name


def battle(data: GameData, names: Names, event: fight.BattleFought) -> BattleReport:
    """The report of a battle (O9): what was lost in it, and who was taken as it was lost (O9.6)."""
    hosts = [
        Host(names.leader(who), strength, lost, event.prisoners if event.winner == OTHER[side] else 0)
        for who, strength, lost, side in zip(
            event.commanders, event.strengths, event.losses, (event.side, OTHER[event.side]), strict=True
        )
    ]
    first, second = hosts if event.side == 0 else reversed(hosts)
    fields, here = _battlefields(data), event.hex
    return BattleReport(
        fields.name(here), hex_name(here), event.side, event.winner, "SP", (first, second), fields.history(here)
    )


def lost_force(data: GameData, event: Event) -> LostForce | None:
    """A force that was overrun (O5.9, O9.10), or had no way to retreat (O9.7); garrisons fall with their fortress."""
    if not isinstance(event, fight.Overwhelmed | fight.StackSurrendered):
        return None
    where = _battlefields(data).where(event.hex)
    if isinstance(event, fight.Overwhelmed) and event.success:
        return LostForce(OTHER[event.side], where, event.against, "SP", "was overrun")
    if isinstance(event, fight.StackSurrendered) and event.rule == fight.StackSurrendered.RULE:
        return LostForce(event.side, where, total(event.sp), "SP", "laid down its arms")
    return None


def fates(data: GameData, names: Names, event: Event) -> Iterator[str]:
    """What befalls leaders by an event: a die's verdict (O5.10, O8.3), captivity with their men, or the way back."""
    if isinstance(event, field.LeaderFate) and event.fate in LOST:
        yield f"{names.leader(event.leader)} is {event.fate} {_battlefields(data).where(event.hex)}"
    elif isinstance(event, fight.Overwhelmed | fight.StackSurrendered):
        for leader in event.leaders:
            yield f"{names.leader(leader)} is captured with his men {_battlefields(data).where(event.hex)}"
    elif isinstance(event, grand.Freed) and event.leader >= 0:
        yield f"{names.leader(event.leader)} comes back from captivity"


def _battlefields(data: GameData) -> Battlefields:
    places: Kept[Battlefields] = kept_with(data, "battlefields")
    forts = [(fort.name, here) for here, fort in data.fortresses.items()]
    return places.of(0, lambda: Battlefields(data.places, forts, data.fought))
