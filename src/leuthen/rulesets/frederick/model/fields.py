"""The fields of a position: each with its type, how it is written, who sees it and as what, and what it is at first.

In the text hexes stand as RRCC, powers, sides and leaders by name, strengths as SP by power. What a decision in
progress holds is written by the types of its fields; leaders are numbers there, in the order of the data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from leuthen.engine import codec
from leuthen.engine.codec import table
from leuthen.engine.fields import FieldTable, copied, field, openly
from leuthen.engine.ruleset import Outcome, OwnerId, ViewerId
from leuthen.rulesets.frederick.model.data import CAMPAIGN, NOBODY, POWERS, GameData
from leuthen.rulesets.frederick.model.decisions import Decision, Secret, covered
from leuthen.rulesets.frederick.model.options import GameOptions
from leuthen.rulesets.frederick.model.pieces import SIDES, Depot, SeenStack, Stack, knows, see_stack
from leuthen.wargame.board import Hex, StackKey
from leuthen.wargame.encodings import HEX, bag_way
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, bag, of, powers

if TYPE_CHECKING:
    from leuthen.rulesets.frederick.model.state import Position

SIDE_WORDS: Final = ("prussian", "austrian", "nobody")
ROSTER_WORDS: Final = ("map", "pool", "waiting", "captive", "gone", "absent")
BAG: Final = bag_way(POWERS)
SIDE: Final = codec.word(SIDE_WORDS, "side")
POWER: Final = codec.word(POWERS, "power")
WAYS: Final = codec.StructWays(
    {
        "Side": codec.NUMBER,
        "OwnerId": codec.NUMBER,
        "Hex": HEX,
        "Bag": BAG,
        "StackKey": codec.NUMBER,
        "PowerId": codec.NUMBER,
        "LeaderId": codec.NUMBER,
    },
    {Decision: "frame", Secret: "secret"},
)
FRAME: Final = WAYS.tagged(Decision)
SECRET: Final = WAYS.tagged(Secret)
DEPOT: Final = WAYS.of(Depot, power=POWER)


def _names(data: GameData) -> tuple[str, ...]:
    """The names of the leaders."""
    return tuple([leader.name for leader in data.leaders])


def _leader(data: GameData) -> codec.Way:
    return codec.word(_names(data), "leader")


def _stack(data: GameData) -> codec.Way:
    crew = codec.many(_leader(data))
    return WAYS.of(Stack, **_shown(data), leaders=crew, resters=crew)


def _seen_stack(data: GameData) -> codec.Way:
    crew = codec.optional(codec.many(_leader(data)))
    return WAYS.of(SeenStack, **_shown(data), leaders=crew, resters=crew)


def _shown(data: GameData) -> dict[str, codec.Way]:
    return {"side": SIDE, "commander": codec.maybe(_leader(data)), "nation": codec.maybe(POWER)}


def _see_frames(frames: tuple[Decision, ...], pos: Position, viewer: ViewerId) -> tuple[Decision, ...]:
    return tuple([frame.seen_by(viewer) for frame in frames])


def _see_stacks(stacks: dict[StackKey, Stack], pos: Position, viewer: ViewerId) -> tuple[SeenStack, ...]:
    """As the viewer saw them before, if they are the same."""
    before: dict[StackKey, tuple[Stack, SeenStack]] = pos.lasting.once(("seen", viewer), dict)
    found = []
    for key in sorted(stacks):
        stack, last = stacks[key], before.get(key)
        if last is None or last[0] is not stack:
            last = before[key] = stack, see_stack(stack, viewer)
        found.append(last[1])
    return tuple(found)


def _see_force(force: Stack | None, pos: Position, viewer: ViewerId) -> SeenStack | None:
    return None if force is None else see_stack(force, viewer)


def _see_depots(depots: dict[Hex, Depot], pos: Position, viewer: ViewerId) -> dict[Hex, Depot]:
    """Of the enemy's only complete ones, and not how they are kept (O3.1)."""
    found: dict[Hex, Depot] = {}
    for here, depot in sorted(depots.items()):
        if knows(viewer, pos.side_of(depot.power)):
            found[here] = depot
        elif depot.complete:
            found[here] = Depot(depot.power, True)
    return found


def _see_secrets(secrets: Secrets, pos: Position, viewer: ViewerId) -> Secrets:
    """The viewer's own choice; of the other side only that it is sealed."""
    one, two = (secret if knows(viewer, side) else covered(secret) for side, secret in zip(SIDES, secrets, strict=True))
    return one, two


def _see_spent(spent: dict[LeaderId, int], pos: Position, viewer: ViewerId) -> dict[LeaderId, int]:
    """Movement points of the viewer's own leaders."""
    table = pos.data.leaders
    return {n: points for n, points in sorted(spent.items()) if knows(viewer, pos.side_of(table[n].power))}


def _see_waiting(waiting: Bag, pos: Position, viewer: ViewerId) -> Bag:
    """Reinforcements of the viewer's own powers."""
    return sum(bag(power, of(waiting, power)) for power in powers(waiting) if knows(viewer, pos.side_of(power)))


