"""Why an army has its mission, in words: the goal, what it rests on, the odds, the rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from leuthen.rulesets.campaigns.bot.odds import BattleMeans
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.rules.r09_supply.supply import is_near
from leuthen.wargame.board import Hex
from leuthen.wargame.plans import Kind, Reason
from leuthen.wargame.strength import LeaderId

RULES: Final[Mapping[str, str]] = {
    "besiege": "R11.1", "raid": "R5.6", "cover": "R10.5", "relieve": "R10.5", "hunt": "R6.1", "join": "R3.2",
    "hold": "R9.6", "winter": "R17.6",
}  # fmt: skip
"""The rule that a mission lives by."""
GOALS: Final[Mapping[str, str]] = {
    "besiege": "take {} by siege", "raid": "take {} while it is empty", "cover": "keep the enemy away from {}",
    "relieve": "drive the enemy away from {}", "hunt": "beat the enemy at {}", "join": "join the army at {}",
    "hold": "stay", "winter": "spend the winter in quarters",
}  # fmt: skip


def reason_of(s: Situation, kind: Kind, army: Sequence[LeaderId], place: Hex) -> Reason:
    """The reason of a mission."""
    premises = tuple(PREMISES[kind](s, army, place)) if kind in PREMISES else ()
    return Reason(GOALS[kind].format(named(s, place)), premises, RULES[kind], odds_of(s, kind, army, place))


def named(s: Situation, place: Hex) -> str:
    """Return the name of a stronghold, of another place its hex with its town."""
    if place < 0:
        return ""
    stronghold = s.data.strongholds.get(place)
    return stronghold.name if stronghold is not None else s.data.book.place(place)


def odds_of(s: Situation, kind: Kind, army: Sequence[LeaderId], place: Hex) -> float | None:
    """The chance to win where the mission is a battle."""
    fight = _fight(s, army, place) if kind in ("hunt", "relieve") else None
    return None if fight is None else round(fight.attacker_wins, 2)


def _fight(s: Situation, army: Sequence[LeaderId], place: Hex) -> BattleMeans | None:
    """A battle against the enemy at a place; None if there is none."""
    enemy = s.field(place, s.foe)
    return s.fight([s.pos.units[number] for number in army], enemy, place) if enemy else None


def _men(s: Situation, army: Sequence[LeaderId]) -> int:
    return sum(s.pos.units[number].strength for number in army)


def _of_siege(s: Situation, army: Sequence[LeaderId], place: Hex) -> Iterator[str]:
    yield f"{s.guards(place)} TP are inside, {_men(s, army)} TP besiege"
    yield f"it is worth {s.worths.get(place, 0.0):.0f} VP"
    yield "a depot is near" if is_near(s.pos, place, s.side, False) else "no depot is near"


def _of_raid(s: Situation, army: Sequence[LeaderId], place: Hex) -> Iterator[str]:
    yield "nobody is inside"
    threat = s.threat(place)
    yield f"{threat} enemy TP could come within a turn" if threat else "no enemy is within a turn's march"


def _of_cover(s: Situation, army: Sequence[LeaderId], place: Hex) -> Iterator[str]:
    yield f"its loss would cost {s.stakes.get(place, 0.0):.0f} VP"
    yield f"{s.threat(place)} enemy TP could come within a turn"


def _of_battle(s: Situation, army: Sequence[LeaderId], place: Hex) -> Iterator[str]:
    enemy = sum(unit.strength for unit in s.field(place, s.foe))
    yield f"{enemy} enemy TP stand there, {_men(s, army)} TP go against them"
    if (fight := _fight(s, army, place)) is not None:
        yield f"a battle costs about {fight.attacker_loss:.0f} TP, and the enemy {fight.defender_loss:.0f}"


def _of_joining(s: Situation, army: Sequence[LeaderId], place: Hex) -> Iterator[str]:
    yield f"{_men(s, army)} TP are too few to stand alone"


PREMISES: Final[Mapping[str, Callable[[Situation, Sequence[LeaderId], Hex], Iterator[str]]]] = {
    "besiege": _of_siege, "raid": _of_raid, "cover": _of_cover, "relieve": _of_battle, "hunt": _of_battle,
    "join": _of_joining,
}  # fmt: skip
"""By mission, what it rests on."""
