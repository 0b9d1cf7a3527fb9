"""How lucky a roll was: what each face would have brought, and where the one that came lies among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from leuthen.engine.events import Event
from leuthen.rulesets.campaigns.model.data import COALITION, NOBODY, GameData
from leuthen.rulesets.campaigns.model.events import fighting as fight
from leuthen.rulesets.campaigns.model.events import moving, turns
from leuthen.rulesets.campaigns.model.state import SIDES
from leuthen.rulesets.campaigns.screen.table_cells import percent_at
from leuthen.screen import Luck
from leuthen.screen.figures import middle_rank
from leuthen.screen.log_entries import die_of, lucks

Worth = Callable[[GameData, Any, int], float]
"""What a face, with its modifiers, would have been worth: the more, the better for the side whose roll it is."""
ONE_DIE: Final = range(1, 7)
TWO_DICE: Final = range(2, 13)


def luck_of(data: GameData, event: Event) -> tuple[Luck, ...]:
    """The luck of a roll for its side, and for the other where what is good for one is bad for the other."""
    rolled = _WORTH.get(type(event))
    if rolled is None:
        return ()
    worth, is_shared, favoured = rolled
    side = event.side if favoured == NOBODY else favoured
    two = hasattr(event, "dice") and not (isinstance(event, turns.Recovered) and event.what == "command")
    rolled_now = die_of(event)
    faces = TWO_DICE if two else ONE_DIE
    if side not in SIDES or rolled_now not in faces:
        return ()
    added = sum(value for _, value in getattr(event, "modifiers", ()))
    worths = [worth(data, event, face + added) for face in faces]
    ways = [6 - abs(7 - face) for face in faces] if two else None
    value = middle_rank(worths, worth(data, event, rolled_now + added), ways)
    return lucks(side, value, is_shared)


def _reaction(data: GameData, event: moving.ReactionTried, result: int) -> float:
    added = sum(value for _, value in event.modifiers)
    return float(result - added != 6 and result <= event.initiative)


def _forced(data: GameData, event: moving.ForcedMarch, die: int) -> float:
    return 0 if die > event.command + 1 or die == 6 else 1 if die > event.command else 2


def _nation(data: GameData, event: turns.NationTurned, result: int) -> float:
    return float(result >= event.number)


_WORTH: Final[Mapping[type[Event], tuple[Worth, bool, int]]] = {
    fight.Committed: (lambda data, event, n: percent_at(data.commitment, n, 1), True, NOBODY),
    fight.CombatRolled: (lambda data, event, n: percent_at(data.combat, n, 0), True, NOBODY),
    fight.NerveTested: (lambda data, event, n: float(n <= event.morale), True, NOBODY),
    fight.BreachRolled: (lambda data, event, n: float(n <= event.number), True, NOBODY),
    fight.SurrenderRolled: (lambda data, event, n: float(n <= event.number), True, NOBODY),
    fight.WagonRolled: (lambda data, event, n: float(n > 2), False, NOBODY),
    moving.ReactionTried: (_reaction, True, NOBODY),
    moving.Roused: (lambda data, event, n: float(n <= event.initiative), True, NOBODY),
    moving.ForcedMarch: (_forced, False, NOBODY),
    moving.LoneFate: (lambda data, event, n: float(n > 3), True, NOBODY),
    turns.Recovered: (lambda data, event, n: float(n <= event.number), False, NOBODY),
    turns.AttritionRolled: (
        lambda data, event, n: -percent_at(data.attrition, n + event.earlier, 1),
        False,
        NOBODY,
    ),
    turns.NationTurned: (_nation, True, COALITION),
}
"""What a face is worth; whether what is good for one side is bad for the other; and to whom, if not to its own side."""
