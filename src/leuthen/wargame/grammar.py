"""The grammar of a line: the parts that it has, one after another, and which fields of an action each of them holds.

A rule set lists the parts of each of its actions once. From that list come the line of an action, its reader, the words
that may follow in a line that is being typed (`completion`), and how a form asks for each field (`Field.kind`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias

import msgspec
from typing_extensions import TypeVar

from leuthen.engine.choice import Action, Slot, Token
from leuthen.wargame.line_reader import WordReader, begin

if TYPE_CHECKING:
    from leuthen.wargame.completion import LineSearch

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
