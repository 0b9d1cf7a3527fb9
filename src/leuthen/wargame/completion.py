"""What may come next in a line that is being typed: the words of its grammar that the legal set allows.

What is typed is read part by part, and fixes answers to questions of the legal set's script. Where the words end, the
parts that may go on name candidates; one is offered if the script leads from it to an action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from leuthen.engine.choice import STOP, Action, LegalSet, Slot, Token
from leuthen.engine.refusal import Invalid
from leuthen.wargame.grammar import ActionGrammar, Candidate, Given, Grammar
from leuthen.wargame.line_reader import WordReader
from leuthen.wargame.names import LONGEST, simplify

TRIES: Final = 50
"""So many actions are looked at that have the answers wanted, for one that has no others."""


class LineSearch:
    """Legal actions that agree with what was read of a line."""

    def __init__(self, legal: LegalSet, kind: str, order: ActionGrammar, line: WordReader, last: str) -> None:
        self.line = line
        self.last = last
        """The word that is not complete."""
        self.given: Given = {}
        """What was read, by field."""
        self._legal = legal
        self._kind = kind
        self._owners = {name: part for part in order.parts for name in part.kinds}
        self._open: frozenset[str] = frozenset()
        """The fields that may go on."""
        self.wanted: Candidate | None = None
        """What is to be said next."""
        self._example: Action | None = None
        """The action found last: what it answers is tried first for the next one."""
        self._known: dict[tuple[Token | None, ...], bool] = {}

    def open(self, names: Sequence[str]) -> None:
        """From now on these fields, and no others that were read, may go on."""
        self._open, self._known = frozenset(names), {}

    def is_open(self, name: str) -> bool:
        """Whether a field was not read yet, or may go on."""
        return name in self._open or name not in self.given

    def members(self, name: str) -> tuple[Token, ...]:
        """Those of a list who were named, and who is to be named next."""
        wanted = self.wanted
        return (*self.given.get(name, ()), *([wanted.token] if wanted is not None and wanted.name == name else []))

    def asked(self, name: str) -> list[Slot]:
        """The questions about a field, whatever is answered to those before that were not read."""
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
        """The answers to all questions about a field."""
        slots = self.asked(name)
        tokens = (token for slot in slots for token in slot.values if token != STOP or slot.index is None)
        return list(dict.fromkeys(tokens))

    def implied(self, name: str) -> list[Token]:
        """The value of a field that is not asked about, and is the same in all legal actions."""
        return [getattr(action, name) for action in islice(self._legal.walk(self._answers), 1)]

    def has(self, candidate: Candidate) -> bool:
        """Whether there is a legal action that goes on so."""
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
    """The words that may stand in place of the last, perhaps unfinished, word of a line."""
    *words, last = text.split(" ")
    words = [word for word in words if word]
    kinds = [str(kind) for kind in legal.options().values]
    if not words:
        return [kind for kind in kinds if kind.startswith(last.casefold())]
    kind = words.pop(0).casefold()
    return _Completion(known[kind], legal, kind, last, line_of).words(words) if kind in kinds else []


class _Completion:
    """The words that may stand in place of the last one, in the line of one kind of action."""

    def __init__(
        self, order: ActionGrammar, legal: LegalSet, kind: str, last: str, line_of: Callable[[list[str]], WordReader]
    ) -> None:
        self.order = order
        self.legal = legal
        self.kind = kind
        self.last = last
        self.line_of = line_of
        self.found: dict[str, None] = {}

    def words(self, words: list[str]) -> list[str]:
        """What may follow these words: the rest of a name that they begin, and what comes after them."""
        is_name = [self._offer(words[:-count], words[-count:]) for count in range(1, min(LONGEST, len(words)) + 1)]
        if not self.found or any(is_name):
            self._offer(words, [])
        return list(self.found)

    def _offer(self, words: list[str], begun: list[str]) -> bool:
        """Keeps the words that follow `begun` in what may come after `words`; whether `begun` is itself all of that."""
        count, is_whole = len(begun), False
        for search, candidate in self._candidates(words):
            if not _alike(candidate.words[:count], begun):
                continue
            is_whole = is_whole or len(candidate.words) == count
            for word in candidate.words[count : count + 1]:
                if word not in self.found and simplify(word).startswith(simplify(self.last)) and search.has(candidate):
                    self.found[word] = None
        return is_whole

    def _candidates(self, words: list[str]) -> Iterator[tuple[LineSearch, Candidate]]:
        line = self.line_of(words)
        search = LineSearch(self.legal, self.kind, self.order, line, self.last)
        try:
            for part in self.order.parts:
                is_due = not line.words and part.is_due(search.given)
                if not is_due:
                    part.read(line, search.given)
                if not line.words:
                    search.open(tuple(part.kinds))
                    yield from ((search, candidate) for candidate in part.candidates(line, search))
                if is_due:
                    return
        except Invalid:
            return


def _alike(words: Sequence[str], others: Sequence[str]) -> bool:
    return list(map(simplify, words)) == list(map(simplify, others))
