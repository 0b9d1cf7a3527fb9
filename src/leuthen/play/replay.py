"""Replay of a record through its rule set, with every action checked: to resume, review or verify a game.

A record of another rules version continues as long as every line is legal. A record with other data, or with a line
that is not legal any more, can be viewed up to there.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from leuthen.engine.refusal import Illegal, Invalid, number_of, read_number, require
from leuthen.engine.ruleset import CHANCE, EVERYTHING, ActorId, Outcome, ViewerId, actor_named, as_side, is_side
from leuthen.play.record import AGREE, RESIGN, STANDING, TAKE_BACK, UNDO, Record, RecordEntry, RecordError
from leuthen.play.table import OFF, STOP, Table, end_words
from leuthen.screen.presenter import TableRuleset


class Incompatibility(NamedTuple):
    """The reason why a game cannot continue here: the header's word, what it was played with, and what is installed."""

    word: str
    theirs: str
    ours: str

    @property
    def why(self) -> str:
        return f"was played with {self.theirs}; here is {self.ours}"


class Replay:
    """A record during its replay; `table` has the current position.

    Raise RecordError for a record of another rule set or data, and for a line that is illegal, impossible for chance,
    or without a question. With `as_far`, other data are accepted and described by `incompatibility`; a refusal
    then names the version that is needed.
    """

    def __init__(self, ruleset: TableRuleset, recorded: Record, *, as_far: bool = False) -> None:
        self.recorded = recorded
        header = recorded.header
        self._foreign = incompatibility(ruleset, header.ruleset, header.data)
        self._version = version_difference(ruleset, header.version)
        if self._foreign and not (as_far and header.ruleset == ruleset.name):
            reason = f"{self._foreign.why}; leuthen replay tells it, a table (leuthen serve) opens and ends it"
            raise RecordError(recorded.path, reason, _line_of(recorded, self._foreign.word))
        self.done = 0  # number of replayed lines
        try:
            self.table = Table(ruleset, ruleset.new_game(header.scenario, header.options), takebacks=header.takebacks)
        except Invalid as error:
            raise self._refusal_error(str(error), _line_of(recorded, "scenario")) from error

    @property
    def incompatibility(self) -> str:
        """The reason why the game cannot continue here, as known so far, or ""."""
        return self._foreign.why if self._foreign else ""

    def __iter__(self) -> Iterator[RecordEntry]:
        """Replay line by line; `table` is the position after the yielded one. Raise RecordError."""
        for entry in self.recorded.entries:
            try:
                if entry.text.startswith(f"{STANDING} "):  # its player was shown the position
                    for pending in self.table.ruleset.pending(self.table.state):
                        if self.table.name(pending.actor) == entry.actor:
                            self.table.commit_others_drafts(pending.actor)
                carry_out(self.table, entry.actor, entry.text)
            except (Invalid, Illegal) as error:
                raise self._refusal_error(f'"{entry.text}": {error}', entry.line) from error
            except Exception as error:
                if not (self._foreign or self._version):
                    raise
                raise self._refusal_error(f'"{entry.text}": cannot be carried out', entry.line) from error
            self.done = entry.number
            yield entry
        end, words = self.recorded.end, end_words(self.table)
        if end and end != words:
            reason = f'the record ends with "{end}", the game: "{words or "goes on"}"'
            raise self._refusal_error(reason, len(self.recorded.lines))

    def _refusal_error(self, reason: str, line: int) -> RecordError:
        self._foreign = self._foreign or self._version
        needed = f"; from here on {self._foreign.theirs} would be needed" if self._foreign else ""
        return RecordError(self.recorded.path, f"{reason}{needed}", line)

    def run(self) -> Table:
        for _ in self:
            pass
        return self.table


