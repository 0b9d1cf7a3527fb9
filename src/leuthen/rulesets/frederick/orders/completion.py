"""What may come next in a line of orders that is being typed, by the legal set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from leuthen.engine.choice import STOP, LegalSet, Options, Token
from leuthen.engine.refusal import Invalid
from leuthen.rulesets.frederick.model.data import MINORS, GameData
from leuthen.rulesets.frederick.model.names import simplify
from leuthen.rulesets.frederick.model.stacks import locate
from leuthen.rulesets.frederick.model.state import Position
from leuthen.rulesets.frederick.orders.words import ALL, BANG, FROM, INSIDE, OUT, Reader
from leuthen.wargame.board import Hex, hex_name

Given = dict[str, Any]
"""What the words typed so far say, by the field of the action."""
_LISTS: Final = ("leaders", "companions", "path")


class Draftsman:
    """A line in the making: the words that are complete, what they say, and what may follow by the legal set."""

    def __init__(
        self, data: GameData, pos: Position, actor: int, legal: LegalSet[Any], kind: str, words: Sequence[str]
    ):
        self.reader = Reader(data, pos, actor, words)
        self.data = data
        self.pos = pos
        self.legal = legal
        self.kind = kind
        self.given: Given = {"do": kind}

    def slots(self, stop_at: str, index: int | None = None) -> Iterator[Options]:
        """The questions named `stop_at` that come with what is given; what is not given is answered somehow."""
        partial: list[Token] = []
        asked: dict[str, int] = {}
        while True:
            options = self.legal.options(partial)
            if options.action is not None or not options.values:
                return
            place = asked[options.slot] = asked.get(options.slot, -1) + 1
            if options.slot == stop_at and (index is None or index == place):
                yield options
            token = self._answer(options, place)
            if token is None:
                return
            partial.append(token)

    def _answer(self, options: Options, place: int) -> Token | None:
        name, values = options.slot, options.values
        if name in _LISTS:
            given = self.given.get(name, ())
            if place < len(given):
                return given[place] if given[place] in values else None
            return STOP if STOP in values else values[0]
        if name == "sp":
            counts: Mapping[int | None, int] = self.given.get("sp", {})
            return counts.get(options.index, values[-1])
        if name == "points" and options.index is not None:
            return values[0]
        token: Token = self.given.get(name, values[0])
        return token if token in values else None

    def values(self, name: str) -> list[Token]:
        """What may be answered to the next question of a name."""
        given = self.given.get(name)
        index = len(given) if name in _LISTS and given else 0
        found = next(self.slots(name, index), None)
        return [value for value in found.values if value != STOP] if found is not None else []

    def leaders(self, name: str = "leader") -> list[str]:
        """Leaders that may be named."""
        return [self.data.leaders[int(number)].name for number in self.values(name)]

    def hexes(self, name: str = "hex") -> list[str]:
        """Hexes that may be named, and their towns."""
        here = [int(value) for value in self.values(name)]
        return [*map(hex_name, here), *filter(None, map(self.reader.book.town, here))]

    def numbers(self, name: str) -> list[str]:
        """Numbers that may be named."""
        return [str(value) for value in self.values(name)]

    def powers(self) -> list[str]:
        """Powers that may be named."""
        return [self.data.powers[int(number)].name for number in self.values("power")]

    def sp(self, own: int) -> list[str]:
        """How many SP may go at most, power by power."""
        found: list[str] = []
        for options in self.slots("sp"):
            most, power = int(options.values[-1]), options.index
            if most and power is not None and power not in self.given.get("sp", {}):
                found.append(f"+{most}" if power == own else f"+{most} {self.data.powers[power].name}")
        return found

    def inside(self) -> list[str]:
        """Whether they may go inside."""
        return [INSIDE] if 1 in self.values("inside") else []

    def take_inside(self) -> bool:
        """Whether the next word is «inside»; what is given is then known."""
        self.given["inside"] = int(self.reader.has(INSIDE))
        return bool(self.given["inside"])

    def take_force(self, field: str, own: int) -> None:
        """Leaders and SP."""
        leaders, counts = self.reader.force(own=own)
        self.given[field] = sorted((*self.given.get(field, ()), *leaders))
        named = {own if power == ALL else power: points for power, points in counts.items()}
        self.given["sp"] = {power: points for power, points in named.items() if points != ALL}

    def path(self, start: Hex | None, typed: str) -> list[str]:
        """The hexes that may follow in a path, each with the whole path before it."""
        names = [name for name in typed.split("-") if name]
        here = [self.reader.book.hex(name) for name in names[: None if typed.endswith("-") else -1]]
        self.given["path"] = here[1:] if here and here[0] == start else here
        before = [hex_name(there) for there in ([start] if start is not None else []) + self.given["path"]]
        return ["-".join([*before, hex_name(int(there))]) for there in self.values("path")]


def _march(draft: Draftsman, last: str) -> list[str]:
    reader = draft.reader
    if not reader.words:
        return draft.leaders()
    leader = reader.leader()
    draft.given["leader"] = leader
    own = reader.power_of(leader)
    draft.take_force("companions", own)
    stack = locate(draft.pos, leader)
    if reader.words:
        return [BANG]
    others = [] if draft.given["sp"] else draft.leaders("companions")
    return [*others, *draft.sp(own), *draft.path(stack.hex if stack is not None else None, _path_part(last))]


def _path_part(last: str) -> str:
    return last if last[:1].isdigit() and "-" in last else ""


def _go(draft: Draftsman, last: str) -> list[str]:
    force = draft.pos.moving
    if draft.reader.words:
        return [BANG]
    return draft.path(force.hex if force is not None else None, _path_part(last))


def _force(draft: Draftsman, last: str) -> list[str]:
    own = draft.reader.own_power if draft.kind in ("drop", "take") else draft.reader.major
    if draft.kind in ("drop", "take"):
        started = bool(draft.reader.words)
        first = [] if started else draft.inside()
        draft.take_inside()
    else:
        first = []
    draft.take_force("leaders", own)
    return [*first, *draft.leaders("leaders"), *draft.sp(own)]


def _shift(draft: Draftsman, last: str) -> list[str]:
    reader = draft.reader
    if not reader.words:
        return draft.hexes()
    here = draft.given["hex"] = reader.hex()
    if not reader.words:
        return [INSIDE if value else OUT for value in draft.values("inside")]
    if not draft.take_inside():
        reader.has(OUT)
    own = reader.source_power(reader.source(here, not draft.given["inside"]))
    draft.take_force("leaders", own)
    return [*draft.leaders("leaders"), *draft.sp(own)]


def _place(draft: Draftsman, last: str) -> list[str]:
    reader = draft.reader
    if not reader.words:
        return draft.powers()
    power = draft.given["power"] = reader.power()
    if not reader.words:
        return draft.hexes()
    draft.given["hex"] = reader.hex()
    first = draft.inside()
    if draft.take_inside():
        first = []
    draft.take_force("leaders", power)
    origins = [value for value in draft.values("start") if int(value) >= 0]
    if reader.has(FROM):
        return [] if reader.words else _places(origins)
    if not origins:
        return [*first, *draft.leaders("leaders"), *draft.sp(power)]
    found: list[str] = []
    for draft.given["start"] in origins:
        found += [*draft.inside(), *draft.leaders("leaders"), *draft.sp(power)]
    return [*(word for word in found if word != INSIDE or first), FROM]


def _places(keys: Sequence[Token]) -> list[str]:
    return [f"{hex_name(int(key) >> 3)}{' inside' * (int(key) & 1)}" for key in keys]


def _lose(draft: Draftsman, last: str) -> list[str]:
    reader = draft.reader
    if not reader.words:
        return draft.powers()
    draft.given["power"] = reader.power()
    if not reader.words:
        return draft.numbers("points")
    draft.given["points"] = reader.number("a number of SP")
    return _places(draft.values("start"))


def _free(draft: Draftsman, last: str) -> list[str]:
    reader = draft.reader
    if not reader.words:
        return [*draft.powers(), *draft.leaders()]
    leader = None if reader.book.powers.exact(reader.words[0]) else reader.maybe_leader(())
    if leader is not None:
        draft.given["leader"] = leader
        return draft.hexes()
    draft.given["power"] = reader.power()
    if not reader.words:
        return draft.numbers("points")
    draft.given["points"] = reader.number("a number of SP")
    return draft.hexes()


def _envoys(draft: Draftsman, last: str) -> list[str]:
    words = draft.reader.words
    if len(words) % 2:
        return [str(points) for points in range(1, 5)]
    named = {simplify(word) for word in words[::2]}
    return [name for power in MINORS if simplify(name := draft.data.powers[power].name) not in named]


def _hex(draft: Draftsman, last: str) -> list[str]:
    if not draft.reader.words:
        return draft.hexes()
    draft.given["hex"] = draft.reader.hex()
    return [] if draft.reader.words else draft.inside()


_GRAMMAR: Final[Mapping[str, Callable[[Draftsman, str], list[str]]]] = {
    "march": _march,
    "go": _go,
    "shift": _shift,
    "place": _place,
    "lose": _lose,
    "free": _free,
    "envoys": _envoys,
    **dict.fromkeys(("drop", "take", "garrison", "follow"), _force),
    **dict.fromkeys(("halt", "shelter"), lambda draft, last: [] if draft.reader.words else draft.inside()),
    **dict.fromkeys(("sack", "offer", "draw"), lambda draft, last: [] if draft.reader.words else draft.leaders()),
    "raise": lambda draft, last: [] if draft.reader.words else draft.numbers("points"),
    **dict.fromkeys(("attack", "besiege", "build", "remove", "quarter", "retreat", "refuge", "depot-at"), _hex),
}


def complete(data: GameData, pos: Position, actor: int, legal: LegalSet[Any], text: str) -> list[str]:
    """The words that may stand in place of the last, perhaps unfinished, word of a line."""
    *words, last = text.split(" ")
    words = [word for word in words if word]
    kinds = [str(kind) for kind in legal.options().values]
    if not words:
        return [kind for kind in kinds if kind.startswith(last.casefold())]
    kind = words.pop(0).casefold()
    if kind not in kinds or kind not in _GRAMMAR:
        return []
    return _rest_of_name(data, pos, actor, legal, (kind, *words), last) or [
        word for word in _next_words(data, pos, actor, legal, (kind, *words), last) if _begins(word, last)
    ]


def _next_words(
    data: GameData, pos: Position, actor: int, legal: LegalSet[Any], words: Sequence[str], last: str
) -> list[str]:
    kind, *rest = words
    try:
        return list(dict.fromkeys(_GRAMMAR[kind](Draftsman(data, pos, actor, legal, kind, rest), last)))
    except (Invalid, ValueError):
        return []


def _rest_of_name(
    data: GameData, pos: Position, actor: int, legal: LegalSet[Any], words: Sequence[str], last: str
) -> list[str]:
    """What is missing of a name of several words that has been begun: «Germain» after «St.»."""
    for count in range(1, min(3, len(words))):
        begun = " ".join((*words[-count:], last))
        names = _next_words(data, pos, actor, legal, words[:-count], "")
        if found := [
            name.split(" ", count)[count] for name in names if name.count(" ") >= count and _begins(name, begun)
        ]:
            return found
    return []


def _begins(word: str, start: str) -> bool:
    return simplify(word).startswith(simplify(start))
