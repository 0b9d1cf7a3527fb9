"""Events as the chronicle shows them: the sentence, dice and modifiers, the cell of the table, what the map lights."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from leuthen.rulesets.frederick.model.data import NOBODY, GameData
from leuthen.rulesets.frederick.model.events import Event, Names, grand
from leuthen.rulesets.frederick.model.events import fighting as fight
from leuthen.rulesets.frederick.model.events import operations as field
from leuthen.rulesets.frederick.model.state import SIDES
from leuthen.rulesets.frederick.rules.o05_march.walk import MOST
from leuthen.rulesets.frederick.screen.luck import luck_of
from leuthen.rulesets.frederick.screen.table_cells import attrition_spot, combat_spot, initiative_spot, siege_spot
from leuthen.screen import LogEntry, Spot
from leuthen.screen.figures import signed, steps_of
from leuthen.screen.log_entries import other_side, own_side
from leuthen.wargame.board import NOWHERE, Hex, hex_name


def present_event(data: GameData, names: Names, event: Event) -> LogEntry:
    """An event as its viewer got it: nothing is told that stands not in it (O3)."""
    kind = type(event)
    steps, spot = STEPS.get(kind), SPOTS.get(kind)
    hurts = HURTS.get(kind)
    return LogEntry(
        event=str(event.__struct_config__.tag),
        text=event.tell(names),
        rule=event.rule,
        side=event.side,
        hurts=hurts(event) if hurts else NOBODY,
        is_small=event.IS_SMALL,
        places=tuple(_places(event)),
        path=tuple(map(hex_name, _path(event))),
        dice=(event.die,) if hasattr(event, "die") else (),
        steps=tuple(steps(data, event)) if steps else (),
        spot=spot(data, event) if spot else None,
        luck=luck_of(data, event),
        topic=_topic(event),
    )


def _places(event: Event) -> Iterator[str]:
    """The hexes that an event is about, each once; those of a path have their own field."""
    seen = {getattr(event, name, None) for name in ("hex", "start", "to")}
    for here in sorted(here for here in seen if here is not None and here != NOWHERE):
        yield hex_name(here)


def _path(event: Event) -> tuple[Hex, ...]:
    """The way that somebody goes: hex by hex in a march or retreat, else from where to where."""
    if isinstance(event, field.Marched):
        return event.start, *event.path
    if isinstance(event, fight.GarrisonLeft):
        return event.hex, event.to
    if isinstance(event, fight.RetreatMoved | fight.Followed | grand.Redeployed) and event.start != event.hex:
        return event.start, event.hex
    return ()


def _battle_steps(data: GameData, event: fight.BattleFought) -> Iterator[str]:
    yield from steps_of(event.die, event.modifiers, event.result)


def _siege_steps(data: GameData, event: fight.SiegeRolled) -> Iterator[str]:
    yield from steps_of(event.die, event.modifiers, event.total)


def _listed_steps(data: GameData, event: Any) -> Iterator[str]:
    """Of an event that carries its modifiers with their reasons."""
    row = event.rolled if isinstance(event, grand.DiplomacyRolled) else event.row
    yield from steps_of(event.die, ((number, reason) for reason, number in event.modifiers), row)


def _reaction_steps(data: GameData, event: field.Reacted) -> Iterator[str]:
    side = ("Prussian side", "Austrian side")[event.violator]
    yield from steps_of(event.die, ((event.modifier, f"{side} violated a border"),), _reaction_row(event))


def _reaction_row(event: field.Reacted) -> int:
    return max(-1, min(7, event.die + event.modifier))


def _morale_steps(data: GameData, event: field.Recovered) -> Iterator[str]:
    yield from steps_of(event.die, ((event.initiative, "initiative"),), event.die + event.initiative)
    yield f"needs {event.target}"


def _attrition_steps(data: GameData, event: field.Starved) -> Iterator[str]:
    yield from steps_of(event.die, ((event.added, "earlier turns, winter"),), event.die + event.added)


def _retreat_steps(data: GameData, event: fight.Retreated) -> Iterator[str]:
    far = event.die + event.initiative
    yield from steps_of(event.die, ((event.initiative, "initiative"),), min(6, far))


def _initiative(data: GameData, event: field.Rolled) -> int:
    """The initiative that counted for a force's MP: the leader's, or 0 if it is demoralized (O5.2, O11.1)."""
    printed = data.leaders[event.leader].initiative
    return printed if min(MOST, event.die + printed) - event.points in (0, 1) else 0


def _march_steps(data: GameData, event: field.Rolled) -> Iterator[str]:
    if event.leader >= 0:
        initiative = _initiative(data, event)
        yield from steps_of(event.die, ((initiative, "initiative"),), event.die + initiative)
        yield f"{event.points} MP"


def _march_spot(data: GameData, event: field.Rolled) -> Spot:
    if event.leader < 0:
        return Spot("march", str(event.die))
    table = "force-march" if event.rule == "O6.1" else "march"
    return initiative_spot(table, event.die, _initiative(data, event))


STEPS: Final[Mapping[type[Event], Callable[[GameData, Any], Iterator[str]]]] = {
    fight.BattleFought: _battle_steps,
    fight.SiegeRolled: _siege_steps,
    fight.Retreated: _retreat_steps,
    field.Rolled: _march_steps,
    field.Recovered: _morale_steps,
    field.Starved: _attrition_steps,
    field.Reacted: _reaction_steps,
    grand.DiplomacyRolled: _listed_steps,
    grand.CommitmentRolled: _listed_steps,
    grand.SubsidyRolled: _listed_steps,
}


def _power(data: GameData, power: int) -> str:
    return data.powers[power].name


SPOTS: Final[Mapping[type[Event], Callable[[GameData, Any], Spot]]] = {
    fight.BattleFought: lambda data, event: combat_spot(data, event.result, event.ratio),
    fight.SiegeRolled: lambda data, event: siege_spot(data, event.total),
    fight.Retreated: lambda data, event: initiative_spot("retreat", event.die, event.initiative),
    fight.CommanderFate: lambda data, event: Spot(
        "commander", str(event.die), "battle lost" if event.lost else "battle not lost"
    ),
    field.LeaderFate: lambda data, event: Spot("stray", str(event.die)),
    field.Recovered: lambda data, event: initiative_spot("morale", event.die, event.initiative),
    field.Starved: lambda data, event: attrition_spot(data, event.die + event.added),
    field.Rolled: _march_spot,
    field.Reacted: lambda data, event: Spot("diplomacy", signed(_reaction_row(event)), _power(data, event.power)),
    grand.DiplomacyRolled: lambda data, event: Spot("diplomacy", signed(event.rolled), _power(data, event.power)),
    grand.CommitmentRolled: lambda data, event: Spot("commitment", signed(event.row), _power(data, event.power)),
    grand.LeadersRolled: lambda data, event: Spot("leaders", str(event.die)),
    grand.SubsidyRolled: lambda data, event: Spot("subsidy", str(event.row)),
}


HURTS: Final[Mapping[type[Event], Callable[[Any], int]]] = {
    fight.AttackDeclared: other_side,
    fight.BattleFought: other_side,
    fight.Overwhelmed: other_side,
    fight.SiegeRolled: other_side,
    field.Taken: lambda event: event.before,
    fight.Retreated: own_side,
    fight.StackSurrendered: own_side,
    fight.GarrisonLeft: own_side,
    fight.CommanderFate: own_side,
    field.LeaderFate: own_side,
    field.Starved: lambda event: event.side if event.percent else NOBODY,
    field.SpLost: own_side,
    field.Surrendered: own_side,
    field.DepotChanged: lambda event: event.side if event.how in ("is destroyed", "is lost") else NOBODY,
    grand.WarEnded: lambda event: 1 - event.winner if event.winner in SIDES else NOBODY,
}
"""To whom an event does something; to nobody if it is not here."""


def _topic(event: Event) -> str:
    """Whether an event begins a turn, settles a battle, or a siege as the fall of an enemy's fortress does."""
    if event.BEGINS_TURN:
        return "turn"
    if isinstance(event, fight.BattleFought | fight.Overwhelmed):
        return "battle"
    falls = isinstance(event, field.Taken) and event.before in SIDES
    return "siege" if falls or isinstance(event, fight.SiegeRolled) else ""
