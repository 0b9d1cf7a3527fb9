"""A position from the GIVEN lines of a case (docs/cases.md). Pure: lines in, a position out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Transition, as_side
from leuthen.engine.ruleset_base import chosen_options, run_sequence
from leuthen.rulesets.campaigns.cases.pieces import LATE, NATIONS, Handler, check_inside
from leuthen.rulesets.campaigns.cases.words import CHIT, STATUS_WORDS, STEPS, Words
from leuthen.rulesets.campaigns.model.data import OPTIONS, GameData, options_of
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.knowledge import update_knowledge
from leuthen.rulesets.campaigns.model.state import Draft
from leuthen.rulesets.campaigns.rules.r02_leaders.stragglers import resolve_hexes
from leuthen.rulesets.campaigns.rules.r03_turn.sequence import GameTurn, War
from leuthen.rulesets.campaigns.rules.r04_command.command import Command, Orders
from leuthen.rulesets.campaigns.rules.r09_supply.supply import is_near
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Battle
from leuthen.rulesets.campaigns.rules.r18_setup import blank, new_position
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.case_words import TWO_DICE, BadLine, Given, die_of

SPARE: Final = (1,)
"""The chits that are left in the cup if nothing is said of it: one, so that play rests there."""


class Builder:
    """The position in the making."""

    def __init__(self, data: GameData) -> None:
        self.data = data
        self.options: dict[str, str] = {}
        self.scenario = "1757"
        self.whole = False
        self.year, self.turn, self.first = 0, 4, False
        self.frames: tuple[Decision, ...] = ()
        self.step = "F"
        self.chit = -1
        self.battle: Battle | None = None
        self.cup: tuple[int, ...] = SPARE
        self.dice: list[tuple[int, str]] = []
        self.draft: Draft
        self.starts: dict[int, int] = {}
        self.known_far: set[int] = set()
        self.lines: dict[Hex, int] = {}

    def begin(self) -> None:
        """The calendar is known: an empty map, or a set-up."""
        options = options_of(chosen_options(OPTIONS, self.options))
        if self.whole:
            self.draft = new_position(self.data, self.scenario, options, (War(),))
            return
        self.draft = Draft(blank(self.data, self.scenario, options))
        self.draft.year = self.year or self.draft.year
        self.draft.turn = self.turn
        self.draft.first = self.draft.clock if self.first else -1


def build_position(data: GameData, given: Sequence[tuple[int, str]]) -> Given:
    """The position that these lines (number and text) describe. Raises BadLine."""
    to = Builder(data)
    lines = [(number, Words(data, text)) for number, text in given]
    _pass(to, lines, _EARLY)
    to.begin()
    _pass(to, lines, NATIONS)
    _pass(to, lines, LATE)
    check_inside(to)
    for number, words in lines:
        if words.words:
            raise BadLine(number, f"«{words.words[0]}» is not understood: a leader, a nation or one of {_known()}")
    return _finish(to)


def _pass(to: Builder, lines: Sequence[tuple[int, Words]], handlers: Mapping[str, Handler]) -> None:
    """The handlers of this pass read what is theirs; several words of the calendar may stand in one line."""
    for number, words in lines:
        try:
            while words.words and (kind := _kind(words)) in handlers:
                if kind in handlers and kind not in ("unit", "status"):
                    words.next("a word")
                handlers[kind](to, words, number)
                if handlers is not _EARLY:
                    words.end()
        except Invalid as error:
            raise BadLine(number, str(error)) from error


def _kind(words: Words) -> str:
    first, second = words.words[0], " ".join(words.words[1:2])
    if first in _EARLY or first in LATE:
        return first
    if words.is_power() and second in STATUS_WORDS:
        return "status"
    return "unit" if words.is_unit() else ""


def _known() -> str:
    return ", ".join(sorted({*_EARLY, *LATE} - {"unit"}))


def _sets(name: str, read: Callable[[Words], object]) -> Handler:
    """Reads a value of the builder."""
    return lambda to, words, line: setattr(to, name, read(words))


def _scenario(to: Builder, words: Words, line: int) -> None:
    to.scenario = words.next("a scenario")
    if to.scenario not in to.data.scenarios:
        raise Invalid(f"«{to.scenario}» is no scenario: {', '.join(to.data.scenarios)}")


def _option(to: Builder, words: Words, line: int) -> None:
    name, _, value = words.next("an option").partition("=")
    to.options[name] = value
    chosen_options(OPTIONS, to.options)


def _cup(to: Builder, words: Words, line: int) -> None:
    """`cup prussia-2 coalition-1`, `cup empty`: what is left in it."""
    found: list[int] = []
    if not words.has("empty"):
        while words.words and "-" in words.words[0]:
            found.append(words.chit())
    to.cup = tuple(sorted(found))


def _die(to: Builder, words: Words, line: int) -> None:
    to.dice.append((line, die_of(words.next("a die"), TWO_DICE)))


def _battle(to: Builder, words: Words, line: int) -> None:
    """`battle 1632 prussia [march|reaction|sortie|rousing] [from 1633] [crossed]`: it is about to begin."""
    here, side = words.hex(), words.side()
    how = words.has("march", "reaction", "sortie", "rousing") or "rousing"
    came = words.hex() if words.has("from") else NOWHERE
    to.battle = Battle(here, side, how, came, bool(words.has("crossed")))


_EARLY: Final[Mapping[str, Handler]] = {
    "year": _sets("year", Words.year),
    "turn": _sets("turn", Words.turn),
    "first": _sets("first", lambda words: True),
    "scenario": _scenario,
    "setup": _sets("whole", lambda words: True),
    "option": _option,
    "step": _sets("step", lambda words: STEPS[words.choose(tuple(STEPS), "step")]),
    "chit": _sets("chit", Words.chit),
    "cup": _cup,
    "die": _die,
    "battle": _battle,
}


def _finish(to: Builder) -> Given:
    draft = to.draft
    if not to.whole:
        _take_snapshot(to)
        draft.frames = _frames(to)
        if to.chit >= 0:
            draft.phasing = as_side(to.chit // CHIT)
    draft.touched = set()
    draft.recompute()
    before = Draft(draft.freeze())
    update_knowledge(before)
    run_sequence(before, judge)
    return Given(
        Transition(before.freeze(), tuple(before.facts), before.learned, not before.options.hidden), tuple(to.dice)
    )


def judge(draft: Draft) -> None:
    """What the door judges after each step."""
    resolve_hexes(draft)
    update_knowledge(draft)


def _take_snapshot(to: Builder) -> None:
    """As in step F: who began where, and how far from depots (V3.5)."""
    draft = to.draft
    for number, unit in list(draft.units.items()):
        start = to.starts.get(number, -1 if unit.left else unit.hex)
        far = number in to.known_far or not is_near(draft, unit.hex, draft.side(number), unit.inside)
        draft.change(number, start=start, far=far)


def _frames(to: Builder) -> tuple[Decision, ...]:
    """The decisions in progress, so that play goes on by itself."""
    if to.chit < 0 and to.battle is None:
        return War(True), GameTurn(STEPS.index(to.step))
    inner = to.battle or Orders(as_side(to.chit // CHIT), to.chit % CHIT)
    return War(True), GameTurn(STEPS.index("F") + 1), Command(to.cup), inner
