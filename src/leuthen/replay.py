"""Plays a record again through its rule set and checks every action: the way to resume, to review, to verify."""

from __future__ import annotations

from collections.abc import Iterator

from leuthen.core.choice import Action
from leuthen.core.refusal import Illegal, Invalid
from leuthen.core.ruleset import CHANCE, Ruleset
from leuthen.record import AGREE, RESIGN, STANDING, TAKE_BACK, UNDO, Entry, Recorded, RecordError
from leuthen.table import Table, end_words


class Replay:
    """A record on its way through the rule set. `table` holds the position that it has come to.

    Raises RecordError for a record of another rule set, version or data, and for a line that the rules forbid, that
    chance cannot have answered, or that answers nothing that was asked.
    """

    def __init__(self, ruleset: Ruleset, recorded: Recorded) -> None:
        _expect_same(ruleset, recorded)
        self.recorded = recorded
        header = recorded.header
        try:
            self.table = Table(ruleset, ruleset.new_game(header.scenario, header.options))
        except Invalid as error:
            raise RecordError(recorded.path, str(error), _line_of(recorded, "scenario")) from error

    def __iter__(self) -> Iterator[Entry]:
        """Carries out one line after another; `table` is the position after the line given."""
        for entry in self.recorded.entries:
            try:
                carry_out(self.table, entry.actor, entry.text)
            except (Invalid, Illegal) as error:
                raise RecordError(self.recorded.path, f"«{entry.text}»: {error}", entry.line) from error
            yield entry
        self._expect_end()

    def run(self) -> Table:
        """Goes to the end of the record."""
        for _ in self:
            pass
        return self.table

    def _expect_end(self) -> None:
        recorded, words = self.recorded, end_words(self.table)
        if recorded.end and recorded.end != words:
            found = words or "goes on"
            raise RecordError(
                recorded.path, f"the record ends with «{recorded.end}», the game: «{found}»", len(recorded.lines)
            )


def carry_out(table: Table, name: str, text: str) -> None:
    """Carries out one line of a record: an action, or a word of the table's own.

    Raises Invalid or Illegal if the rules forbid it, chance cannot have answered it, or nobody was asked.
    """
    actor = _actor(table.ruleset, name)
    if table.outcome is not None:
        raise Invalid("the game has ended")
    if actor != CHANCE and _is_word(table, actor, text):
        return
    action = table.ruleset.parse_action(table.state, actor, text)
    if actor == CHANCE:
        _expect_possible(table, action)
    table.act(actor, action)


def _is_word(table: Table, actor: int, text: str) -> bool:
    """Carries out what is no action of the rules but the table's own word; False if it is none."""
    words = {UNDO: table.undo, RESIGN: table.resign, AGREE: table.agree}
    if text in words:
        words[text](actor)
        return True
    word, _, kept = text.partition(" ")
    if word == STANDING:
        if any(pending.actor == actor for pending in table.ruleset.pending(table.state)):
            table.attend(actor)  # who is asked was shown the position before he gave it
        table.instruct(actor, kept)
        return True
    if word != TAKE_BACK:
        return False
    if not (kept.isascii() and kept.isdigit() and len(kept) < 9):
        raise Invalid(f"«{kept}» is no number of actions")
    table.take_back(actor, int(kept))
    return True


def _actor(ruleset: Ruleset, name: str) -> int:
    names = (*ruleset.sides, "chance")
    if name not in names:
        raise Invalid(f"«{name}» does not play: {', '.join(names)}")
    return names.index(name)


def _expect_possible(table: Table, action: Action) -> None:
    if not any(answer == action and odds > 0 for answer, odds in table.ruleset.chances(table.state)):
        raise Invalid("chance cannot have answered this")


def _expect_same(ruleset: Ruleset, recorded: Recorded) -> None:
    header = recorded.header
    for word, theirs, ours in (
        ("ruleset", header.ruleset, ruleset.name),
        ("ruleset", f"version {header.version}", f"version {ruleset.version}"),
        ("data", header.data, ruleset.digest),
    ):
        if theirs != ours:
            raise RecordError(
                recorded.path, f"was played with {word} {theirs}; here is {ours}", _line_of(recorded, word)
            )


def _line_of(recorded: Recorded, word: str) -> int:
    return next((n for n, line in enumerate(recorded.lines, 1) if line.startswith(f"{word} ")), 0)
