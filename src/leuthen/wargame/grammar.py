"""The grammar of order lines: the parts of each line, and the fields of the action that they hold.

A rule set lists the parts of each action once. Writing, reading and completing lines follow from that list, and so does
the way in which a form asks for each field (`Field.kind`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeAlias

import msgspec
from typing_extensions import TypeVar

from leuthen.engine.choice import Action, Slot, Token
from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.engine.texts import read_number
from leuthen.wargame.board import Hex
from leuthen.wargame.names import NameBook
from leuthen.wargame.strength import LeaderId, PowerId

if TYPE_CHECKING:
    from leuthen.wargame.parts import LineSearch


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
    if not found:
        raise Invalid(f'"{verb}" is not a valid {what}; a line begins with one of: {", ".join(readers)}')
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
        taken = self.book.leaders.take(self.words, list(likely), strict=strict)
        if taken is None:
            return None
        del self.words[: taken[1]]
        return taken[0]

    def unit(self, likely: Iterable[LeaderId] | None = None) -> LeaderId:
        """Take a leader or wagon. Raise Invalid or Ambiguous."""
        found = self.read_optional_unit(self.likely() if likely is None else likely)
        if found is None:
            raise self.book.leaders.unknown(self.next(f"a {self.UNIT}"), f"{self.UNIT} {self.OURS}")
        return found

    def units(self, likely: Iterable[LeaderId] | None = None) -> tuple[LeaderId, ...]:
        """Take all leaders and wagons that come next, in ascending order. Raise Ambiguous."""
        crowd, found = list(self.likely() if likely is None else likely), list[LeaderId]()
        while (number := self.read_optional_unit(crowd)) is not None:
            found.append(number)
        return tuple(sorted(found))

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
        if not self.words:
            raise Invalid(f"{what} is missing at the end of the line")
        return self.words.pop(0)

    def end(self) -> None:
        """Raise Invalid if any words remain."""
        if self.words:
            raise Invalid(f'"{self.words[0]}" is one word too many, or not understood here')

    def number(self, what: str) -> int:
        text = self.next(what)
        return read_number(text, what)

    def hex(self) -> Hex:
        """Take a hex or a town. Raise Invalid or Ambiguous."""
        if not self.words or self.words[0][:1].isdigit():
            return self.book.hex(self.next("a hex"))
        taken = self.book.towns.take(self.words)
        if taken is None:
            raise self.book.towns.unknown(self.words[0])
        del self.words[: taken[1]]
        return taken[0]

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
        """Return the words of an action's fields."""
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
    """An action and the parts of its line."""

    action: type[A]
    parts: tuple[Part[Any], ...]


Grammar: TypeAlias = Mapping[str, ActionGrammar[A]]  # the actions of a rule set by the first words of their lines


def grammar(*orders: tuple[type[A], *tuple[Part[Any], ...]]) -> Grammar[A]:
    """Return the grammar of actions, each given with its parts."""
    return {str(action.__struct_config__.tag): ActionGrammar(action, tuple(parts)) for action, *parts in orders}


def kinds_of(known: Grammar) -> dict[str, str]:
    """Return the way in which a form asks for each field."""
    kinds = {"do": "word"}
    for order in known.values():
        for part in order.parts:
            kinds |= part.kinds
    return kinds


def write_line(known: Grammar, line: WordReader, action: Action) -> str:
    """Return the order line of an action."""
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