def _see_shifted(shifted: frozenset[Hex], pos: Position, viewer: ViewerId) -> frozenset[Hex]:
    """The viewer's own fortresses."""
    return frozenset([here for here in shifted if knows(viewer, pos.owners[here])])


Secrets: TypeAlias = tuple[Any, Any]
_POWERS: Final = codec.many(POWER, frozenset)
_HEXES: Final = codec.many(HEX, frozenset)


class SharedFields:
    """The fields that are of the same type in a position and in a view of it."""

    options: GameOptions = field(codec.plain(GameOptions), openly)
    scenario: str = field(codec.plain(str), openly, CAMPAIGN, is_spare=True)
    """Its name; the data are those of the scenario (C14)."""
    year: int = field(codec.NUMBER, openly)
    turn: int = field(codec.NUMBER, openly)
    phasing: OwnerId = field(SIDE, openly, NOBODY)
    """The side whose player turn it is (O4.3), or NOBODY."""
    frames: tuple[Decision, ...] = field(codec.many(FRAME), _see_frames, ())
    """The decisions in progress, the innermost last."""
    allegiance: tuple[OwnerId, ...] = field(codec.by_name(POWERS, SIDE), openly)
    """By power: side or NOBODY; of a surrendered power the side that it was last on (C1.2)."""
    surrendered: frozenset[PowerId] = field(_POWERS, openly, frozenset())
    invaded: frozenset[PowerId] = field(_POWERS, openly, frozenset())
    """Powers violated in 1756 (C5.2)."""
    saxon_invader: OwnerId = field(SIDE, openly, NOBODY)
    """Who invaded Saxony in 1756, or NOBODY (C5.6)."""
    german_open: bool = field(codec.FLAG, openly, False)
    """Whether the German States are free to both sides (C9.2)."""
    depots: dict[Hex, Depot] = field(table(HEX, DEPOT), _see_depots, {})
    owners: dict[Hex, OwnerId] = field(table(HEX, SIDE), copied)
    """To which side each fortress belongs, or NOBODY (O12.2)."""
    rp: tuple[int, int] = field(codec.plain(tuple[int, int]), openly, (0, 0))
    prisoners: tuple[Bag, Bag] = field(codec.row([BAG, BAG]), openly, (EMPTY, EMPTY))
    """The SP that each side holds, by nationality (O15.3)."""
    captives: tuple[tuple[LeaderId, ...], tuple[LeaderId, ...]] = field(
        lambda data: codec.row([codec.many(_leader(data))] * 2), openly, ((), ())
    )
    """The leaders that each side holds."""
    roster: tuple[int, ...] = field(
        lambda data: codec.by_name(_names(data), codec.word(ROSTER_WORDS, "place of a leader")), openly
    )
    """Where each leader is."""
    arrival: tuple[int, ...] = field(lambda data: codec.by_name(_names(data), codec.NUMBER), openly)
    """The order in which leaders came into play, for seniority (C8.2)."""
    waiting: Bag = field(BAG, _see_waiting, EMPTY)
    """New SP that wait to be placed (C6.4, C8.8)."""
    sealed: Secrets = field(codec.row([codec.optional(SECRET)] * 2), _see_secrets, (None, None))
    """What each side has chosen in secret and at the same time, until both are revealed."""
    spent: dict[LeaderId, int] = field(lambda data: table(_leader(data), codec.NUMBER), _see_spent, {})
    """Movement points of leaders in this phase (O5.14)."""
    shifted: frozenset[Hex] = field(_HEXES, _see_shifted, frozenset())
    """Fortresses at which somebody went in or out in this phase (O5.20)."""
    sallied: frozenset[Hex] = field(_HEXES, openly, frozenset(), is_spare=True)
    """Besieged fortresses whose garrison, or a part of it, came out in this phase (O13.7)."""
    bound: frozenset[Hex] = field(_HEXES, openly, frozenset())
    """Where an attack must be declared, because an overwhelming attack failed (O5.17)."""
    sieges: dict[Hex, int] = field(table(HEX, codec.NUMBER), copied, {})
    """Rolls made in each siege (O13.8)."""
    outcome: Outcome | None = field(codec.optional(codec.plain(Outcome)), openly, None)
    starred: frozenset[PowerId] = field(_POWERS, openly, frozenset())
    """Powers that a starred result of the Diplomacy Table brought to their side (C5.5)."""


class Fields(SharedFields):
    """All fields of a position."""

    stacks: dict[StackKey, Stack] = field(
        lambda data: codec.keyed(_stack(data), "key", "two stacks of one side stand in one place"),
        _see_stacks,
        {},
        seen_text=lambda data: codec.many(_seen_stack(data)),
    )
    moving: Stack | None = field(
        lambda data: codec.optional(_stack(data)),
        _see_force,
        None,
        seen_text=lambda data: codec.optional(_seen_stack(data)),
    )
    """The force on the march, in retreat or following: it stands in no stack meanwhile."""


TABLE: Final = FieldTable(Fields)
FIELDS: Final = TABLE.names
