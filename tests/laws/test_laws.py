from collections.abc import Callable
from fractions import Fraction
from itertools import islice
from typing import Any

import msgspec
import pytest

from leuthen.engine.choice import LegalSet
from leuthen.engine.ruleset import EVERYTHING, as_side, as_viewer
from leuthen.rulesets.frederick import ruleset as frederick
from leuthen.rulesets.frederick.knowledge import View, make_view
from leuthen.rulesets.frederick.model.events import Halted, Marched
from leuthen.rulesets.frederick.model.pieces import SeenStack
from leuthen.rulesets.frederick.model.state import FIELDS
from leuthen.wargame.board import Hex
from tests.laws import finding, laws
from tests.laws.finding import faults, reveal_too_much
from tests.laws.games import GAMES, games
from tests.prove.sample import EVERY, sample_games

MOST = 10**6 if EVERY else 60
BEGINNING = 92


@pytest.mark.parametrize(
    ("ruleset", "seed"), [(name, seed) for name in GAMES for seed in sample_games(range(len(GAMES[name])))]
)
def test_the_laws_hold(ruleset: str, seed: int) -> None:
    assert faults(f"{ruleset}, seed {seed}", islice(games(ruleset, seed), MOST)) == []


def breaks(law: finding.Law) -> bool:
    return finding.breaks(law, islice(games("frederick", 0, often=10**6), BEGINNING))


def leaky(change: Callable[[Any, View, int], View]) -> Callable[[Any, int], View]:
    honest = make_view

    def make(pos: Any, viewer: int) -> View:
        view = honest(pos, as_viewer(viewer))
        return view if viewer == EVERYTHING else change(pos, view, viewer)

    return make


def show_strength(pos: Any, view: View, viewer: int) -> View:
    def shown(seen: SeenStack) -> SeenStack:
        true = pos.stacks[seen.key].strength
        return msgspec.structs.replace(seen, low=true, high=true) if seen.sp is None and not seen.alone else seen

    return view.replace(stacks=tuple(map(shown, view.stacks)))


def show_juniors(pos: Any, view: View, viewer: int) -> View:
    def shown(seen: SeenStack) -> SeenStack:
        return msgspec.structs.replace(seen, hungry=len(pos.stacks[seen.key].leaders))

    return view.replace(stacks=tuple(map(shown, view.stacks)))


def show_depots(pos: Any, view: View, viewer: int) -> View:
    return view.replace(rp=(len(pos.depots), 0))


def show_sum(pos: Any, view: View, viewer: int) -> View:
    return view.replace(turn=sum(stack.strength for stack in pos.stacks.values()))


def show_number_of_stacks_marched(pos: Any, view: View, viewer: int) -> View:
    return view.replace(turn=len(pos.spent))


def show_wrong_band(pos: Any, view: View, viewer: int) -> View:
    def shown(seen: SeenStack) -> SeenStack:
        return msgspec.structs.replace(seen, low=1, high=1) if seen.sp is None and not seen.alone else seen

    return view.replace(stacks=tuple(map(shown, view.stacks)))


LAWS_OF_VIEWS = (laws.a_sampled_state_has_the_same_view, laws.every_band_is_the_recorded_one)


@pytest.mark.parametrize(
    "leak", [show_strength, show_juniors, show_depots, show_sum, show_number_of_stacks_marched, show_wrong_band]
)
def test_a_planted_leak_is_detected(leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frederick, "make_view", leaky(leak))
    assert any(breaks(law) for law in LAWS_OF_VIEWS)


def test_a_false_band_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frederick, "make_view", leaky(show_wrong_band))
    assert breaks(laws.every_band_contains_the_true_strength)


@pytest.mark.parametrize("event", [Marched, Halted])
def test_an_event_that_reveals_too_much_is_detected(event: type[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    reveal_too_much(event, frederick.Frederick, monkeypatch)
    assert breaks(laws.an_action_reveals_only_what_it_declares)


def test_legality_by_hidden_facts_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    from leuthen.engine.choice import Refusal
    from leuthen.rulesets.frederick.rules.o05_march import MarchPhase

    honest = MarchPhase.script

    def peeping(self: Any, pos: Any, actor: int) -> Any:
        strong = sum(stack.strength for stack in pos.own(1 - actor)) % 2
        if strong:
            from leuthen.engine.choice import Slot

            yield Slot("do", ("done",), lambda token: Refusal("O5.1", "they are too strong"))
        return (yield from honest(self, pos, as_side(actor)))

    monkeypatch.setattr(MarchPhase, "script", peeping)
    assert breaks(laws.legality_does_not_depend_on_hidden_facts)


def test_forced_answers_by_hidden_facts_are_detected(monkeypatch: pytest.MonkeyPatch) -> None:

    def forced(self: Any, state: Any, actor: int) -> Any:
        return self.legal_actions(state, actor).only_action()

    monkeypatch.setattr(frederick.Frederick, "forced", forced)
    assert breaks(laws.a_forced_answer_is_forced_in_every_world)


def test_a_loaded_die_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = frederick.Frederick.chances

    def loaded(self: Any, state: Any) -> Any:
        return tuple((action, odds * Fraction(7, 6)) for action, odds in honest(self, state))

    monkeypatch.setattr(frederick.Frederick, "chances", loaded)
    assert breaks(laws.probabilities_sum_to_one)


def test_an_illegal_default_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    from leuthen.rulesets.frederick.model.actions import Besiege

    monkeypatch.setattr(LegalSet, "default", lambda self: Besiege(Hex(0)))
    assert breaks(laws.the_default_action_is_legal)


def test_a_lost_field_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = frederick.Frederick.restore

    def careless(self: frederick.Frederick, text: bytes) -> Any:
        state = honest(self, text)
        return self.state_of({**{name: getattr(state, name) for name in FIELDS}, "spent": {}})

    monkeypatch.setattr(frederick.Frederick, "restore", careless)
    assert breaks(laws.a_position_survives_its_dump)
