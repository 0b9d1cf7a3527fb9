"""The words of a case's lines: sides, nations, units, TP, and what is known of them (docs/cases.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import as_viewer
from leuthen.engine.texts import brief, number_of
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.events import turns
from leuthen.rulesets.campaigns.model.fields import ROSTER_WORDS as ROSTER_WORDS
from leuthen.rulesets.campaigns.model.fields import STATUS_WORDS as STATUS_WORDS
from leuthen.rulesets.campaigns.model.seen import SeenForce
from leuthen.rulesets.campaigns.model.state import Position, Sight, State
from leuthen.wargame import case_words
from leuthen.wargame.board import StackKey, hex_name, stack_key
from leuthen.wargame.case_words import CaseWords, Fact, band_text, expect, judge, read_band, viewers_of
from leuthen.wargame.strength import EMPTY, Bag, bag, of, powers

if TYPE_CHECKING:
    from leuthen.rulesets.campaigns.cases.position import Builder

CaseMoment: TypeAlias = case_words.CaseMoment[GameData, State]
"""A position that is checked, with what led to it."""
SIDE_WORDS: Final = ("prussia", "coalition", "nobody")
STEPS: Final = "".join(turns.STEPS)
BOTH: Final = ("the Prussian number", "the number of the Coalition")
CHIT: Final = 8
"""Of a side and a command in one number (R4.1)."""


class Words(CaseWords):
    """A line of this rule set, word by word."""

    def __init__(self, data: GameData, text: str) -> None:
        super().__init__(data.book, text)
        self.data = data

    def side(self) -> Any:
        """A side, or NOBODY. Raises Invalid."""
        return self.choose(SIDE_WORDS, "side")

    def is_unit(self) -> bool:
        """Whether a leader or a wagon comes next."""
        return bool(self.words) and not self.words[0][:1].isdigit() and self.book.leaders.take(self.words) is not None

    def chit(self) -> int:
        """A chit: `prussia-3`. Raises Invalid."""
        side, _, command = self.next("a chit").partition("-")
        number = number_of(command, 1)
        if side not in SIDE_WORDS[:2] or number is None:
            raise Invalid(f"«{brief(side)}-{brief(command)}» is no chit: prussia-3 is expected")
        return SIDE_WORDS.index(side) * CHIT + number

    def tp(self) -> Bag:
        """`3 Austria 2 Russia`: all further words. Raises Invalid."""
        found = EMPTY
        while self.words:
            points = self.number("a number of TP")
            found += bag(self.power(), points)
        return found


def tp_text(data: GameData, tp: Bag) -> str:
    """`3 Austria 2 Russia`."""
    return " ".join(f"{of(tp, nation)} {data.nations[nation].name}" for nation in powers(tp)) or "0 TP"


def chit_text(chit: int) -> str:
    """`prussia-3`."""
    side, command = divmod(chit, CHIT)
    return f"{SIDE_WORDS[side]}-{command}"


PLACES: Final = ("field", "inside")


def give_sight(to: Builder, words: Words, line: int) -> None:
    """`known 1632 prussia field 8-12 [since 20]`: what the other side knows of a force."""
    key = _force(words)
    low, high = read_band(words.next("a strength"))
    since = words.number("a turn") if words.has("since") else 0
    to.draft.sights = {**to.draft.sights, key: Sight(low, high, since)}


def _force(words: Words) -> StackKey:
    here, side = words.hex(), words.side()
    return stack_key(here, side, words.choose(PLACES, "place") > 0)


def _known(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`known 1632 prussia field 8-12`: what the other side knows of a force; `no known 1632 prussia field`: nothing."""
    pos: Position = moment.state
    sight = pos.sights.get(_force(words))
    found = band_text(sight.low, sight.high) if sight is not None else "nothing"
    expect("known nothing" if deny else f"known {words.next('a strength')}", f"known {found}")
    if words.has("since"):
        expect(f"since {words.number('a turn')}", f"since {sight.since if sight is not None else 0}")


def _view(moment: CaseMoment, words: Words, deny: bool) -> None:
    """What a viewer sees of a force: `view coalition 1733 prussia field Prussia Keith known 4-9`, or `alone`.

    That is its colours, its commander, what he knows of its TP. `view coalition Keith 1733`: he sees Keith there.
    """
    view = moment.ruleset.view(moment.state, as_viewer(words.choose(viewers_of(moment.ruleset), "viewer")))
    if words.is_unit():
        number = words.leader()
        seen = {number: unit.hex for number, unit in view.units.items()}
        judge(number in seen, deny, f"view of {moment.data.leaders[number].name}")
        if words.words:
            expect(hex_name(words.hex()), hex_name(seen[number]))
        return
    key = _force(words)
    found = [_seen(moment, force) for force in view.stacks if force.key == key]
    expect("" if deny else " ".join(words.words), "".join(found))
    words.words = []


def _seen(moment: CaseMoment, force: SeenForce) -> str:
    """`Prussia Keith known 4-9`; `alone` without TP."""
    if force.alone:
        return "alone"
    chief = moment.data.leaders[force.commander].name if force.commander >= 0 else "leaderless"
    return f"{moment.data.nations[force.nation].name} {chief} known {band_text(force.least, force.most)}"


SIGHTS: Final[Mapping[str, Fact]] = {"known": _known, "view": _view}
