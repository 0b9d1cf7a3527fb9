from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

import msgspec
import pytest

from leuthen.engine.choice import LegalSet, Refusal, Slot
from leuthen.engine.decision import Decision
from leuthen.engine.ruleset import CHANCE, EVERYTHING, as_side, as_viewer, is_side
from leuthen.load import RULESETS, load
from leuthen.play.table import Table
from leuthen.rulesets.campaigns import ruleset as campaigns
from leuthen.rulesets.campaigns.model.events import MarchEnded, Moved
from leuthen.rulesets.campaigns.model.state import Draft, tp_of
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders
from leuthen.rulesets.campaigns.rules.r07_reaction import ReactionWindow
from leuthen.rulesets.frederick import ruleset as frederick
from leuthen.rulesets.frederick.model.actions import Besiege
from leuthen.rulesets.frederick.model.events import Halted, Marched
from leuthen.rulesets.frederick.model.state import FIELDS
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.wargame.board import Hex
from tests.campaigns.positions import moments
from tests.laws import games, laws
from tests.laws.course import decision_kinds
from tests.laws.finding import Law, breaks, faults, reveal_too_much
from tests.laws.games import GAMES
from tests.prove.sample import EVERY, sample_games
from tests.terminal.typist import play_at_keyboard

MOST = 10**6 if EVERY else 60
RARE = 10**6
HIDDEN = {"hidden": "yes"}
BEGINNING = {"frederick": 92, "campaigns": 60}
GAMES_WITH_FAULT = {
    "frederick": lambda: games.games("frederick", 0, often=RARE),
    "campaigns": lambda: games.moments(load("campaigns"), 0, "1757", HIDDEN, often=RARE),
}
HIDDEN_GAMES: tuple[tuple[int, str, dict[str, str]], ...] = (
    (0, "1757", {}),
    (1, "1758", {"rules": "base"}),
    (4, "1756", {}),
    (6, "campaign", {"rules": "base"}),
)
Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]
Leak = Callable[[Any, Any], Any]


@pytest.mark.parametrize(
    ("ruleset", "seed"), [(name, seed) for name in GAMES for seed in sample_games(range(len(GAMES[name])))]
)
def test_the_laws_hold(ruleset: str, seed: int) -> None:
    assert faults(f"{ruleset}, seed {seed}", islice(games.games(ruleset, seed), MOST)) == []


@pytest.mark.parametrize(("seed", "scenario", "options"), sample_games(HIDDEN_GAMES))
def test_the_laws_hold_with_hidden_strengths(seed: int, scenario: str, options: dict[str, str]) -> None:
    sample = islice(moments(seed, scenario, {**options, **HIDDEN}), 60 if EVERY else 15)
    assert faults(f"{scenario}, seed {seed}", sample) == []


# --- planted faults ---------------------------------------------------------------------------------------------------


def leak(module: Any, change: Leak) -> Plant:
    """Change the view of each viewer but the omniscient one."""

    def plant(patch: Patch) -> None:
        honest = module.make_view

        def make(pos: Any, viewer: int) -> Any:
            view = honest(pos, as_viewer(viewer))
            return view if viewer == EVERYTHING else change(pos, view)

        patch.setattr(module, "make_view", make)

    return plant


def in_each_stack(change: Leak) -> Leak:
    return lambda pos, view: view.replace(stacks=tuple(change(pos, seen) for seen in view.stacks))


def as_band(seen: Any, strength: int) -> Any:
    is_unknown = seen.sp is None and not seen.alone
    return msgspec.structs.replace(seen, low=strength, high=strength) if is_unknown else seen


def show_tp(pos: Any, seen: Any) -> Any:
    return msgspec.structs.replace(seen, low=tp_of(pos, seen.key), high=tp_of(pos, seen.key))


def show_supply(pos: Any, view: Any) -> Any:
    return view.replace(units={n: msgspec.structs.replace(u, sp=pos.units[n].sp) for n, u in view.units.items()})


def show_juniors(pos: Any, seen: Any) -> Any:
    return msgspec.structs.replace(seen, hungry=len(pos.stacks[seen.key].leaders))


def too_much(event: type[Any], ruleset: type[Any]) -> Plant:
    return lambda patch: reveal_too_much(event, ruleset, patch)


def peeping(decision: type[Decision], strength: Callable[[Any, int], int]) -> Plant:
    """Forbid "done" to a side whose enemy has an odd strength."""

    def plant(patch: Patch) -> None:
        honest: Any = decision.script

        def script(self: Any, pos: Any, actor: int) -> Any:
            if strength(pos, actor) % 2:
                yield Slot("do", ("done",), lambda token: Refusal("O5.1", "they are too strong"))
            return (yield from honest(self, pos, as_side(actor)))

        patch.setattr(decision, "script", script)

    return plant


def strength_of_stacks(pos: Any, actor: int) -> int:
    return sum(stack.strength for stack in pos.own(1 - actor))


def strength_of_units(pos: Any, actor: int) -> int:
    return sum(unit.strength for n, unit in pos.units.items() if pos.side(n) != actor)


def no_reaction_without_troops(patch: Patch) -> None:
    patch.setattr(ReactionWindow, "actors", lambda self, pos: (self.side,) if self.able(pos) else ())


def force_the_only_action(patch: Patch) -> None:
    patch.setattr(frederick.Frederick, "forced", lambda self, pos, actor: self.legal_actions(pos, actor).only_action())


def load_the_die(patch: Patch) -> None:
    honest = frederick.Frederick.chances

    def chances(self: Any, state: Any) -> Any:
        return tuple((action, odds * Fraction(7, 6)) for action, odds in honest(self, state))

    patch.setattr(frederick.Frederick, "chances", chances)