def carry_out(table: Table, name: str, text: str) -> None:
    """Carry out a line of a record: an action or a table command.

    Raise Invalid or Illegal if the rules forbid it, chance cannot have answered it, or the actor was not asked.
    """
    actor = actor_named(table.ruleset, name)
    require(table.outcome is None, "the game has ended")
    words, (word, _, rest) = {UNDO: table.undo, RESIGN: table.resign, AGREE: table.agree}, text.partition(" ")
    if not is_side(actor):
        action = table.ruleset.parse_action(table.state, actor, text)
        chances = table.ruleset.chances(table.state)
        require(any(answer == action and odds > 0 for answer, odds in chances), "chance cannot have answered this")
        table.act(actor, action)
    elif text in words:
        words[text](actor)
    elif word == STANDING:
        table.instruct(actor, rest)
    elif word == TAKE_BACK:
        table.take_back(actor, read_number(rest, "a number of actions", 8))
    else:
        table.act(actor, table.ruleset.parse_action(table.state, actor, text))


def incompatibility(ruleset: TableRuleset, name: str, data: str) -> Incompatibility | None:
    """Return the reason why a game of this rule set and data cannot continue here; None if it can.

    Another rules version is no reason: the game goes on as long as every line is legal.
    """
    if name != ruleset.name:
        return Incompatibility("ruleset", f"the rule set {name}", ruleset.name)
    if data != ruleset.digest:
        return Incompatibility("data", f"the data {data}", ruleset.digest)
    return None


def version_difference(ruleset: TableRuleset, version: str) -> Incompatibility | None:
    """Return a version difference, which explains a refused line; None if there is none."""
    if version == ruleset.version:
        return None
    return Incompatibility("ruleset", f"version {version} of the rules", ruleset.version)


def _line_of(recorded: Record, word: str) -> int:
    return next((n for n, line in enumerate(recorded.lines, 1) if line.startswith(f"{word} ")), 0)


# --- in words ---------------------------------------------------------------------------------------------------------


_PUBLIC: Final = (RESIGN, AGREE, TAKE_BACK)
_SPOKEN: Final[Mapping[str, str]] = {
    UNDO: " takes back the last action.",
    RESIGN: " resigns.",
    AGREE: " accepts the draw.",
    TAKE_BACK: " grants a takeback: only the first {} actions count.",
    STANDING: " gives standing instructions: {}",
    f"{STANDING} {STOP}": "'s standing instructions have stopped: {}",
    f"{STANDING} {OFF}": " cancels its standing instructions.",
}


def describe_outcome(ruleset: TableRuleset, outcome: Outcome) -> str:
    rule = f" ({outcome.rule})" if outcome.rule else ""
    result = "A draw" if outcome.winner is None else f"{ruleset.sides[outcome.winner].capitalize()} wins"
    return f"{result}: {outcome.how}, {outcome.year}{rule}."


def describe_line(name: str, text: str) -> str:
    """Describe a record line; an order keeps the record's notation."""
    word, _, rest = text.partition(" ")
    how, _, reason = rest.partition(" ")
    if word == STANDING and (how == STOP or rest == OFF):
        word, rest = f"{word} {how}", reason
    return name.capitalize() + (_SPOKEN[word].format(rest) if word in _SPOKEN else f": {text}")


def can_read(viewer: ViewerId, actor: ActorId, text: str) -> bool:
    """Return whether a viewer may read a line of a running game: its own, chance, and public commands."""
    return viewer in (actor, EVERYTHING) or actor == CHANCE or is_public(text)


def is_public(text: str) -> bool:
    return text.partition(" ")[0] in _PUBLIC


def parse_outcome(ruleset: TableRuleset, words: str) -> Outcome | None:
    """Parse the outcome from the last line of a record; None if it has none."""
    winner, *how, year, rule, _ = words.split() if len(words.split()) > 4 else ("", "", "", "")
    if winner not in ("draw", *ruleset.sides) or (when := number_of(year)) is None:
        return None
    side = None if winner == "draw" else as_side(ruleset.sides.index(winner))
    return Outcome(side, " ".join(how), "" if rule == "-" else rule, when)
