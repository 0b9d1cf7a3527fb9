"""The fields of a position: each with its type, how it is written, who sees it and as what, and what it is at first.

In the text hexes stand as RRCC, nations, sides and leaders by name, TP by nation. What a decision in progress holds is
written by the types of its fields; leaders are numbers there, in the order of the data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from leuthen.engine import codec
from leuthen.engine.fields import FieldTable, copied, field, openly
from leuthen.engine.ruleset import Outcome, OwnerId, ViewerId
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, NATIONS, NOBODY, SIDE_OF, GameData, GameOptions
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.pieces import Captive, Coming, Depot, Siege, Sight, Unit
from leuthen.rulesets.campaigns.model.seen import SeenForce, covered, is_veiled, knows, see_forces, seen_units
from leuthen.wargame.board import Hex, StackKey, key_hex, key_inside, key_side, stack_key
from leuthen.wargame.encodings import HEX, bag_way
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, bag, largest, of

if TYPE_CHECKING:
    from leuthen.rulesets.campaigns.model.state import Position

SIDE_WORDS: Final = ("prussian", "coalition", "nobody")
ROSTER_WORDS: Final = ("unused", "map", "coming", "captive", "gone")
STATUS_WORDS: Final = ("neutral", "war", "out")
PLACE_WORDS: Final = ("field", "inside")
BAG: Final = bag_way(NATIONS, "nation")
SIDE: Final = codec.word(SIDE_WORDS, "side")
NATION: Final = codec.word(NATIONS, "nation")
PLACE: Final = codec.word(PLACE_WORDS, "place of a force")
PAIR: Final = codec.plain(tuple[int, int])
WAYS: Final = codec.StructWays(
    {"Hex": HEX, "Bag": BAG, "StackKey": codec.NUMBER, "PowerId": codec.NUMBER, "LeaderId": codec.NUMBER},
    {Decision: "frame"},
)
FRAME: Final = WAYS.tagged(Decision)
DEPOT: Final = WAYS.of(Depot, nation=NATION)
SIEGE: Final = WAYS.of(Siege)
SIGHT: Final = WAYS.of(Sight)
Pair: TypeAlias = tuple[int, int]


def _write_force(key: StackKey) -> str:
    """«1623 coalition inside»."""
    return f"{HEX.write(key_hex(key))} {SIDE.write(key_side(key))} {PLACE.write(key_inside(key))}"


def _read_force(text: str) -> StackKey:
    here, side, place = text.split()
    return stack_key(HEX.read(here), SIDE.read(side), PLACE.read(place) > 0)


FORCE: Final = codec.Way(_write_force, _read_force)


def _written_options(options: GameOptions) -> dict[str, codec.JSON]:
    """An open game is written as before the option was there."""
    written: dict[str, codec.JSON] = msgspec.to_builtins(options, order="sorted")
    if not options.hidden:
        del written["hidden"]
    return written


def _names(data: GameData) -> tuple[str, ...]:
    return tuple([leader.name for leader in data.leaders])


def _leader(data: GameData) -> codec.Way:
    return codec.word(_names(data), "leader")


def _units(data: GameData) -> codec.Way:
    return codec.keyed(WAYS.of(Unit, number=_leader(data)), "number", "a leader stands in two places")


def _captives(data: GameData) -> codec.Way:
    return codec.row([codec.many(WAYS.of(Captive, leader=_leader(data)))] * 2)


def _coming(data: GameData) -> codec.Way:
    return codec.many(WAYS.of(Coming, nation=NATION, leader=codec.maybe(_leader(data))))


def _forces(data: GameData) -> codec.Way:
    leader = _leader(data)
    ways = {"side": SIDE, "units": codec.many(leader), "commander": codec.maybe(leader), "nation": codec.maybe(NATION)}
    return codec.many(WAYS.of(SeenForce, **ways))


def _in_order(way: codec.Way, place: Callable[[Hex], int] = int) -> codec.Way:
    """A table that is read in the order of its keys, or of their places."""
    return codec.Way(way.write, lambda text: dict(sorted(way.read(text).items(), key=lambda item: place(item[0]))))


def _by_stronghold(data: GameData) -> codec.Way:
    return _in_order(codec.table(HEX, SIDE), {here: place for place, here in enumerate(data.strongholds)}.__getitem__)


def _see_units(units: dict[LeaderId, Unit], pos: Position, viewer: ViewerId) -> dict[LeaderId, Unit]:
    return dict(seen_units(pos, viewer) if is_veiled(pos, viewer) else units)


def _see_forces(sights: dict[StackKey, Sight], pos: Position, viewer: ViewerId) -> tuple[SeenForce, ...]:
    """The forces, each with what the other side knows of it."""
    return tuple(see_forces(pos, viewer))


def _see_garrisons(troops: dict[Hex, Bag], pos: Position, viewer: ViewerId) -> dict[Hex, Bag]:
    """The viewer's own."""
    if not is_veiled(pos, viewer):
        return dict(troops)
    own = pos.garrisons
    return {h: tp for h, tp in troops.items() if knows(pos.options, viewer, SIDE_OF[largest(own[h])])}


