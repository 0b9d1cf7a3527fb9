"""Plans as values: what each army is to do and why, and the thought that a general takes from decision to decision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Side
from leuthen.wargame.board import NOWHERE, Board, Hex
from leuthen.wargame.strength import LeaderId

VERSION: Final = 1
"""Of thoughts: one of another version is dropped."""
Kind: TypeAlias = Literal["besiege", "cover", "relieve", "hunt", "join", "hold", "winter", "raid", "screen"]
"""What an army may be told to do."""
KINDS: Final[tuple[str, ...]] = get_args(Kind)


class Reason(msgspec.Struct, frozen=True):
    """Why: the goal, what it rests on, by which rule, and the chance that it is given (0 to 1; None: not counted)."""

    goal: str
    premises: tuple[str, ...] = ()
    rule: str = ""
    odds: float | None = None


class Limits(msgspec.Struct, frozen=True):
    """How far an army may go for its mission."""

    least_odds: float = 0.5
    """The least chance of victory at which it offers battle."""
    due: int = 0
    """The date by which it should be done, as `date_number` has it; 0: none."""


class Mission(msgspec.Struct, frozen=True):
    """What one army is to do: its leaders by number, the first commands; where; how far it may go; why; since when."""

    kind: Kind
    army: tuple[LeaderId, ...]
    place: Hex = NOWHERE
    limits: Limits = Limits()
    reason: Reason = Reason("")
    since: int = 0
    signed: bool = False
    """Whether a player gave or confirmed it: a proposer leaves it as it is until it is done or impossible."""


class Theatre(msgspec.Struct, frozen=True):
    """A part of the map: its name, its places, and the leaders who belong to it."""

    name: str
    places: tuple[Hex, ...] = ()
    leaders: tuple[LeaderId, ...] = ()


class Plan(msgspec.Struct, frozen=True):
    """What a side wants: theatres, missions, and what it has decided for its councils, by name."""

    theatres: tuple[Theatre, ...] = ()
    missions: tuple[Mission, ...] = ()
    council: Mapping[str, int] = {}

    def mission_of(self, leader: LeaderId) -> Mission | None:
        """What the army of a leader is to do; None if nobody has said."""
        for mission in self.missions:
            if leader in mission.army:
                return mission
        return None

    def theatre_of(self, leader: LeaderId) -> Theatre | None:
        """To which theatre a leader belongs."""
        return next((theatre for theatre in self.theatres if leader in theatre.leaders), None)

    def give(self, mission: Mission) -> Plan:
        """The plan with a mission in place of those that its leaders had. Raises Invalid for one without an army."""
        if not mission.army:
            raise Invalid("a mission needs an army: name at least one leader")
        taken = set(mission.army)
        left = tuple([other for old in self.missions if (other := _without(old, taken)) is not None])
        return msgspec.structs.replace(self, missions=(*left, mission))

    def cancel(self, leader: LeaderId) -> Plan:
        """The plan without the mission of the army that a leader belongs to."""
        left = tuple([mission for mission in self.missions if leader not in mission.army])
        return msgspec.structs.replace(self, missions=left)


def _without(mission: Mission, taken: set[LeaderId]) -> Mission | None:
    army = tuple([leader for leader in mission.army if leader not in taken])
    if len(army) == len(mission.army):
        return mission
    return msgspec.structs.replace(mission, army=army) if army else None


def expect_sound(missions: Iterable[Mission]) -> None:
    """Raises Invalid if two missions are for one army, or one has no army or an unknown kind."""
    seen: set[int] = set()
    for number, mission in enumerate(missions, 1):
        if mission.kind not in KINDS:
            raise Invalid(f"mission {number}: «{mission.kind}» is no mission: {', '.join(KINDS)}")
        if not mission.army:
            raise Invalid(f"mission {number} needs an army: name at least one leader")
        if not seen.isdisjoint(mission.army):
            raise Invalid(f"mission {number}: its army has a mission already")
        seen.update(mission.army)


class Thought(msgspec.Struct, frozen=True):
    """What a general takes from one decision to the next: nothing that does not follow from what his side saw.

    `seed` is his own; `date` that of the plan; `notes` are counts and dates that he remembers, by name.
    """

    ruleset: str
    side: Side
    seed: int
    date: int = 0
    plan: Plan = Plan()
    notes: Mapping[str, int] = {}
    version: int = VERSION


def encode_thought(thought: Thought) -> bytes:
    """The bytes of a thought: equal thoughts have equal bytes."""
    return msgspec.json.encode(thought, order="sorted")


def decode_thought(data: bytes) -> Thought:
    """The thought of some bytes. Raises Invalid for one that is damaged or of another version."""
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
    """Raises Invalid if a mission names somebody or a place that a game with so many leaders does not have."""
    for number, mission in enumerate(missions, 1):
        strangers = [leader for leader in mission.army if not 0 <= leader < leaders]
        if strangers:
            raise Invalid(f"mission {number}: {strangers[0]} is no leader of this game")
        if mission.place != NOWHERE and mission.place not in board.terrain:
            raise Invalid(f"mission {number}: {mission.place} is no hex of the map")


def recall(
    data: bytes, ruleset: str, side: Side, seed: int, expect: Callable[[Plan], None] | None = None
) -> tuple[Thought, str]:
    """The thought of some bytes, and no word; or, where they are of no use here, a fresh one and a word that says so.

    No bytes at all are a fresh beginning. `expect` raises Invalid for a plan that this game cannot have.
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
        return fresh, f"The general begins his plan anew: {error}."
    return thought, ""


class _Versioned(msgspec.Struct):
    version: int = 0


def date_number(part: int, turn: int) -> int:
    """A date as one number that grows: the year and its turn, as a rule set's `date` gives them."""
    return part * 100 + turn
