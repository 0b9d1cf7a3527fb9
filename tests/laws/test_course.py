from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest

from leuthen.engine.choice import LegalSet, Slot
from leuthen.engine.decision import Decision, refuse_with
from leuthen.engine.refusal import Illegal
from leuthen.engine.ruleset_base import RulesetBase
from leuthen.engine.state import DraftPosition
from leuthen.load import RULESETS, load
from leuthen.rulesets.campaigns.model.data import PRUSSIA
from leuthen.rulesets.campaigns.model.events import LossesTaken
from leuthen.rulesets.campaigns.model.pieces import GONE, UNUSED
from leuthen.rulesets.campaigns.model.state import Draft as CampaignsDraft
from leuthen.rulesets.campaigns.rules import r17_campaign as campaign
from leuthen.rulesets.campaigns.rules.r03_turn import GameTurn
from leuthen.rulesets.campaigns.rules.r09_supply import SupplyStep
from leuthen.rulesets.frederick.model.data import MINORS
from leuthen.rulesets.frederick.model.events import LeaderDrawn, LeaderFate, Starved
from leuthen.rulesets.frederick.model.state import Draft as FrederickDraft
from leuthen.rulesets.frederick.rules import c05_council
from leuthen.rulesets.frederick.rules.o10_supply import DepotPhase
from leuthen.wargame.board import Hex
from tests.laws import course
from tests.laws.course import LAWS, LEDGERS, Turn, decision_kinds
from tests.laws.games import GAMES, play
from tests.laws.interruptions import (
    DECISIONS,
    WITHOUT_POSITION,
    fault_after,
    played,
    positions,
    possible_events,
    sample_positions,
)

BEGINNING = {"frederick": 1200, "campaigns": 400}
WITHIN = {"frederick": 6000, "campaigns": 6000}
YEAR = {"frederick": ("campaign", {"last-year": "1757"}), "campaigns": ("1758", {"rules": "base"})}


def turns(name: str, seed: int, scenario: str, options: dict[str, str]) -> Iterator[Turn]:
    game = load(name)
    start = game.new_game(scenario, options)
    yield Turn(game, start, -1, None, (), start)
    for step in play(game, seed, scenario, options):
        yield Turn(game, step.state, step.pending.actor, step.action, step.transition.facts, step.transition.state)


def detects(law: Callable[[Turn], None], name: str) -> bool:
    for turn in islice(turns(name, 1, "campaign", {}), BEGINNING[name]):
        try:
            law(turn)
        except AssertionError:
            return True
    return False


def test_every_rule_set_has_a_ledger() -> None:
    assert set(LEDGERS) == set(GAMES) == set(RULESETS)


NAMING_FIELDS = {"power", "nation", "leader", "leaders", "unit", "stack", "wagon", "mover", "lead", "group"}


@pytest.mark.parametrize("name", LEDGERS)
def test_every_decision_that_names_pieces_has_a_check(name: str) -> None:
    naming = {kind for kind in decision_kinds(name) if NAMING_FIELDS & {*kind.__struct_fields__}}
    assert [kind.__name__ for kind in naming - set(LEDGERS[name].checks)] == []


@pytest.mark.parametrize(("name", "often"), [("frederick", 1000), ("campaigns", 1400)])
def test_random_play_ends_a_year(name: str, often: int) -> None:
    scenario, options = YEAR[name]
    for turn in islice(turns(name, 0, scenario, options), 100, None, often):
        number, rng = 0, Random(1)
        while pending := turn.game.pending(turn.after):
            turn, number = played(turn.game, turn.after, rng.choice(pending).actor, rng), number + 1
            assert number < WITHIN[name], f"pending is {pending}"


Patch = pytest.MonkeyPatch


def outcome_comes_before_the_end(patch: Patch) -> None:
    patch.setattr(RulesetBase, "outcome", lambda self, state: "over")


def decisions_have_no_answer(patch: Patch) -> None:
    def script(self: Any, pos: Any, actor: int) -> Any:
        yield Slot("do", (), refuse_with("O1.1", "nothing may be said"))

    for kind in (DepotPhase, SupplyStep):
        patch.setattr(kind, "script", script)
        patch.setattr(kind, "actors", lambda self, pos: (self.side,))


def empty_stacks_remain(patch: Patch) -> None:
    def keep(self: Any, stack: Any) -> None:
        honest(self, stack)
        self.stacks[stack.key] = msgspec.structs.replace(stack, sp=0, leaders=())

    honest = FrederickDraft.remove
    patch.setattr(FrederickDraft, "remove", keep)


def empty_garrisons_remain(patch: Patch) -> None:
    def keep(self: Any, here: Hex, tp: int) -> None:
        honest(self, here, tp)
        self.garrisons = {**self.garrisons, here: tp}

    honest = CampaignsDraft.set_garrison
    patch.setattr(CampaignsDraft, "set_garrison", keep)


