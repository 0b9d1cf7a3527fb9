"""Plays a record again through its rule set and checks every action: the way to resume, to review, to verify.

A record of another version of the rules goes on as long as every line is legal. One whose data are not here, or of
which a line is not legal any more, may be looked at as far as the rules that are here accept it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import CHANCE, EVERYTHING, ActorId, Outcome, Side, ViewerId, actor_named, as_side, is_side
from leuthen.engine.texts import number_of, read_number
from leuthen.play.record import AGREE, RESIGN, STANDING, TAKE_BACK, UNDO, Recorded, RecordEntry, RecordError
from leuthen.play.table import OFF, STOP, Table, end_words
from leuthen.screen.presenter import TableRuleset


class Foreign(NamedTuple):
    """Why a game cannot be gone on with here: the word of the header's line, what it was played with, what is here."""

    word: str
    theirs: str
    ours: str

    @property
    def why(self) -> str:
        """As the rest of a sentence."""
        return f"was played with {self.theirs}; here is {self.ours}"


class Replay:
    """A record on its way through the rule set. `table` holds the position that it has come to.

    Raises RecordError for a record of another rule set or data, and for a line that the rules forbid, that chance
    cannot have answered, or that answers nothing that was asked. With `as_far`, other data are let pass, and said in
    `foreign`: what is refused then names what is needed from there on, as it does in a record of another version.
    """

    def __init__(self, ruleset: TableRuleset, recorded: Recorded, *, as_far: bool = False) -> None:
        self.recorded = recorded
        header = recorded.header
        self._foreign = foreign(ruleset, header.ruleset, header.data)
        self._version = other_version(ruleset, header.version)
        if self._foreign and not (as_far and header.ruleset == ruleset.name):
            reason = f"{self._foreign.why}; leuthen replay tells it, a table (leuthen serve) opens and ends it"
            raise RecordError(recorded.path, reason, _line_of(recorded, self._foreign.word))
        self.done = 0
        """Lines carried out."""
        try:
            state = ruleset.new_game(header.scenario, header.options)
            self.table = Table(ruleset, state, takebacks=header.takebacks)
        except Invalid as error:
            raise self._refused(str(error), _line_of(recorded, "scenario")) from error

    @property
    def foreign(self) -> str:
        """Why the game cannot be gone on with here, as far as it was carried out; or ""."""
        return self._foreign.why if self._foreign else ""

    def __iter__(self) -> Iterator[RecordEntry]:
        """Carries out one line after another; `table` is the position after the line given."""
        for entry in self.recorded.entries:
            try:
                _show(self.table, entry)
                carry_out(self.table, entry.actor, entry.text)
            except (Invalid, Illegal) as error:
                raise self._refused(f"«{entry.text}»: {error}", entry.line) from error
            except Exception as error:
                if not (self._foreign or self._version):
                    raise
                raise self._refused(f"«{entry.text}»: cannot be carried out", entry.line) from error
            self.done = entry.number
            yield entry
        self._expect_end()

    def _refused(self, reason: str, line: int) -> RecordError:
        self._foreign = self._foreign or self._version
        needed = f"; from here on {self._foreign.theirs} would be needed" if self._foreign else ""
        return RecordError(self.recorded.path, f"{reason}{needed}", line)

    def run(self) -> Table:
        """Goes to the end of the record."""
        for _ in self:
            pass
        return self.table

    def _expect_end(self) -> None:
        recorded, words = self.recorded, end_words(self.table)
        if recorded.end and recorded.end != words:
            reason = f"the record ends with «{recorded.end}», the game: «{words or 'goes on'}»"
            raise self._refused(reason, len(recorded.lines))


def _show(table: Table, entry: RecordEntry) -> None:
    """Who is asked at one keyboard was shown the position before he gave an instruction."""
    for pending in table.ruleset.pending(table.state) if entry.text.startswith(f"{STANDING} ") else ():
        if table.name(pending.actor) == entry.actor:
            table.attend(pending.actor)


