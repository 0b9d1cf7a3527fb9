"""The words of cases for the option `hidden`: what a viewer sees, and what each side knows of the other (R1.8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from leuthen.rulesets.campaigns.cases.words import CaseMoment, Words
from leuthen.rulesets.campaigns.model.seen import SeenForce
from leuthen.rulesets.campaigns.model.state import Position, Sight
from leuthen.wargame.board import StackKey, hex_name, stack_key
from leuthen.wargame.case_words import Fact, band_text, expect, judge, read_band, viewers_of

if TYPE_CHECKING:
    from leuthen.rulesets.campaigns.cases.position import Builder

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
    view = moment.ruleset.view(moment.state, words.choose(viewers_of(moment.ruleset), "viewer"))
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
