"""Plans as values: each army's mission with its reason, and the thought that a bot keeps between decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Side
from leuthen.wargame.board import NOWHERE, Board, Hex
from leuthen.wargame.strength import LeaderId

VERSION: Final = 1  # of thoughts: other versions are dropped
Kind: TypeAlias = Literal["besiege", "cover", "relieve", "hunt", "join", "hold", "winter", "raid", "screen"]
"""The missions of an army."""
KINDS: Final[tuple[str, ...]] = get_args(Kind)


class Reason(msgspec.Struct, frozen=True):
    """A reason: the goal, its premises, the rule, and the chance of success (0 to 1, None if unknown)."""

    goal: str
    premises: tuple[str, ...] = ()
    rule: str = ""
    odds: float | None = None


class Limits(msgspec.Struct, frozen=True):
    """Limits of a mission."""

    least_odds: float = 0.5  # the least chance of victory at which the army offers battle
    due: int = 0  # the deadline as a `date_number`; 0 for none


class Mission(msgspec.Struct, frozen=True):
    """An army's task: its leaders by number, the commander first, with place, limits, reason and date."""

    kind: Kind
    army: tuple[LeaderId, ...]
    place: Hex = NOWHERE
    limits: Limits = Limits()
    reason: Reason = Reason("")
    since: int = 0
    signed: bool = False  # whether a player gave or confirmed it: a bot leaves it alone until it is done or impossible


class Theatre(msgspec.Struct, frozen=True):
    """A part of the map: its name, places and leaders."""

    name: str
    places: tuple[Hex, ...] = ()
    leaders: tuple[LeaderId, ...] = ()


class Plan(msgspec.Struct, frozen=True):
    """A side's plan: theatres, missions, and council decisions by name."""

    theatres: tuple[Theatre, ...] = ()
    missions: tuple[Mission, ...] = ()
    council: Mapping[str, int] = {}

    def mission_of(self, leader: LeaderId) -> Mission | None:
        """Return the mission of a leader's army, if it has one."""
        for mission in self.missions:
            if leader in mission.army:
                return mission
        return None

    def theatre_of(self, leader: LeaderId) -> Theatre | None:
        """Return the theatre that a leader belongs to."""
        return next((theatre for theatre in self.theatres if leader in theatre.leaders), None)

    def give(self, mission: Mission) -> Plan:
        """Return the plan with a mission instead of those of its leaders. Raise Invalid for one without an army."""
        if not mission.army:
            raise Invalid("a mission needs an army: name at least one leader")
        taken = set(mission.army)
        left = tuple([other for old in self.missions if (other := _without(old, taken)) is not None])
        return msgspec.structs.replace(self, missions=(*left, mission))

    def cancel(self, leader: LeaderId) -> Plan:
        """Return the plan without the mission of a leader's army."""
        left = tuple([mission for mission in self.missions if leader not in mission.army])
        return msgspec.structs.replace(self, missions=left)


def _without(mission: Mission, taken: set[LeaderId]) -> Mission | None:
    army = tuple([leader for leader in mission.army if leader not in taken])
    if len(army) == len(mission.army):
        return mission
    return msgspec.structs.replace(mission, army=army) if army else None


def expect_sound(missions: Iterable[Mission]) -> None:
    """Raise Invalid if an army has two missions, or a mission has no army or an unknown kind."""
    seen: set[int] = set()
    for number, mission in enumerate(missions, 1):
        if mission.kind not in KINDS:
            raise Invalid(f'mission {number}: "{mission.kind}" is not a valid mission: {", ".join(KINDS)}')
        if not mission.army:
            raise Invalid(f"mission {number} needs an army: name at least one leader")
        if not seen.isdisjoint(mission.army):
            raise Invalid(f"mission {number}: its army has a mission already")
        seen.update(mission.army)


class Thought(msgspec.Struct, frozen=True):
    """A bot's memory between decisions, which follows from what its side saw.

    `seed` is the bot's own, `date` that of the plan; `notes` are counts and dates by name.
    """

    ruleset: str
    side: Side
    seed: int
    date: int = 0
    plan: Plan = Plan()
    notes: Mapping[str, int] = {}
    version: int = VERSION


def encode_thought(thought: Thought) -> bytes:
    """Return the bytes of a thought; equal thoughts have equal bytes."""
    return msgspec.json.encode(thought, order="sorted")


def decode_thought(data: bytes) -> Thought:
    """Return the thought of some bytes. Raise Invalid if it is damaged or of another version."""
    try:
        version = msgspec.json.decode(data, type=_Versioned).version
        if version != VERSION:
            raise Invalid(f"a thought of version {version}: this is version {VERSION}")
        thought = msgspec.json.decode(data, type=Thought)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Invalid(f"this is no thought of a general: {error}") from error
    expect_sound(thought.plan.missions)
    return thought


def expect_known(missions: Iterable[Mission], leaders: int, board: Board) -> None:
    """Raise Invalid if a mission names a leader or a place that the game does not have."""
    for number, mission in enumerate(missions, 1):
        strangers = [leader for leader in mission.army if not 0 <= leader < leaders]
        if strangers:
            raise Invalid(f"mission {number}: {strangers[0]} is not a leader of this game")
        if mission.place != NOWHERE and mission.place not in board.terrain:
            raise Invalid(f"mission {number}: {mission.place} is not a hex of the map")


def recall(
    data: bytes, ruleset: str, side: Side, seed: int, expect: Callable[[Plan], None] | None = None
) -> tuple[Thought, str]:
    """Return the thought of some bytes and ""; or a new thought and a message if they cannot be used.

    No bytes make a new thought. `expect` raises Invalid for a plan that the game cannot have.
    """
    fresh = Thought(ruleset, side, seed)
    if not data:
        return fresh, ""
    try:
        thought = decode_thought(data)
        if (thought.ruleset, thought.side) != (ruleset, side):
            raise Invalid("it was for another side or game")
        if expect is not None:
            expect(thought.plan)
    except Invalid as error:
        return fresh, f"The general starts a new plan: {error}."
    return thought, ""


class _Versioned(msgspec.Struct):
    version: int = 0


def date_number(part: int, turn: int) -> int:
    """Return a year and turn as one number that grows."""
    return part * 100 + turn