def carry_out(table: Table, name: str, text: str) -> None:
    """Carries out one line of a record: an action, or a word of the table's own.

    Raises Invalid or Illegal if the rules forbid it, chance cannot have answered it, or nobody was asked.
    """
    actor = actor_named(table.ruleset, name)
    if table.outcome is not None:
        raise Invalid("the game has ended")
    if is_side(actor) and _is_word(table, actor, text):
        return
    action = table.ruleset.parse_action(table.state, actor, text)
    if actor == CHANCE and not any(
        answer == action and odds > 0 for answer, odds in table.ruleset.chances(table.state)
    ):
        raise Invalid("chance cannot have answered this")
    table.act(actor, action)


def _is_word(table: Table, actor: Side, text: str) -> bool:
    """Carries out what is no action of the rules but the table's own word; False if it is none."""
    words = {UNDO: table.undo, RESIGN: table.resign, AGREE: table.agree}
    if text in words:
        words[text](actor)
        return True
    word, _, kept = text.partition(" ")
    if word == STANDING:
        table.instruct(actor, kept)
        return True
    if word != TAKE_BACK:
        return False
    table.take_back(actor, read_number(kept, "a number of actions", 8))
    return True


def foreign(ruleset: TableRuleset, name: str, data: str) -> Foreign | None:
    """Why a game of this rule set and digest of data cannot be gone on with here; None if it can.

    Another version of the rules is no reason: the game goes on as long as every line of it is legal.
    """
    if name != ruleset.name:
        return Foreign("ruleset", f"the rule set {name}", ruleset.name)
    if data != ruleset.digest:
        return Foreign("data", f"the data {data}", ruleset.digest)
    return None


def other_version(ruleset: TableRuleset, version: str) -> Foreign | None:
    """What a game of another version is told with where the rules that are here refuse a line of it."""
    if version == ruleset.version:
        return None
    return Foreign("ruleset", f"version {version} of the rules", ruleset.version)


def _line_of(recorded: Recorded, word: str) -> int:
    return next((n for n, line in enumerate(recorded.lines, 1) if line.startswith(f"{word} ")), 0)


# --- in words ---------------------------------------------------------------------------------------------------------


_PUBLIC: Final = (RESIGN, AGREE, TAKE_BACK)
_SPOKEN: Final[Mapping[str, Callable[[str], str]]] = {
    UNDO: lambda rest: " takes back the last action.",
    RESIGN: lambda rest: " resigns.",
    AGREE: lambda rest: " accepts the draw.",
    TAKE_BACK: lambda rest: f" grants a takeback: only the first {rest} actions count.",
    STANDING: lambda rest: _standing(rest),
}


def outcome_in_words(ruleset: TableRuleset, outcome: Outcome) -> str:
    """How a game ended, as a sentence."""
    rule = f" ({outcome.rule})" if outcome.rule else ""
    result = "A draw" if outcome.winner is None else f"{ruleset.sides[outcome.winner].capitalize()} wins"
    return f"{result}: {outcome.how}, {outcome.year}{rule}."


def in_words(name: str, text: str) -> str:
    """A line of a record, of whoever has this name there, in words; an order keeps the record's own."""
    word, _, rest = text.partition(" ")
    said = _SPOKEN.get(word)
    return f"{name.capitalize()}{said(rest) if said else f': {text}'}"


def _standing(rest: str) -> str:
    if rest == OFF:
        return " takes its standing instruction back."
    word, _, reason = rest.partition(" ")
    if word == STOP:
        return f"'s standing instruction is in force no longer: {reason}"
    return f" gives a standing instruction: {rest}"


def may_read(viewer: ViewerId, actor: ActorId, text: str) -> bool:
    """Whether a viewer may read a line of a game that goes on: his own, dice, and what is said at the table."""
    return viewer in (actor, EVERYTHING) or actor == CHANCE or is_public(text)


def is_public(text: str) -> bool:
    """Whether everybody may read a line of a side in a game that goes on: it was said at the table."""
    return text.partition(" ")[0] in _PUBLIC


def outcome_from(ruleset: TableRuleset, words: str) -> Outcome | None:
    """The outcome that the last line of a record tells; None if it tells none."""
    winner, *how, year, rule, _ = words.split() if len(words.split()) > 4 else ("", "", "", "")
    if winner not in ("draw", *ruleset.sides) or (when := number_of(year)) is None:
        return None
    side = None if winner == "draw" else as_side(ruleset.sides.index(winner))
    return Outcome(side, " ".join(how), "" if rule == "-" else rule, when)
