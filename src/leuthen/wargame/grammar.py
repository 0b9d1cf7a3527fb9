"""The grammar of a line: the parts that it has, one after another, and which fields of an action each of them holds.

A rule set lists the parts of each of its actions once. From that list come the line of an action, its reader, the words
that may follow in a line that is being typed (`parts`), and how a form asks for each field (`Field.kind`).
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
    """Who reads a line, by its first word or the beginning of it, and the words that follow.

    Raises Invalid or Ambiguous.
    """
    verb, *words = text.split() or [""]
    found = [word for word in readers if word == verb.casefold()]
    found = found or [word for word in readers if verb and word.startswith(verb.casefold())]
    if len(found) > 1:
        raise Ambiguous(f"«{verb}» may be {', '.join(found)}")
    if not found:
        raise Invalid(f"«{verb}» is no {what}; a line begins with one of: {', '.join(readers)}")
    return readers[found[0]], words


class WordReader:
    """The words of a line that are still to be read, and the names of a game."""

    UNIT: ClassVar = "leader"
    """What a name is taken for."""
    OURS: ClassVar = "of this game"
    """Who may be named."""
    MARKS: ClassVar[Collection[str]] = ()
    """The words that end a list of names."""

    def __init__(self, book: NameBook, words: Iterable[str] = ()) -> None:
        self.book = book
        self.words = list(words)
        self.counts: dict[str, dict[int, int]] = {}
        """By field, the numbers that were named, by whom they are of."""
        self.taken: set[str] = set()
        """The words that were looked for, and taken."""

    def unit_name(self, number: LeaderId) -> str:
        """A leader or a wagon; who is none of this game, by his number."""
        return self.book.leaders.names.get(number, str(number))

    def power_name(self, number: PowerId) -> str:
        """A power or a nation."""
        return self.book.powers.names.get(number, str(number))

    def power(self) -> PowerId:
        """A power or a nation. Raises Invalid or Ambiguous."""
        return self.book.powers.find(self.next(f"a {self.book.powers.kind}"))

    def likely(self) -> Iterable[LeaderId]:
        """Those for whom the beginning of the name is enough."""
        return ()

    def maybe_unit(self, likely: Iterable[LeaderId], *, strict: bool = True) -> LeaderId | None:
        """A leader or a wagon, if the next words name one; only of the likely the beginning of the name is enough.

        Without `strict` it is enough for all. Raises Ambiguous.
        """
        if not self.words or self.words[0] in self.MARKS or not self.words[0][:1].isalpha():
            return None
        taken = self.book.leaders.take(self.words, list(likely), strict=strict)
        if taken is None:
            return None
        del self.words[: taken[1]]
        return taken[0]

    def unit(self, likely: Iterable[LeaderId] | None = None) -> LeaderId:
        """A leader or a wagon. Raises Invalid or Ambiguous."""
        found = self.maybe_unit(self.likely() if likely is None else likely)
        if found is None:
            raise self.book.leaders.unknown(self.next(f"a {self.UNIT}"), f"{self.UNIT} {self.OURS}")
        return found

    def units(self, likely: Iterable[LeaderId] | None = None) -> tuple[LeaderId, ...]:
        """All leaders and wagons that come next, in ascending order. Raises Ambiguous."""
        crowd, found = list(self.likely() if likely is None else likely), list[LeaderId]()
        while (number := self.maybe_unit(crowd)) is not None:
            found.append(number)
        return tuple(sorted(found))

    def start(self, values: Values) -> Hex | None:
        """The hex where the path of an order with these fields begins."""
        raise NotImplementedError

    def fill_in(self, hexes: Sequence[Hex]) -> tuple[Hex, ...]:
        """A path without its first hex and without gaps. Raises Invalid."""
        raise NotImplementedError

    def has(self, word: str) -> bool:
        """Whether the next word is this one; it is then taken."""
        if self.words and self.words[0].casefold() == word:
            self.taken.add(self.words.pop(0).casefold())
            return True
        return False

    def next(self, what: str) -> str:
        """The next word. Raises Invalid if there is none."""
        if not self.words:
            raise Invalid(f"{what} is missing at the end of the line")
        return self.words.pop(0)

    def end(self) -> None:
        """Nothing may follow. Raises Invalid."""
        if self.words:
            raise Invalid(f"«{self.words[0]}» is one word too many, or not understood here")

    def number(self, what: str) -> int:
        """A whole number. Raises Invalid."""
        text = self.next(what)
        return read_number(text, what)

    def hex(self) -> Hex:
        """A hex or a town. Raises Invalid or Ambiguous."""
        if not self.words or self.words[0][:1].isdigit():
            return self.book.hex(self.next("a hex"))
        taken = self.book.towns.take(self.words)
        if taken is None:
            raise self.book.towns.unknown(self.words[0])
        del self.words[: taken[1]]
        return taken[0]

    def hexes(self) -> tuple[Hex, ...]:
        """All hexes and towns that come next, at least one. Raises Invalid or Ambiguous."""
        found = [self.hex()]
        while self.words and self.words[0] not in self.MARKS:
            found.append(self.hex())
        return tuple(dict.fromkeys(found))


Values: TypeAlias = Mapping[str, Any]
"""The fields of an action by name: all when it is written, those read so far when it is read."""
Given: TypeAlias = dict[str, Any]
"""Those read so far, while a line is read."""
L = TypeVar("L", bound=WordReader, default=WordReader, contravariant=True)
"""How a rule set reads lines."""
A = TypeVar("A", bound=Action, default=Action, covariant=True)


class Candidate(msgspec.Struct, frozen=True):
    """What a part may go on with: its words, and the answer that they give to the question `name` (and `index`)."""

    words: Sequence[str]
    name: str = ""
    token: Token = ""
    index: int | None = None


class Part(Generic[L]):
    """A stretch of a line. `kinds` has its fields, each with the way in which a form asks for it (`Field.kind`)."""

    kinds: Mapping[str, str]

    def is_due(self, given: Values) -> bool:
        """Whether a line may not end before it."""
        return False

    def write(self, line: L, values: Values) -> Iterable[str]:
        """The words of an action's fields."""
        raise NotImplementedError

    def read(self, line: L, given: Given) -> None:
        """Takes the words of its fields from a line. Raises Invalid or Ambiguous."""
        raise NotImplementedError

    def answers(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        """The answers to a question about one of its fields that agree with what was read, the likeliest first.

        `taken` are the answers given before; while the part is open, its lists may go on.
        """
        raise NotImplementedError

    def candidates(self, line: L, search: LineSearch) -> Iterator[Candidate]:
        """What it may go on with after what was read; whether the rules allow it is not asked."""
        raise NotImplementedError

    def passed(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        """How to go on to further questions about the field that is sought; by default there are none."""
        return ()

    def some(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        """Answers that make a difference to questions about other fields."""
        answers = self.answers(slot, search, taken)
        return answers if slot.index is None else answers[:1]


# --- the grammar of a rule set ----------------------------------------------------------------------------------------


class ActionGrammar(NamedTuple, Generic[A]):
    """The grammar of one action."""

    action: type[A]
    parts: tuple[Part[Any], ...]


Grammar: TypeAlias = Mapping[str, ActionGrammar[A]]
"""The actions of a rule set by the words with which their lines begin."""


def grammar(*orders: tuple[type[A], *tuple[Part[Any], ...]]) -> Grammar[A]:
    """The grammar of a rule set from its actions, each with its parts."""
    return {str(action.__struct_config__.tag): ActionGrammar(action, tuple(parts)) for action, *parts in orders}


def kinds_of(known: Grammar) -> dict[str, str]:
    """How a form asks for each field."""
    kinds = {"do": "word"}
    for order in known.values():
        for part in order.parts:
            kinds |= part.kinds
    return kinds


def write_line(known: Grammar, line: WordReader, action: Action) -> str:
    """The line of an action."""
    values = msgspec.structs.asdict(action)
    return " ".join([action.do, *chain.from_iterable(part.write(line, values) for part in known[action.do].parts)])


def read_line(known: Grammar[A], text: str, line_of: Callable[[list[str]], WordReader], what: str = "order") -> A:
    """The action of a line; `line_of` makes a reader of words, `what` is the line's noun.

    Raises Invalid or Ambiguous, naming the word.
    """
    order, words = begin(text, known, what)
    line, given = line_of(words), Given()
    for part in order.parts:
        part.read(line, given)
    line.end()
    return order.action(**given)
