from collections.abc import Callable
from itertools import islice
from typing import Any

import msgspec
import pytest

from leuthen.engine.choice import Refusal
from leuthen.engine.ruleset import EVERYTHING, as_side, as_viewer
from leuthen.rulesets.campaigns import ruleset as campaigns
from leuthen.rulesets.campaigns.knowledge import View, make_view
from leuthen.rulesets.campaigns.model.events import MarchEnded, Moved
from leuthen.rulesets.campaigns.model.forces import SeenForce
from leuthen.rulesets.campaigns.model.state import Position, tp_of
from leuthen.rulesets.campaigns.rules import r02_leaders
from tests.campaigns.positions import moments, rules
from tests.laws import finding, games, laws
from tests.laws.finding import faults, reveal_too_much
from tests.prove.sample import EVERY, sample_games

MOST = 60 if EVERY else 15
BEGINNING = 60
GAMES: tuple[tuple[int, str, dict[str, str]], ...] = (
    (0, "1757", {}),
    (1, "1758", {"rules": "base"}),
    (4, "1756", {}),
    (6, "campaign", {"rules": "base"}),
)
HIDDEN = {"hidden": "yes"}


@pytest.mark.parametrize(("seed", "scenario", "options"), sample_games(GAMES))
def test_the_laws_hold_with_hidden_strengths(seed: int, scenario: str, options: dict[str, str]) -> None:
    sample = islice(moments(seed, scenario, {**options, **HIDDEN}), MOST)
    assert faults(f"{scenario}, seed {seed}", sample) == []


def breaks(law: finding.Law) -> bool:
    return finding.breaks(law, islice(games.moments(rules(), 0, "1757", HIDDEN, often=10**6), BEGINNING))


def leaky(change: Callable[[Position, View], View]) -> Callable[[Position, int], View]:

    def make(pos: Position, viewer: int) -> View:
        view = make_view(pos, as_viewer(viewer))
        return view if viewer == EVERYTHING else change(pos, view)

    return make


def show_strength(pos: Position, view: View) -> View:
    def shown(force: SeenForce) -> SeenForce:
        true = tp_of(pos, force.key)
        return msgspec.structs.replace(force, low=true, high=true)

    return view.replace(stacks=tuple(map(shown, view.stacks)))


def show_supply(pos: Position, view: View) -> View:
    units = {n: msgspec.structs.replace(unit, sp=pos.units[n].sp) for n, unit in view.units.items()}
    return view.replace(units=units)


def show_juniors(pos: Position, view: View) -> View:
    return view.replace(turn=sum(unit.hex for unit in pos.units.values()))


@pytest.mark.parametrize("leak", [show_strength, show_supply, show_juniors])
def test_a_planted_leak_is_detected(leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaigns, "make_view", leaky(leak))
    laws_of_views = (laws.a_sampled_state_has_the_same_view, laws.every_band_is_the_recorded_one)
    assert any(breaks(law) for law in laws_of_views)


def test_a_false_band_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(r02_leaders, "update_knowledge", lambda draft: None)
    assert breaks(laws.every_band_contains_the_true_strength)


@pytest.mark.parametrize("event", [Moved, MarchEnded])
def test_an_event_that_reveals_too_much_is_detected(event: type[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    reveal_too_much(event, campaigns.Campaigns, monkeypatch)
    assert breaks(laws.an_action_reveals_only_what_it_declares)


def test_legality_by_hidden_facts_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    from leuthen.engine.choice import Slot
    from leuthen.rulesets.campaigns.rules.r04_command.command import Orders

    honest = Orders.script

    def peeping(self: Any, pos: Any, actor: int) -> Any:
        if sum(unit.strength for n, unit in pos.units.items() if pos.side(n) != actor) % 2:
            yield Slot("do", ("done",), lambda token: Refusal("R4.2", "they are too strong"))
        return (yield from honest(self, pos, as_side(actor)))

    monkeypatch.setattr(Orders, "script", peeping)
    assert breaks(laws.legality_does_not_depend_on_hidden_facts)


def test_a_revealing_absence_of_a_decision_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    from leuthen.rulesets.campaigns.rules.r07_reaction import ReactionWindow

    monkeypatch.setattr(ReactionWindow, "actors", lambda self, pos: (self.side,) if self.able(pos) else ())
    assert breaks(laws.every_world_has_the_same_pending_decisions)
