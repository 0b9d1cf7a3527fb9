"""The end of a game in words; and the lines of its record, for who has not the rules they were played by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from leuthen.engine.ruleset import CHANCE, EVERYTHING, ActorId, Outcome, Ruleset, ViewerId, as_side
from leuthen.engine.texts import number_of
from leuthen.play.record import AGREE, RESIGN, STANDING, TAKE_BACK, UNDO

OFF: Final = "off"
STOP: Final = "stop "
_PUBLIC: Final = (RESIGN, AGREE, TAKE_BACK)
_SPOKEN: Final[Mapping[str, Callable[[str], str]]] = {
    UNDO: lambda rest: " takes back the last action.",
    RESIGN: lambda rest: " resigns.",
    AGREE: lambda rest: " accepts the draw.",
    TAKE_BACK: lambda rest: f" grants a takeback: only the first {rest} actions count.",
    STANDING: lambda rest: _standing(rest),
}


def outcome_in_words(ruleset: Ruleset, outcome: Outcome) -> str:
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
    if rest.startswith(STOP):
        return f"'s standing instruction is in force no longer: {rest.removeprefix(STOP)}"
    return f" gives a standing instruction: {rest}"


def may_read(viewer: ViewerId, actor: ActorId, text: str) -> bool:
    """Whether a viewer may read a line of a game that goes on: his own, dice, and what is said at the table."""
    return viewer in (actor, EVERYTHING) or actor == CHANCE or is_public(text)


def is_public(text: str) -> bool:
    """Whether everybody may read a line of a side in a game that goes on: it was said at the table."""
    return text.partition(" ")[0] in _PUBLIC


def outcome_from(ruleset: Ruleset, words: str) -> Outcome | None:
    """The outcome that the last line of a record tells; None if it tells none."""
    winner, *how, year, rule, _ = words.split() if len(words.split()) > 4 else ("", "", "", "")
    if winner not in ("draw", *ruleset.sides) or (when := number_of(year)) is None:
        return None
    side = None if winner == "draw" else as_side(ruleset.sides.index(winner))
    return Outcome(side, " ".join(how), "" if rule == "-" else rule, when)
