"""Games that the rules or data that are here cannot go on with.

Such a game is shown as far as they accept its record; the rest is told in the record's own words, to each seat what it
may read. It can be read, fetched as a record, and ended by resigning or agreement, and nothing else.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, Outcome, actor_named, as_side
from leuthen.load import load_with
from leuthen.play.proof.ledger import NotBound, expect_bound
from leuthen.play.record import AGREE, RESIGN, Header, text_of
from leuthen.play.replay import foreign, is_public, other_version
from leuthen.school.lessons import begin
from leuthen.screen.presenter import TableRuleset
from leuthen.server.session.history import GameHistory, GameTransaction, RecordLine
from leuthen.storage.rows import GameRow, KeptGame

MAY: Final = "It can be read, its record can be fetched, and it can be ended by resigning or by a draw."
_RESULT: Final = re.compile(r"(?:A draw|(?P<winner>\w+) wins): (?P<how>.*), (?P<year>\d+)(?: \((?P<rule>.*)\))?\.")
_log = logging.getLogger(__name__)


def bring_back(found: KeptGame) -> tuple[GameHistory, Iterator[None]]:
    """The course of a game as its record has it, once the steps were taken.

    It is stranded where the rules or data that are here cannot follow, and before a line that is not what its proof
    has bound. Raises Invalid for a rule set that is not here at all.
    """
    game = found.game
    ruleset = load_with(game.ruleset, game.data)
    lines = [RecordLine(actor_named(ruleset, action.actor), action.text) for action in found.actions]
    state, why = _beginning(ruleset, game)
    history = GameHistory(ruleset, state, game.takebacks)
    return history, _bring_back(history, lines, game, why or why_not(ruleset, game), _changed(found))


def _changed(found: KeptGame) -> NotBound | None:
    """Return what tells that a stored game is not what its proof has bound, if it is sealed. It is logged, too."""
    if not found.signing and not found.proof:
        return None
    lines = [(action.number, action.actor, action.text) for action in found.actions]
    try:
        expect_bound(found.game.id, found.key, found.signing, found.proof, lines)
    except NotBound as error:
        _log.error("the game %s was changed in the database: %s", found.game.id, error)
        return error
    return None


def _bring_back(
    history: GameHistory, lines: Sequence[RecordLine], game: GameRow, why: str, changed: NotBound | None
) -> Iterator[None]:
    done = 0
    for _ in in_steps(history, lines[: changed.line - 1] if changed is not None and changed.line else lines):
        done += 1
        yield
    if changed is not None:
        history.strand(lines[done:], f"This game cannot go on here: {changed}. {MAY}")
        if history.outcome is None and (outcome := result_from(history.ruleset, game.result)) is not None:
            history.conclude(outcome)
    elif why or done < len(lines):
        why = why or _refused(history.ruleset, game, done + 1)
        strand(history, lines[done:], why, result_from(history.ruleset, game.result))


def why_not(ruleset: TableRuleset, game: GameRow) -> str:
    """Why a game cannot go on by these rules, as far as its rule set and data tell; "" if it can."""
    other = foreign(ruleset, game.ruleset, game.data)
    return f"This game cannot go on here: it {other.why}. {MAY}" if other else ""


def _refused(ruleset: TableRuleset, game: GameRow, number: int) -> str:
    """Why a game whose data are here cannot go on. The text of the line is a secret."""
    other = other_version(ruleset, game.version)
    why = f" It {other.why}." if other else ""
    return f"This game cannot go on here: the rules that are here refuse action {number} of its record.{why} {MAY}"


def _beginning(ruleset: TableRuleset, game: GameRow) -> tuple[object, str]:
    """The set-up of a game, and "". If its scenario or an option is not known here, one that comes nearest, and why."""
    try:
        return begin(ruleset, game.scenario, game.options), ""
    except Invalid as error:
        known = {name: value for name, value in game.options.items() if value in ruleset.options.get(name, ())}
        scenario = game.scenario if game.scenario in ruleset.scenarios else next(iter(ruleset.scenarios))
        return ruleset.new_game(scenario, known), f"This game cannot go on here: {error}. {MAY}"


def carry_out(history: GameHistory, lines: Sequence[RecordLine]) -> int:
    """Carries out the lines of a record up to the first that is refused; how many that were."""
    return sum(1 for _ in in_steps(history, lines))


def in_steps(history: GameHistory, lines: Iterable[RecordLine]) -> Iterator[None]:
    """Carries out the lines of a record up to the first that is refused, each as a step."""
    for number, line in enumerate(lines, 1):
        transaction = GameTransaction(history)
        try:
            transaction.say(*line)
        except Exception as error:  # a rule set may fail in any way at a record that it never wrote
            _log.warning("line %d of a record is refused: %s", number, type(error).__name__)
            return
        history.accept(transaction)
        yield


def strand(history: GameHistory, rest: Sequence[RecordLine], why: str, outcome: Outcome | None) -> None:
    """The game goes no further here. If it ended by agreement, or is known to have ended, it has ended here too."""
    ending = [line for line in rest[-1:] if line.actor != CHANCE and line.text in (RESIGN, AGREE)]
    history.strand(rest[: len(rest) - len(ending)], why)
    carry_out(history, ending)
    if outcome is not None and history.outcome is None:
        history.conclude(outcome)


def result_from(ruleset: TableRuleset, sentence: str) -> Outcome | None:
    """The outcome that the list of games tells as a sentence."""
    found = _RESULT.fullmatch(sentence)
    if found is None:
        return None
    sides = [side.capitalize() for side in ruleset.sides]
    winner = as_side(sides.index(found["winner"])) if found["winner"] in sides else None
    return Outcome(winner, found["how"], found["rule"] or "", int(found["year"]))


def bare_record(found: KeptGame) -> str:
    """The record of a game that cannot be shown at all: all of it after the end, before what everybody may read."""
    game, who = found.game, [seat.who for seat in found.seats[:2]]
    names = list(dict.fromkeys(action.actor for action in found.actions if action.actor != "chance"))
    players = dict(zip(names, who, strict=False))
    header = Header(
        game.ruleset, game.version, game.scenario, game.data, game.options, players, game.id, game.takebacks
    )
    lines = [(action.actor, action.text) for action in found.actions]
    public = [line for line in lines if game.has_ended or line[0] == "chance" or is_public(line[1])]
    return text_of(header, public, "")