def lose_a_field(patch: Patch) -> None:
    honest = frederick.Frederick.restore

    def restore(self: frederick.Frederick, text: bytes) -> Any:
        state = honest(self, text)
        return self.state_of({**{name: getattr(state, name) for name in FIELDS}, "spent": {}})

    patch.setattr(frederick.Frederick, "restore", restore)


def answer_first_of_all(patch: Patch) -> None:
    patch.setattr(frederick.Frederick, "neutral", lambda self, pos, actor: self.legal_actions(pos, actor).default())


show_strength = in_each_stack(lambda pos, seen: as_band(seen, pos.stacks[seen.key].strength))
show_wrong_band = in_each_stack(lambda pos, seen: as_band(seen, 1))
OF_VIEWS = (laws.a_sampled_state_has_the_same_view, laws.every_band_is_the_recorded_one)
OF_BANDS = (laws.every_band_contains_the_true_strength,)
OF_EVENTS = (laws.an_action_reveals_only_what_it_declares,)
OF_LEGALITY = (laws.legality_does_not_depend_on_hidden_facts,)
PLANTED: dict[str, tuple[str, Plant, Sequence[Law]]] = {
    "strength": ("frederick", leak(frederick, show_strength), OF_VIEWS),
    "juniors": ("frederick", leak(frederick, in_each_stack(show_juniors)), OF_VIEWS),
    "depots": ("frederick", leak(frederick, lambda pos, view: view.replace(rp=(len(pos.depots), 0))), OF_VIEWS),
    "sum of strengths": (
        "frederick",
        leak(frederick, lambda pos, view: view.replace(turn=sum(one.strength for one in pos.stacks.values()))),
        OF_VIEWS,
    ),
    "stacks marched": ("frederick", leak(frederick, lambda pos, view: view.replace(turn=len(pos.spent))), OF_VIEWS),
    "wrong band": ("frederick", leak(frederick, show_wrong_band), OF_VIEWS),
    "false band": ("frederick", leak(frederick, show_wrong_band), OF_BANDS),
    "marched": ("frederick", too_much(Marched, frederick.Frederick), OF_EVENTS),
    "halted": ("frederick", too_much(Halted, frederick.Frederick), OF_EVENTS),
    "legality": ("frederick", peeping(MarchPhase, strength_of_stacks), OF_LEGALITY),
    "forced": ("frederick", force_the_only_action, (laws.a_forced_answer_is_forced_in_every_world,)),
    "loaded die": ("frederick", load_the_die, (laws.probabilities_sum_to_one,)),
    "illegal default": (
        "frederick",
        lambda patch: patch.setattr(LegalSet, "default", lambda self: Besiege(Hex(0))),
        (laws.the_default_action_is_legal,),
    ),
    "lost field": ("frederick", lose_a_field, (laws.a_position_survives_its_dump,)),
    "neutral with an effect": ("frederick", answer_first_of_all, (laws.the_neutral_answer_changes_nothing,)),
    "hidden strength": ("campaigns", leak(campaigns, in_each_stack(show_tp)), OF_VIEWS),
    "hidden supply": ("campaigns", leak(campaigns, show_supply), OF_VIEWS),
    "hidden places": (
        "campaigns",
        leak(campaigns, lambda pos, view: view.replace(turn=sum(unit.hex for unit in pos.units.values()))),
        OF_VIEWS,
    ),
    "knowledge not updated": (
        "campaigns",
        lambda patch: patch.setattr(Draft, "update_knowledge", lambda draft: None),
        OF_BANDS,
    ),
    "moved": ("campaigns", too_much(Moved, campaigns.Campaigns), OF_EVENTS),
    "march ended": ("campaigns", too_much(MarchEnded, campaigns.Campaigns), OF_EVENTS),
    "legality of orders": ("campaigns", peeping(Orders, strength_of_units), OF_LEGALITY),
    "no reaction": ("campaigns", no_reaction_without_troops, (laws.every_world_has_the_same_pending_decisions,)),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_detected(name: str, monkeypatch: Patch) -> None:
    ruleset, plant, broken = PLANTED[name]
    plant(monkeypatch)
    assert any(breaks(law, islice(GAMES_WITH_FAULT[ruleset](), BEGINNING[ruleset])) for law in broken)


# --- the neutral answer -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RULESETS)
def test_every_decision_declares_its_neutral_answer(name: str) -> None:
    kinds = [kind for kind in decision_kinds(name) if kind.script is not Decision.script]
    assert len(kinds) > 20
    own = {kind: [base for base in kind.__mro__ if base.__module__ != Decision.__module__] for kind in kinds}
    undeclared = [
        kind.__name__ for kind in kinds if not any({"NEUTRAL", "neutral"} & {*vars(base)} for base in own[kind])
    ]
    assert undeclared == []


def typed(game: Any, state: Any, side: int, word: str) -> tuple[list[Any], str]:
    assert is_side(side)
    table = Table(game, state)
    typist = play_at_keyboard(table, word, people=(side,))
    return [step.action for step in table.log if step.actor == side], typist.screen.getvalue()


@pytest.mark.parametrize("name", RULESETS)
def test_done_gives_only_the_neutral_answer(name: str) -> None:
    refused = 0
    for seed in range(min(2, len(GAMES[name]))):
        for moment in islice(games.games(name, seed, often=RARE), 60):
            if moment.actor == CHANCE or moment.game.pending(moment.state)[0].actor != moment.actor:
                continue
            neutral = moment.game.neutral(moment.state, moment.actor)
            actions, text = typed(moment.game, moment.state, moment.actor, "done")
            assert actions[:1] == ([neutral] if neutral is not None else [])
            assert ("choose an order" in text) == (neutral is None)
            refused += neutral is None
    assert refused > 0
