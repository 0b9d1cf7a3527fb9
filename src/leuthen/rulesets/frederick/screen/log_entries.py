"""Events as the chronicle shows them: the sentence, dice and modifiers, the cell of the table, what the map lights."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from leuthen.engine.kept import Kept, kept_with
from leuthen.engine.ruleset import OTHER
from leuthen.rulesets.frederick.model.data import NOBODY, GameData
from leuthen.rulesets.frederick.model.events import Event, Names, grand
from leuthen.rulesets.frederick.model.events import fighting as fight
from leuthen.rulesets.frederick.model.events import operations as field
from leuthen.rulesets.frederick.model.state import SIDES
from leuthen.rulesets.frederick.screen.dice_checks import check_of
from leuthen.screen import LogEntry
from leuthen.screen.battles import BattleReport, Host, LostForce
from leuthen.screen.log_entries import other_side, own_side
from leuthen.wargame.battlefields import Battlefields
from leuthen.wargame.board import NOWHERE, Hex, hex_name
from leuthen.wargame.strength import total


def present_event(data: GameData, names: Names, event: Event) -> LogEntry:
    """An event as its viewer got it: nothing is told that stands not in it (O3)."""
    kind = type(event)
    hurts, check = HURTS.get(kind), check_of(data, event)
    return LogEntry(
        event=str(event.__struct_config__.tag),
        text=event.tell(names),
        rule=event.rule,
        side=event.side,
        hurts=hurts(event) if hurts else NOBODY,
        is_small=event.IS_SMALL,
        places=tuple(_places(event)),
        path=tuple(map(hex_name, _path(event))),
        topic=_topic(event),
        battle=battle(data, names, event) if isinstance(event, fight.BattleFought) else None,
        gained=gained(data, event),
        lost=lost_force(data, event),
        fates=tuple(fates(data, names, event)),
        **(check.entry() if check else {}),
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
    grand.WarEnded: lambda event: OTHER[event.winner] if event.winner in SIDES else NOBODY,
}
"""To whom an event does something; to nobody if it is not here."""


def _topic(event: Event) -> str:
    """Whether an event begins a turn, settles a battle, or a siege as the fall of an enemy's fortress does."""
    if event.BEGINS_TURN:
        return "turn"
    if isinstance(event, fight.BattleFought | fight.Overwhelmed):
        return "battle"
    if isinstance(event, field.LeaderFate) and event.fate not in LOST:
        return ""
    falls = isinstance(event, field.Taken) and event.before in SIDES
    return "siege" if falls or isinstance(event, fight.SiegeRolled) else _NEWS.get(type(event), "")


_NEWS: Final[Mapping[type[Event], str]] = {
    grand.DiplomacyRolled: "politics",
    field.Violated: "politics",
    field.Joined: "politics",
    field.Reacted: "politics",
    field.Surrendered: "politics",
    grand.LeaderDrawn: "leaders",
    grand.Sacked: "leaders",
    field.LeaderFate: "leaders",
    fight.CommanderFate: "leaders",
    grand.ForcesRaised: "strength",
    grand.CommitmentRolled: "strength",
    grand.SubsidyRolled: "strength",
}
"""What is news of the year, and of what kind."""


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
