"""Events as the chronicle shows them: the sentence, dice and modifiers, the cell of the table, what the map lights."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from leuthen.engine.events import Event
from leuthen.rulesets.campaigns.model.data import NOBODY, GameData
from leuthen.rulesets.campaigns.model.events import fighting as fight
from leuthen.rulesets.campaigns.model.events import moving, turns
from leuthen.rulesets.campaigns.model.names import Names
from leuthen.rulesets.campaigns.screen.luck import luck_of
from leuthen.rulesets.campaigns.screen.report import begun
from leuthen.rulesets.campaigns.screen.table_cells import breach_spot, percent_spot, surrender_spot
from leuthen.screen import LogEntry, Spot
from leuthen.screen.figures import steps_of
from leuthen.screen.log_entries import die_of, other_side, own_side
from leuthen.wargame.board import Hex, hex_name


def present_event(data: GameData, names: Names, event: Event) -> LogEntry:
    """An event as its viewer got it."""
    kind = type(event)
    spot, hurts = _SPOTS.get(kind), _HURTS.get(kind)
    die, text = die_of(event), event.tell(names)
    return LogEntry(
        event=str(event.__struct_config__.tag),
        text=begun(text),
        rule=event.rule,
        side=event.side,
        hurts=hurts(event) if hurts else NOBODY,
        is_small=event.IS_SMALL,
        places=tuple(_places(event)),
        path=tuple(map(hex_name, _path(event))),
        dice=(die,) if die else (),
        steps=tuple(_steps(event)) if die else (),
        spot=spot(data, event) if spot else None,
        luck=luck_of(data, event),
        topic=_TOPICS.get(kind, ""),
        round=getattr(event, "round", 0),
        toll=tuple(zip(event.began, event.lost, strict=True)) if isinstance(event, fight.BattleEnded) else (),
        is_sum=hasattr(event, "dice"),
        brief=begun(event.deed(names)),
    )


def total_of(event: Any) -> int:
    """The die with all its modifiers."""
    added: int = sum(value for _, value in getattr(event, "modifiers", ()))
    return die_of(event) + added + int(getattr(event, "earlier", 0))


def _places(event: Event) -> Iterator[str]:
    """The hexes that an event is about, each once; those of a path have their own field."""
    here = getattr(event, "hex", -1)
    if here is not None and here >= 0 and not _path(event):
        yield hex_name(here)


def _path(event: Event) -> tuple[Hex, ...]:
    """The way that somebody goes, from its start."""
    if isinstance(event, moving.Moved):
        return event.came, event.hex
    if isinstance(event, fight.RetreatMade) and event.path:
        return event.hex, *event.path
    return ()


def _steps(event: Any) -> Iterator[str]:
    """From the die to the total, and what was needed."""
    parts = [(value, name) for name, value in getattr(event, "modifiers", ())]
    if isinstance(event, turns.AttritionRolled):
        parts = [(event.earlier, "earlier turns in a row")]
    word = "dice" if hasattr(event, "dice") else "die"
    yield from steps_of(die_of(event), parts, total_of(event), word)
    need = _NEEDS.get(type(event))
    if need is not None:
        yield need(event)


_NEEDS: Final[Mapping[type[Event], Callable[[Any], str]]] = {
    moving.ReactionTried: lambda event: f"needs {event.initiative} or less; a natural 6 fails",
    moving.Roused: lambda event: f"needs {event.initiative} or less",
    moving.ForcedMarch: lambda event: f"needs {event.command} or less; {event.command + 1} costs 5 %; a 6 fails",
    fight.NerveTested: lambda event: f"holds at {event.morale} or less",
    fight.BreachRolled: lambda event: f"needs {event.number} or less",
    fight.SurrenderRolled: lambda event: f"needs {event.number} or less",
    fight.Committed: lambda event: f"{event.percent} % engaged",
    fight.CombatRolled: lambda event: f"{event.percent} % of {event.tp} TP",
    turns.Recovered: lambda event: f"needs {event.number} or less",
    turns.AttritionRolled: lambda event: f"{event.percent} %",
    turns.NationTurned: lambda event: f"needs {event.number} or more",
    moving.LoneFate: lambda event: "lost at 3 or less",
    fight.WagonRolled: lambda event: "lost at 2 or less",
}
"""What a roll had to be, or brings."""

_SPOTS: Final[Mapping[type[Event], Callable[[GameData, Any], Spot]]] = {
    fight.Committed: lambda data, event: percent_spot("commitment", data.commitment, total_of(event), 1),
    fight.CombatRolled: lambda data, event: percent_spot("combat", data.combat, total_of(event), 0),
    fight.BreachRolled: lambda data, event: breach_spot(data, event.hex, event.turn),
    fight.SurrenderRolled: lambda data, event: surrender_spot(data, event.hex, event.number),
    turns.AttritionRolled: lambda data, event: percent_spot("attrition", data.attrition, total_of(event), 1),
    moving.ReactionTried: lambda data, event: Spot("reaction", f"initiative {event.initiative}"),
    moving.ForcedMarch: lambda data, event: Spot("forced", f"command {event.command}", str(event.die)),
}


_HURTS: Final[Mapping[type[Event], Callable[[Any], int]]] = {
    fight.BattleOpened: other_side,
    fight.CombatRolled: other_side,
    fight.LossesTaken: own_side,
    fight.NerveTested: lambda event: event.side if event.breaks else NOBODY,
    fight.BrokenOff: own_side,
    fight.BattleEnded: other_side,
    fight.RetreatMade: own_side,
    fight.Cornered: own_side,
    fight.WagonRolled: lambda event: event.side if event.lost else NOBODY,
    fight.BreachRolled: lambda event: other_side(event) if event.success else NOBODY,
    fight.SurrenderRolled: lambda event: other_side(event) if event.success else NOBODY,
    fight.PlaceFell: other_side,
    moving.PlaceTaken: other_side,
    moving.LoneFate: lambda event: NOBODY if event.fate == "escapes" else event.side,
    moving.ForcedMarch: lambda event: event.side if event.lost else NOBODY,
    moving.Paid: lambda event: event.side if event.hungry else NOBODY,
    turns.ForceFed: lambda event: NOBODY if event.paid else event.side,
    turns.Wasted: own_side,
    turns.AttritionRolled: lambda event: event.side if event.percent else NOBODY,
    turns.GameEnded: other_side,
}
"""To whom an event does something; to nobody if it is not here."""

_TOPICS: Final[Mapping[type[Event], str]] = {
    turns.TurnBegan: "turn",
    fight.BattleOpened: "opening",
    fight.BattleEnded: "battle",
    fight.BreachRolled: "siege",
    fight.SurrenderRolled: "siege",
    fight.PlaceFell: "siege",
}
