"""What the story of a war takes of an event: battles, forces and places that were lost, what befell leaders."""

from __future__ import annotations

from collections.abc import Iterator

from leuthen.engine.events import Event
from leuthen.engine.kept import Kept, kept_with
from leuthen.engine.ruleset import SIDES
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.events import fighting as fight
from leuthen.rulesets.campaigns.model.events import moving, turns
from leuthen.rulesets.campaigns.model.names import Names
from leuthen.screen.battles import UNLED, BattleReport, Host, LostForce
from leuthen.wargame.battlefields import Battlefields
from leuthen.wargame.board import hex_name
from leuthen.wargame.strength import total


def gained(data: GameData, event: Event) -> str:
    """The stronghold that passes to the event's side, or ""."""
    return data.strongholds[event.hex].name if isinstance(event, fight.PlaceFell | moving.PlaceTaken) else ""


def battle(data: GameData, names: Names, event: fight.BattleEnded) -> BattleReport:
    """The report of a battle (R12): what both sides began with and lost, prisoners among it (R12.10)."""
    first, second = (
        Host(
            names.unit(event.commanders[side]) if event.commanders[side] >= 0 else UNLED,
            event.began[side],
            event.lost[side],
        )
        for side in SIDES
    )
    fields, here = _battlefields(data), event.hex
    return BattleReport(
        fields.name(here), hex_name(here), event.attacker, event.side, "TP", (first, second), fields.history(here)
    )


def lost_force(data: GameData, event: Event) -> LostForce | None:
    """A beaten force that had no way to retreat, the second time in a turn (R12.9); garrisons fall with their place."""
    if not isinstance(event, fight.Cornered) or not event.whole:
        return None
    return LostForce(event.side, _battlefields(data).where(event.hex), total(event.tp), "TP", "laid down its arms")


def fates(data: GameData, names: Names, event: Event) -> Iterator[str]:
    """What befalls leaders by an event: captivity, alone (R2.4) or with their men (R11.6, R12.9), or the way back."""
    if isinstance(event, moving.LoneFate) and event.fate == "is captured" and not data.is_wagon(event.unit):
        yield f"{names.unit(event.unit)} is captured {_battlefields(data).where(event.hex)}"
    elif isinstance(event, fight.PlaceFell | fight.Cornered):
        for leader in event.leaders:
            yield f"{names.unit(leader)} is captured with his men {_battlefields(data).where(event.hex)}"
    elif isinstance(event, turns.PrisonersFreed):
        for leader in event.leaders:
            yield f"{names.unit(leader)} comes back from captivity"


def _battlefields(data: GameData) -> Battlefields:
    places: Kept[Battlefields] = kept_with(data, "battlefields")
    forts = [(place.name, here) for here, place in data.strongholds.items()]
    return places.of(0, lambda: Battlefields(data.places, forts, data.fought))