def the_roster_is_not_updated(patch: Patch) -> None:
    for draft in (FrederickDraft, CampaignsDraft):
        patch.setattr(draft, "set_roster", lambda self, leader, status: None)


def events_are_missing(*events: type[Any]) -> Callable[[Patch], None]:

    def plant(patch: Patch) -> None:
        honest = DraftPosition.emit
        patch.setattr(DraftPosition, "emit", lambda self, event: isinstance(event, events) or honest(self, event))

    return plant


def a_leader_leaves_without_an_event(patch: Patch) -> None:
    def step(self: Any, draft: Any) -> None:
        draft.set_roster(draft.roster.index(UNUSED), GONE)
        honest(self, draft)

    honest = GameTurn.step
    patch.setattr(GameTurn, "step", step)


def the_dead_are_not_counted(patch: Patch) -> None:
    honest = CampaignsDraft.__setattr__
    patch.setattr(CampaignsDraft, "__setattr__", lambda self, name, value: name == "dead" or honest(self, name, value))


def neutral_powers_roll_for_commitment(patch: Patch) -> None:
    def step(self: Any, draft: Any) -> None:
        if self.done == len(MINORS):
            draft.pop()
            return
        draft.swap(c05_council.CommitmentPhase(self.done + 1))
        draft.push(c05_council.CommitmentRoll(MINORS[self.done]))

    patch.setattr(c05_council.CommitmentPhase, "step", step)


def an_ally_rolls_again(patch: Patch) -> None:
    patch.setattr(campaign.AllyTurn, "step", lambda self, draft: draft.swap(campaign.AllyRoll(PRUSSIA)))


PLANTED = (
    (course.decisions_are_pending_until_the_end, outcome_comes_before_the_end, ("frederick", "campaigns")),
    (course.every_pending_actor_has_an_answer, decisions_have_no_answer, ("frederick", "campaigns")),
    (course.every_piece_is_valid, empty_stacks_remain, ("frederick",)),
    (course.every_piece_is_valid, empty_garrisons_remain, ("campaigns",)),
    (course.every_leader_is_in_one_place, the_roster_is_not_updated, ("frederick", "campaigns")),
    (course.events_report_every_leader_change, events_are_missing(LeaderDrawn, LeaderFate), ("frederick",)),
    (course.events_report_every_leader_change, a_leader_leaves_without_an_event, ("campaigns",)),
    (course.events_report_every_strength_change, events_are_missing(Starved), ("frederick",)),
    (course.events_report_every_strength_change, events_are_missing(LossesTaken), ("campaigns",)),
    (course.the_dead_never_return, the_dead_are_not_counted, ("campaigns",)),
    (course.pending_decisions_name_existing_pieces, neutral_powers_roll_for_commitment, ("frederick",)),
    (course.pending_decisions_name_existing_pieces, an_ally_rolls_again, ("campaigns",)),
)


@pytest.mark.parametrize(
    ("law", "plant", "name"), [(law, plant, name) for law, plant, names in PLANTED for name in names]
)
def test_a_planted_fault_is_detected(
    law: Callable[[Turn], None], plant: Callable[[Patch], None], name: str, monkeypatch: Patch
) -> None:
    plant(monkeypatch)
    assert detects(law, name)


def test_sampling_ends_without_legal_actions() -> None:
    def script() -> Any:
        yield Slot("do", (), refuse_with("O1.1", "nothing may be said"))

    with pytest.raises(Illegal, match="nothing may be said"):
        LegalSet(script).sample(Random(0))


def test_each_law_detects_a_planted_fault() -> None:
    assert {law for law, _, _ in PLANTED} == set(LAWS)


POSITIONS = 1
ACTIONS = 5


@pytest.mark.parametrize(("name", "kind"), DECISIONS, ids=lambda one: getattr(one, "__name__", one))
def test_the_laws_hold_after_an_interruption(name: str, kind: type[Decision]) -> None:
    game = load(name)
    tried = {
        f"{event.word} of {event.power} {'during' if between else 'after'} position {number}": fault_after(
            game, state, event, number, ACTIONS, between=between
        )
        for number, state in enumerate(sample_positions(name, kind, POSITIONS))
        for event in possible_events(name, state)
        for between in (True, False)
    }
    assert not {which: fault for which, fault in tried.items() if fault}


@pytest.mark.parametrize("name", LEDGERS)
def test_every_kind_of_decision_has_a_position(name: str) -> None:
    missing = [kind.__name__ for ruleset, kind in DECISIONS if ruleset == name and not positions(name).get(kind)]
    assert not set(missing) - set(WITHOUT_POSITION), "no case asks for these, and no reason is given"
