"""The grammar of order lines: the parts of each line, and the fields of the action that they hold.

A rule set lists the parts of each action once. Writing, reading and completing lines follow from that list, and so does
the way in which a form asks for each field (`Field.kind`). For completion, the words of a line fix answers to questions
of the legal set's script. At the end of the words the parts propose candidates; one is offered if the script leads from
it to an action.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeAlias

import msgspec
from typing_extensions import TypeVar

from leuthen.engine.choice import STOP, Action, LegalSet, Slot, Token
from leuthen.engine.refusal import Ambiguous, Invalid, read_number, require
from leuthen.wargame.board import Hex, as_hex, hex_name
from leuthen.wargame.names import LONGEST, NameBook, simplify
from leuthen.wargame.strength import LeaderId, PowerId, as_leader, as_power

R = TypeVar("R")


def begin(text: str, readers: Mapping[str, R], what: str = "order") -> tuple[R, list[str]]:
    """Return the reader of a line by its first word or an abbreviation of it, and the other words.

    Raise Invalid or Ambiguous.
    """
    verb, *words = text.split() or [""]
    found = [word for word in readers if word == verb.casefold()]
    found = found or [word for word in readers if verb and word.startswith(verb.casefold())]
    if len(found) > 1:
        raise Ambiguous(f'"{verb}" may be {", ".join(found)}')
    require(found, f'"{verb}" is not a valid {what}; a line begins with one of: {", ".join(readers)}')
    return readers[found[0]], words


class WordReader:
    """The remaining words of a line, with the names of a game."""

    UNIT: ClassVar = "leader"  # the noun for a named unit
    OURS: ClassVar = "of this game"  # a phrase that limits the units that may be named
    MARKS: ClassVar[Collection[str]] = ()  # words that end a list of names

    def __init__(self, book: NameBook, words: Iterable[str] = ()) -> None:
        self.book = book
        self.words = list(words)
        self.counts: dict[str, dict[int, int]] = {}  # numbers that were named, by field and index
        self.taken: set[str] = set()  # optional words that were found in the line

    def unit_name(self, number: LeaderId) -> str:
        """Return the name of a leader or wagon; its number if the game has no such unit."""
        return self.book.leaders.names.get(number, str(number))

    def power_name(self, number: PowerId) -> str:
        return self.book.powers.names.get(number, str(number))

    def power(self) -> PowerId:
        return self.book.powers.find(self.next(f"a {self.book.powers.kind}"))

    def likely(self) -> Iterable[LeaderId]:
        """Return the units that may be named by a prefix."""
        return ()

    def read_optional_unit(self, likely: Iterable[LeaderId], *, strict: bool = True) -> LeaderId | None:
        """Take a leader or wagon, if the next words name one; only `likely` units may be named by a prefix.

        Without `strict` all may. Raise Ambiguous.
        """
        if not self.words or self.words[0] in self.MARKS or not self.words[0][:1].isalpha():
            return None
        return self.book.leaders.take(self.words, list(likely), strict=strict)

    def unit(self, likely: Iterable[LeaderId] | None = None) -> LeaderId:
        """Take a leader or wagon. Raise Invalid or Ambiguous."""
        found = self.read_optional_unit(self.likely() if likely is None else likely)
        if found is None:
            raise self.book.leaders.unknown(self.next(f"a {self.UNIT}"), f"{self.UNIT} {self.OURS}")
        return found

    def units(self, likely: Iterable[LeaderId] | None = None) -> tuple[LeaderId, ...]:
        """Take all leaders and wagons that come next, in ascending order. Raise Ambiguous."""
        crowd = list(self.likely() if likely is None else likely)
        return tuple(sorted(iter(partial(self.read_optional_unit, crowd), None)))

    def start(self, values: Values) -> Hex | None:
        """Return the hex where the path of an order with these fields begins."""
        raise NotImplementedError

    def fill_in(self, hexes: Sequence[Hex]) -> tuple[Hex, ...]:
        """Return a path without its first hex and without gaps. Raise Invalid."""
        raise NotImplementedError

    def has(self, word: str) -> bool:
        """Take the next word if it is this one, and return whether it was."""
        if self.words and self.words[0].casefold() == word:
            self.taken.add(self.words.pop(0).casefold())
            return True
        return False

    def next(self, what: str) -> str:
        """Take the next word. Raise Invalid if there is none."""
        require(self.words, f"{what} is missing at the end of the line")
        return self.words.pop(0)

    def end(self) -> None:
        """Raise Invalid if any words remain."""
        if self.words:
            raise Invalid(f'"{self.words[0]}" is one word too many, or not understood here')

    def number(self, what: str) -> int:
        return read_number(self.next(what), what)

    def hex(self) -> Hex:
        """Take a hex or a town. Raise Invalid or Ambiguous."""
        if not self.words or self.words[0][:1].isdigit():
            return self.book.hex(self.next("a hex"))
        here = self.book.towns.take(self.words)
        if here is None:
            raise self.book.towns.unknown(self.words[0])
        return here

    def hexes(self) -> tuple[Hex, ...]:
        """Take all hexes and towns that come next, at least one. Raise Invalid or Ambiguous."""
        found = [self.hex()]
        while self.words and self.words[0] not in self.MARKS:
            found.append(self.hex())
        return tuple(dict.fromkeys(found))


Values: TypeAlias = Mapping[str, Any]
"""Fields of an action by name: all of them for writing, those read so far for reading."""
Given: TypeAlias = dict[str, Any]  # fields read so far
L = TypeVar("L", bound=WordReader, default=WordReader, contravariant=True)  # a rule set's reader of lines
A = TypeVar("A", bound=Action, default=Action, covariant=True)


class Candidate(msgspec.Struct, frozen=True):
    """A possible continuation: its words, and the answer that they give to the question `name` with `index`."""

    words: Sequence[str]
    name: str = ""
    token: Token = ""
    index: int | None = None


class Part(Generic[L]):
    """A part of a line. `kinds` maps its fields to the way in which a form asks for them (`Field.kind`)."""

    kinds: Mapping[str, str]

    def is_due(self, given: Values) -> bool:
        """Return whether the part is required."""
        return False

    def write(self, line: L, values: Values) -> Iterable[str]:
        raise NotImplementedError

    def read(self, line: L, given: Given) -> None:
        """Read its fields from the line. Raise Invalid or Ambiguous."""
        raise NotImplementedError

    def answers(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        """Return the answers to a question about one of its fields that agree with the line, the likeliest first.

        `taken` are the answers before; lists of an open part may go on.
        """
        raise NotImplementedError

    def candidates(self, line: L, search: LineSearch) -> Iterator[Candidate]:
        """Yield possible continuations of the part, legal or not."""
        raise NotImplementedError

    def passed(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        """Return answers that lead to further questions about the field that is searched."""
        return ()

    def some(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        """Return the answers that matter for questions about other fields."""
        answers = self.answers(slot, search, taken)
        return answers if slot.index is None else answers[:1]


# --- the grammar of a rule set ----------------------------------------------------------------------------------------


class ActionGrammar(NamedTuple, Generic[A]):
    action: type[A]
    parts: tuple[Part[Any], ...]


Grammar: TypeAlias = Mapping[str, ActionGrammar[A]]  # the actions of a rule set by the first words of their lines


def grammar(*orders: tuple[type[A], *tuple[Part[Any], ...]]) -> Grammar[A]:
    return {str(action.__struct_config__.tag): ActionGrammar(action, tuple(parts)) for action, *parts in orders}


def kinds_of(known: Grammar) -> dict[str, str]:
    """Return the way in which a form asks for each field."""
    kinds = {"do": "word"}
    for order in known.values():
        for part in order.parts:
            kinds |= part.kinds
    return kinds


def write_line(known: Grammar, line: WordReader, action: Action) -> str:
    values = msgspec.structs.asdict(action)
    return " ".join([action.do, *chain.from_iterable(part.write(line, values) for part in known[action.do].parts)])


def read_line(known: Grammar[A], text: str, line_of: Callable[[list[str]], WordReader], what: str = "order") -> A:
    """Return the action of an order line; `line_of` makes a reader of words, `what` is the line's noun.

    Raise Invalid or Ambiguous, naming the word.
    """
    order, words = begin(text, known, what)
    line, given = line_of(words), Given()
    for part in order.parts:
        part.read(line, given)
    line.end()
    return order.action(**given)


# --- parts that hold one value ----------------------------------------------------------------------------------------


class OnePart(Part[L]):
    """A part that holds one value. With a `default` it may be omitted, if it has a `word` together with that word."""

    KIND: ClassVar[str]
    default: Token | None = None
    word: str = ""

    def __init__(self, name: str) -> None:
        self.name = name
        self.kinds = {name: self.KIND}

    def is_due(self, given: Values) -> bool:
        return self.default is None

    def words(self, line: L, value: Token) -> list[str]:
        raise NotImplementedError

    def value(self, line: L) -> Token:
        """Take the value from the line. Raise Invalid or Ambiguous."""
        raise NotImplementedError

    def spellings(self, line: L, token: Token) -> Iterator[list[str]]:
        """Yield all spellings that completion offers for a value."""
        yield self.words(line, token)

    def write(self, line: L, values: Values) -> Iterable[str]:
        value = values[self.name]
        return self.words(line, value) if value != self.default else ()

    def read(self, line: L, given: Given) -> None:
        given[self.name] = self.value(line)

    def answers(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        if self.name not in search.given:
            return slot.values
        token = search.given[self.name]
        return (token,) if token in slot.values else ()

    def candidates(self, line: L, search: LineSearch) -> Iterator[Candidate]:
        is_default = self.default is not None and search.given.get(self.name) == self.default
        if is_default and self.word not in line.taken:
            del search.given[self.name]
        if self.name not in search.given:
            for token in search.values(self.name) or search.implied_value(self.name):
                for words in self.spellings(line, token) if token != self.default else ():
                    yield Candidate(words, self.name, token)
        if self.default is not None:
            search.given.setdefault(self.name, self.default)


class NumberPart(OnePart[L]):
    """A number of `what`. With a `word` before it, it may be omitted and is then the `default`."""

    KIND = "count"

    def __init__(self, name: str, what: str, word: str = "", default: int = 0) -> None:
        super().__init__(name)
        self.what = what
        self.word = word
        self.default = default if word else None

    def words(self, line: L, value: Token) -> list[str]:
        return [*self.word.split(), str(value)]

    def value(self, line: L) -> Token:
        return line.number(self.what) if self.default is None or line.has(self.word) else self.default


class HexPart(OnePart[L]):
    """A hex, written as RRCC; a town is read, too."""

    KIND = "hex"

    def words(self, line: L, value: Token) -> list[str]:
        return [hex_name(int(value))]

    def value(self, line: L) -> Hex:
        return line.hex()

    def spellings(self, line: L, token: Token) -> Iterator[list[str]]:
        yield self.words(line, token)
        yield line.book.town(as_hex(token)).split()


class PowerPart(OnePart[L]):
    """A power or a nation; an `optional` one may be omitted at the end of a line and is then -1."""

    KIND = "power"

    def __init__(self, name: str, *, optional: bool = False) -> None:
        super().__init__(name)
        self.default = -1 if optional else None

    def words(self, line: L, value: Token) -> list[str]:
        return [line.power_name(as_power(value))]

    def value(self, line: L) -> Token:
        return line.power() if line.words or self.default is None else self.default


class UnitPart(OnePart[L]):
    """A leader or a wagon; `likely` ones may be named by a prefix.

    The word `nobody`, if given, stands for -1.
    """

    KIND = "leader"

    def __init__(self, name: str, likely: Callable[[L], Iterable[LeaderId]] | None = None, nobody: str = "") -> None:
        super().__init__(name)
        self.likely = likely
        self.nobody = nobody

    def words(self, line: L, value: Token) -> list[str]:
        return [self.nobody] if self.nobody and int(value) < 0 else line.unit_name(as_leader(value)).split()

    def value(self, line: L) -> int:
        if self.nobody and line.has(self.nobody):
            return STOP
        return line.unit(None if self.likely is None else self.likely(line))


class ChoicePart(OnePart[L]):
    KIND = "word"

    def __init__(self, name: str, meanings: Mapping[str, Token], kind: str = KIND) -> None:
        super().__init__(name)
        self.kinds = {name: kind}
        self.meanings = meanings

    def words(self, line: L, value: Token) -> list[str]:
        return [word for word, meant in self.meanings.items() if meant == value]

    def value(self, line: L) -> Token:
        expected = " or ".join(f'"{word}"' for word in self.meanings)
        text = line.next(expected)
        require(text.casefold() in self.meanings, f'"{text}" is not understood here: {expected} is expected')
        return self.meanings[text.casefold()]


class FlagPart(OnePart[L]):
    KIND = "flag"
    default = False

    def __init__(self, name: str, word: str) -> None:
        super().__init__(name)
        self.word = word

    def words(self, line: L, value: Token) -> list[str]:
        return [self.word]

    def value(self, line: L) -> bool:
        return line.has(self.word)

    def candidates(self, line: L, search: LineSearch) -> Iterator[Candidate]:
        if not search.given[self.name]:
            yield Candidate([self.word], self.name, 1)


class WordPart(Part[L]):
    """A word without a meaning, which may be omitted."""

    kinds: Mapping[str, str] = {}

    def __init__(self, word: str) -> None:
        self.word = word

    def write(self, line: L, values: Values) -> Iterable[str]:
        return [self.word]

    def read(self, line: L, given: Given) -> None:
        line.has(self.word)

    def candidates(self, line: L, search: LineSearch) -> Iterator[Candidate]:
        if self.word not in line.taken:
            yield Candidate([self.word])


# --- parts that hold several ------------------------------------------------------------------------------------------


class MembersPart(Part[L]):
    """Leaders and wagons in any order; the action holds them in ascending order.

    `likely` ones may be named by a prefix. The `word` before them is written only if there are any. In a pool, a unit
    that is not offered where the list may end is not offered after other choices either.
    """

    KIND: ClassVar = "leader"

    def __init__(
        self,
        name: str,
        word: str = "",
        likely: Callable[[L], Iterable[LeaderId]] | None = None,
        *,
        is_pool: bool = True,
    ) -> None:
        self.name = name
        self.kinds = {name: self.KIND}
        self.word = word
        self.likely = likely
        self.is_pool = is_pool

    def words(self, line: L, token: Token) -> list[str]:
        return line.unit_name(as_leader(token)).split()

    def write(self, line: L, values: Values) -> Iterable[str]:
        words = [word for token in values[self.name] for word in self.words(line, token)]
        return [*self.word.split(), *words] if words else []

    def read(self, line: L, given: Given) -> None:
        given[self.name] = self.members(line, given) if not self.word or line.has(self.word) else ()

    def members(self, line: L, given: Values) -> tuple[int, ...]:
        """Take the members that come next, at least one after a word. Raise Invalid or Ambiguous."""
        likely = None if self.likely is None else self.likely(line)
        first = [line.unit(likely)] if self.word else []
        return tuple(sorted((*first, *line.units(likely))))

    def answers(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        wanted = search.members(self.name)
        missing = [token for token in slot.values if token in wanted][:1]
        is_whole, may_end = set(wanted) <= set(taken[len(taken) - (slot.index or 0) :]), STOP in slot.values
        found = [*missing, *([STOP] if is_whole and may_end else [])]
        if not search.is_open(self.name) or (self.is_pool and may_end and not found):
            return found
        return [*found, *(token for token in slot.values if token != STOP and token not in wanted)]

    def candidates(self, line: L, search: LineSearch) -> Iterator[Candidate]:
        before = [] if search.given[self.name] else self.word.split()
        for token in search.values(self.name):
            if token not in search.given[self.name]:
                yield Candidate([*before, *self.words(line, token)], self.name, token)

    def passed(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        named = [token for token in slot.values if token in search.given[self.name]]
        return named[:1] or (() if STOP in slot.values else slot.values)

    def some(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        answers, named = self.answers(slot, search, taken), search.members(self.name)
        is_more = any(token not in named for token in taken[len(taken) - (slot.index or 0) :])
        return answers[:1] if is_more else answers


class HexesPart(MembersPart[L]):
    """Hexes after a word, in any order; the action holds them in the order of the board."""

    KIND = "hex"

    def words(self, line: L, token: Token) -> list[str]:
        return [hex_name(int(token))]

    def members(self, line: L, given: Values) -> tuple[int, ...]:
        return tuple(sorted(line.hexes()))


class PathPart(Part[L]):
    """A path, written with its first hex. Gaps are filled in when it is read.

    `mark` is the word of a flag that may follow. With `in_place` the path may be its first hex alone. `missing` is the
    error for a missing path; without it the path is optional.
    """

    def __init__(self, mark: str = "", *, in_place: bool = False, missing: str = "") -> None:
        self.kinds = {"path": "path"}
        self.mark = mark
        self.in_place = in_place
        self.missing = missing

    def is_due(self, given: Values) -> bool:
        return bool(self.missing)

    def write(self, line: L, values: Values) -> Iterable[str]:
        path, start = values["path"], line.start(values)
        whole = path if start is None or path == (start,) else (start, *path)
        return ["-".join(map(hex_name, whole))] if path else []

    def read(self, line: L, given: Given) -> None:
        text = " ".join(line.words)
        is_marked = bool(self.mark) and text.endswith(self.mark)
        line.words = [self.mark] if is_marked else []
        text = text.removesuffix(self.mark).strip()
        given["path"] = self._filled(line, line.start(given), line.book.hexes(text)) if text else ()
        require(not self.missing or given["path"], self.missing)

    def _filled(self, line: L, start: Hex | None, hexes: Sequence[Hex]) -> tuple[Hex, ...]:
        if start is None or (self.in_place and hexes == [start]):
            return tuple(hexes)
        return line.fill_in(hexes if hexes[0] == start else [start, *hexes])

    def answers(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        path, place = search.given.get("path", ()), slot.index or 0
        if place < len(path):
            return (path[place],) if path[place] in slot.values else ()
        return sorted(slot.values, key=STOP.__ne__) if search.is_open("path") else _only(STOP, slot)

    def passed(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        is_typed = (slot.index or 0) < len(search.given["path"])
        return self.answers(slot, search, taken) if is_typed else ()

    def candidates(self, line: L, search: LineSearch) -> Iterator[Candidate]:
        """Yield the path typed so far with one more hex."""
        if search.given.get("path"):
            return
        start, (typed, dash, _) = line.start(search.given), search.last.rpartition("-")
        hexes = line.book.hexes(typed) if dash else []
        begun = search.given["path"] = self._filled(line, start, hexes) if hexes != [start] and hexes else ()
        before = typed if dash else "" if start is None else hex_name(start)
        for token in (token for slot in search.asked("path") if slot.index == len(begun) for token in slot.values):
            if token != STOP:
                here = [hex_name(int(token))]
                is_start = token == start and not begun
                words = "-".join(here if is_start or not before else [before, *here])
                yield Candidate([words], "path", token, len(begun))
        search.given["path"] = ()


class CountsPart(Part[L]):
    """Numbers in any order, each with its owner; owners that are not named have the number already in the field.

    With `in_order`, completion assumes that owners asked about earlier are not named later.
    """

    in_order: ClassVar[bool] = True

    def __init__(self, name: str) -> None:
        self.name = name
        self.kinds = {name: "count"}

    def words(self, line: L, index: int, number: int, values: Values) -> list[str]:
        raise NotImplementedError

    def at(self, values: Values, index: int) -> int:
        return int(values[self.name][index])

    def answers(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        index, wanted = slot.index or 0, search.wanted
        is_before = self.in_order and wanted is not None and (wanted.index or 0) > index
        if search.is_open(self.name) and not is_before and index not in self._named(search.line):
            return slot.values
        return self._number(slot, search)

    def passed(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        if self.in_order or slot.index in self._named(search.line):
            return self._number(slot, search)
        return slot.values if len(slot.values) < 3 else (slot.values[0], slot.values[-1])

    def _named(self, line: WordReader) -> dict[int, int]:
        return line.counts.get(self.name, {})

    def _number(self, slot: Slot, search: LineSearch) -> Sequence[Token]:
        index, named = slot.index or 0, self._named(search.line)
        return _only(named[index] if index in named else self.at(search.given, index), slot)

    def candidates(self, line: L, search: LineSearch) -> Iterator[Candidate]:
        named = self._named(line)
        for slot in search.asked(self.name):
            for number in reversed(slot.values) if slot.index not in named else ():
                words = self.words(line, slot.index or 0, int(number), search.given)
                yield Candidate(words, self.name, number, slot.index)


def _only(token: Token, slot: Slot) -> Sequence[Token]:
    return (token,) if token in slot.values else ()


TRIES: Final = 50  # actions searched for one that agrees with the line


class LineSearch:
    """Search for legal actions that agree with a line."""

    def __init__(self, legal: LegalSet, kind: str, order: ActionGrammar, line: WordReader, last: str) -> None:
        self.line = line
        self.last = last  # the last word, which is incomplete
        self.given: Given = {}  # fields read so far
        self._legal = legal
        self._kind = kind
        self._owners = {name: part for part in order.parts for name in part.kinds}
        self._open: frozenset[str] = frozenset()  # fields that may go on
        self.wanted: Candidate | None = None  # the continuation that is tested
        self._example: Action | None = None  # the action found last, whose answers are tried first
        self._known: dict[tuple[Token | None, ...], bool] = {}

    def open(self, names: Sequence[str]) -> None:
        """Let these fields, and no others that were read, go on."""
        self._open, self._known = frozenset(names), {}

    def is_open(self, name: str) -> bool:
        """Return whether a field was not read yet, or may go on."""
        return name in self._open or name not in self.given

    def members(self, name: str) -> tuple[Token, ...]:
        """Return the members of a list that were named, with the one that is tested."""
        wanted = self.wanted
        return (*self.given.get(name, ()), *([wanted.token] if wanted is not None and wanted.name == name else []))

    def asked(self, name: str) -> list[Slot]:
        """Return the questions about a field, for all answers to earlier questions that were not read."""
        found: list[Slot] = []
        last: Sequence[Token] | None = None

        def choose(slot: Slot, taken: Sequence[Token]) -> Sequence[Token]:
            nonlocal last
            if slot.name != name:
                is_behind = last is not None and taken[: len(last)] == last
                return () if is_behind else self._some(slot, taken)
            found.append(slot)
            last = taken
            return self._owners[name].passed(slot, self, taken)

        for _ in self._legal.walk(choose):
            pass
        return found

    def values(self, name: str) -> list[Token]:
        tokens = (token for slot in self.asked(name) for token in slot.values if token != STOP or slot.index is None)
        return list(dict.fromkeys(tokens))

    def implied_value(self, name: str) -> list[Token]:
        """Return the value of a field that is not asked about and is the same in all legal actions."""
        return [getattr(action, name) for action in islice(self._legal.walk(self._answers), 1)]

    def has(self, candidate: Candidate) -> bool:
        """Return whether a legal action continues with a candidate."""
        key = candidate.name, candidate.token, candidate.index
        found = self._known.get(key)
        if found is None:
            self.wanted = candidate
            actions = islice(self._legal.walk(self._likely_answers), TRIES)
            example = next(filter(self._is_meant, actions), None)
            self.wanted, self._example = None, example or self._example
            found = self._known[key] = example is not None
        return found

    def _is_meant(self, action: Action) -> bool:
        wanted = self.wanted
        if wanted is not None and wanted.name and wanted.index is None:
            value = getattr(action, wanted.name)
            if wanted.token not in (value if isinstance(value, tuple) else (value,)):
                return False
        return all(getattr(action, name) == value for name, value in self.given.items() if name not in self._open)

    def _likely_answers(self, slot: Slot, taken: Sequence[Token]) -> Sequence[Token]:
        answers = self._answers(slot, taken)
        if self._example is None or slot.index is not None:
            return answers
        likely = self._example.reply(slot)
        return [likely, *(token for token in answers if token != likely)] if likely in answers else answers

    def _some(self, slot: Slot, taken: Sequence[Token]) -> Sequence[Token]:
        part = self._owners.get(slot.name)
        return self._answers(slot, taken) if part is None else part.some(slot, self, taken)

    def _answers(self, slot: Slot, taken: Sequence[Token]) -> Sequence[Token]:
        wanted = self.wanted
        if slot.name == "do":
            return (self._kind,)
        if wanted is not None and (wanted.name, wanted.index) == (slot.name, slot.index):
            return (wanted.token,) if wanted.token in slot.values else ()
        part = self._owners.get(slot.name)
        return slot.values if part is None else part.answers(slot, self, taken)


def complete_line(known: Grammar, legal: LegalSet, text: str, line_of: Callable[[list[str]], WordReader]) -> list[str]:
    """Return the possible replacements of a line's last word, which may be incomplete."""
    *words, last = text.split(" ")
    words = [word for word in words if word]
    kinds = [str(kind) for kind in legal.options().values]
    if not words:
        return [kind for kind in kinds if kind.startswith(last.casefold())]
    kind = words.pop(0).casefold()
    if kind not in kinds:
        return []
    order, found = known[kind], dict[str, None]()

    def offer(words: list[str], begun: list[str]) -> bool:
        """Note the next words of candidates after `words` that go on as begun; return whether one is complete."""
        count, is_whole = len(begun), False
        search = LineSearch(legal, kind, order, line_of(words), last)
        for candidate in _candidates(order, search):
            if list(map(simplify, candidate.words[:count])) != list(map(simplify, begun)):
                continue
            is_whole = is_whole or len(candidate.words) == count
            for word in candidate.words[count : count + 1]:
                if word not in found and simplify(word).startswith(simplify(last)) and search.has(candidate):
                    found[word] = None
        return is_whole

    # What may follow: the rest of a name that the words begin, and what comes after them.
    is_name = [offer(words[:-count], words[-count:]) for count in range(1, min(LONGEST, len(words)) + 1)]
    if not found or any(is_name):
        offer(words, [])
    return list(found)


def _candidates(order: ActionGrammar, search: LineSearch) -> Iterator[Candidate]:
    line = search.line
    try:
        for part in order.parts:
            is_due = not line.words and part.is_due(search.given)
            if not is_due:
                part.read(line, search.given)
            if not line.words:
                search.open(tuple(part.kinds))
                yield from part.candidates(line, search)
            if is_due:
                return
    except Invalid:
        return