def _see_dead(dead: Bag, pos: Position, viewer: ViewerId) -> Bag:
    """Those of the viewer's own nations."""
    return sum(bag(n, of(dead, n)) for n in ALL_NATIONS if knows(pos.options, viewer, SIDE_OF[n]))


def _see_drawn(drawn: frozenset[int], pos: Position, viewer: ViewerId) -> frozenset[int]:
    """Those of the viewer's own leaders."""
    return frozenset([key for key in drawn if knows(pos.options, viewer, pos.side(LeaderId(key % 1000)))])


class SharedFields:
    """The fields that are of the same type in a position and in a view of it."""

    options: GameOptions = field(codec.Way(_written_options, codec.plain(GameOptions).read), openly)
    scenario: str = field(codec.plain(str), openly)
    year: int = field(codec.NUMBER, openly)
    turn: int = field(codec.NUMBER, openly)
    first: int = field(codec.NUMBER, openly)
    """The first turn of the game, in turns since 1756 (R9.6)."""
    phasing: OwnerId = field(SIDE, openly, NOBODY)
    """The side whose chit is out, or that acts in its half of a step; else NOBODY."""
    frames: tuple[Decision, ...] = field(codec.many(FRAME), lambda frames, pos, viewer: covered(pos, viewer), ())
    status: tuple[int, ...] = field(codec.by_name(NATIONS, codec.word(STATUS_WORDS, "status")), openly)
    """By nation: neutral, at war, or out (R1.3)."""
    ranks: tuple[int, ...] = field(lambda data: codec.by_name(_names(data), codec.NUMBER), openly)
    """The order of seniority of each leader: the lowest number is the highest Sr (R2.1)."""
    units: dict[LeaderId, Unit] = field(_units, _see_units, {})
    """Leaders and wagons on the map, by number."""
    garrisons: dict[Hex, Bag] = field(_in_order(codec.table(HEX, BAG)), _see_garrisons, {})
    """TP in strongholds under no leader (R1.4)."""
    freed: dict[Hex, Bag] = field(_in_order(codec.table(HEX, BAG)), _see_garrisons, {})
    """Of a garrison, the freed men who may travel with a wagon (V7.4)."""
    owners: dict[Hex, OwnerId] = field(_by_stronghold, lambda owners, pos, viewer: dict(owners))
    """The side that controls each stronghold, or NOBODY (R10.2)."""
    depots: dict[Hex, Depot] = field(_in_order(codec.table(HEX, DEPOT)), copied, {})
    sieges: dict[Hex, Siege] = field(_in_order(codec.table(HEX, SIEGE)), copied, {})
    prisoners: tuple[Bag, Bag] = field(codec.row([BAG, BAG]), openly, (EMPTY, EMPTY))
    """The TP that each side holds, by nation."""
    captives: tuple[tuple[Captive, ...], tuple[Captive, ...]] = field(_captives, openly, ((), ()))
    """The leaders that each side holds."""
    coming: tuple[Coming, ...] = field(_coming, openly, ())
    roster: tuple[int, ...] = field(
        lambda data: codec.by_name(_names(data), codec.word(ROSTER_WORDS, "place of a leader")), openly
    )
    """Where each leader is."""
    dead: Bag = field(BAG, _see_dead, EMPTY)
    """TP lost for good."""
    battles: Pair = field(PAIR, openly, (0, 0))
    """Battles of 20 TP or more that each side has won (R16.2)."""
    killed: Pair = field(PAIR, openly, (0, 0))
    """Enemy TP lost in battle or surrendered, by the side that gets the points (R16.2)."""
    last_battle: OwnerId = field(SIDE, openly, NOBODY)
    """The side that won the last battle of 20 TP or more, or NOBODY (R17.3)."""
    joined: tuple[int, ...] = field(codec.by_name(NATIONS, codec.NUMBER), openly, (0,) * len(NATIONS))
    """By nation: the turn since 1756 in which it joined, 0 if it was at war from the start or has not (R17.4)."""
    conquered: frozenset[int] = field(codec.many(NATION, frozenset), openly, frozenset())
    """Nations that have lost all their forts and fortresses (R17.7)."""
    raised: tuple[int, ...] = field(codec.by_name(NATIONS, codec.NUMBER), openly, (0,) * len(NATIONS))
    """Replacements of each nation this year (R15)."""
    drawn: frozenset[int] = field(codec.many(codec.NUMBER, frozenset), _see_drawn, frozenset())
    """Who was given SP by which fort this turn (V3.4): hex and leader in one number."""
    outcome: Outcome | None = field(codec.optional(codec.plain(Outcome)), openly, None)


class Fields(SharedFields):
    """All fields of a position."""

    sights: dict[StackKey, Sight] = field(
        _in_order(codec.table(FORCE, SIGHT)), _see_forces, {}, seen_text=_forces, seen_as="stacks", is_spare=True
    )
    """What the other side knows of the TP of each force, by `stack_key`; nothing where there is no entry (R1.9).

    Empty unless the option `hidden` is played.
    """


TABLE: Final = FieldTable(Fields)
FIELDS: Final = TABLE.names
