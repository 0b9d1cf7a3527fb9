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
from leuthen.rulesets.campaigns.rules import r17_alliances as alliances
from leuthen.rulesets.campaigns.rules.r03_turn import GameTurn
from leuthen.rulesets.campaigns.rules.r09_steps import SupplyStep
from leuthen.rulesets.frederick.model.data import MINORS
from leuthen.rulesets.frederick.model.events import LeaderDrawn, LeaderFate, Starved
from leuthen.rulesets.frederick.model.state import Draft as FrederickDraft
from leuthen.rulesets.frederick.rules import c07_commitment
from leuthen.rulesets.frederick.rules.o10_supply import DepotPhase
from leuthen.wargame.board import Hex
from tests.laws import course
from tests.laws.course import LAWS, LEDGERS, Turn, broken
from tests.laws.games import GAMES, play
from tests.laws.interruptions import played

BEGINNING = {"frederick": 1200, "campaigns": 400}
WITHIN = {"frederick": 6000, "campaigns": 6000}
YEAR = {"frederick": ("campaign", {"last-year": "1757"}), "campaigns": ("1758", {"rules": "base"})}


def turns(name: str, seed: int, scenario: str, options: dict[str, str]) -> Iterator[Turn]:
    game = load(name)
    start = game.new_game(scenario, options)
    yield Turn(game, start, -1, None, (), start)
    for step in play(game, seed, scenario, options):
        yield Turn(game, step.state, step.pending.actor, step.action, step.transition.facts, step.transition.state)


def finds(law: Callable[[Turn], None], name: str) -> bool:
    for turn in islice(turns(name, 1, "campaign", {}), BEGINNING[name]):
        try:
            law(turn)
        except AssertionError:
            return True
    return False


@pytest.mark.parametrize("name", LEDGERS)
def test_no_law_finds_anything_where_nothing_is_planted(name: str) -> None:
    beginning = islice(turns(name, 1, "campaign", {}), BEGINNING[name])
    assert not any(fault := broken(turn, 0, every=1) for turn in beginning), fault


def test_every_rule_set_has_its_books() -> None:
    assert set(LEDGERS) == set(GAMES) == set(RULESETS)


def kinds(of: type[Decision]) -> Iterator[type[Decision]]:
    for kind in of.__subclasses__():
        if kind.__struct_config__.tag is not None and kind.__module__.split(".")[1] in LEDGERS:
            yield kind
        yield from kinds(kind)


def test_every_kind_of_decision_is_judged() -> None:
    judged = {kind for ledger in LEDGERS.values() for kind in ledger.judges}
    unknown = [kind.__name__ for kind in kinds(Decision) if kind not in judged and ".rules." in kind.__module__]
    assert not unknown, f"whom do these name? Say so in the books of the rule set: {unknown}"


@pytest.mark.parametrize(("name", "often"), [("frederick", 1000), ("campaigns", 1400)])
def test_random_play_ends_a_year_from_any_position(name: str, often: int) -> None:
    scenario, options = YEAR[name]
    for turn in islice(turns(name, 0, scenario, options), 100, None, often):
        number, rng = 0, Random(1)
        while asked := turn.game.pending(turn.after):
            turn, number = played(turn.game, turn.after, rng.choice(asked).actor, rng), number + 1
            assert number < WITHIN[name], f"asked is {asked}"


def test_a_dear_law_is_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(course, "LAWS", {seen.append: 3})
    turn = next(turns("frederick", 0, "campaign", {}))
    assert [broken(turn, number) for number in range(7)] == [""] * 7
    assert len(seen) == 3


Patch = pytest.MonkeyPatch


def the_game_is_over_and_goes_on(patch: Patch) -> None:
    patch.setattr(RulesetBase, "outcome", lambda self, state: "over")


def a_side_has_nothing_to_say(patch: Patch) -> None:
    def script(self: Any, pos: Any, actor: int) -> Any:
        yield Slot("do", (), refuse_with("O1.1", "nothing may be said"))

    for kind in (DepotPhase, SupplyStep):
        patch.setattr(kind, "script", script)
        patch.setattr(kind, "actors", lambda self, pos: (self.side,))


def stacks_stay_without_men(patch: Patch) -> None:
    def keep(self: Any, stack: Any) -> None:
        honest(self, stack)
        self.stacks[stack.key] = msgspec.structs.replace(stack, sp=0, leaders=())

    honest = FrederickDraft.remove
    patch.setattr(FrederickDraft, "remove", keep)


def garrisons_stay_without_men(patch: Patch) -> None:
    def keep(self: Any, here: Hex, tp: int) -> None:
        honest(self, here, tp)
        self.garrisons = {**self.garrisons, here: tp}

    honest = CampaignsDraft.set_garrison
    patch.setattr(CampaignsDraft, "set_garrison", keep)


def the_roster_is_not_kept(patch: Patch) -> None:
    for draft in (FrederickDraft, CampaignsDraft):
        patch.setattr(draft, "set_roster", lambda self, leader, status: None)


def silence_about(*events: type[Any]) -> Callable[[Patch], None]:

    def plant(patch: Patch) -> None:
        honest = DraftPosition.emit
        patch.setattr(DraftPosition, "emit", lambda self, event: isinstance(event, events) or honest(self, event))

    return plant


def leaders_are_struck_off_in_silence(patch: Patch) -> None:
    def step(self: Any, draft: Any) -> None:
        draft.set_roster(draft.roster.index(UNUSED), GONE)
        honest(self, draft)

    honest = GameTurn.step
    patch.setattr(GameTurn, "step", step)


def nobody_is_buried(patch: Patch) -> None:
    patch.setattr(CampaignsDraft, "add_dead", lambda self, tp: None)


def neutrals_commit_themselves(patch: Patch) -> None:
    def step(self: Any, draft: Any) -> None:
        if self.done == len(MINORS):
            draft.pop()
            return
        draft.swap(c07_commitment.CommitmentPhase(self.done + 1))
        draft.push(c07_commitment.CommitmentRoll(MINORS[self.done]))

    patch.setattr(c07_commitment.CommitmentPhase, "step", step)


def allies_roll_again(patch: Patch) -> None:
    patch.setattr(alliances.AllyTurn, "step", lambda self, draft: draft.swap(alliances.AllyRoll(PRUSSIA)))


PLANTED = (
    (course.somebody_is_asked_until_the_end, the_game_is_over_and_goes_on, ("frederick", "campaigns")),
    (course.who_is_asked_has_an_answer, a_side_has_nothing_to_say, ("frederick", "campaigns")),
    (course.nothing_stands_for_nobody, stacks_stay_without_men, ("frederick",)),
    (course.nothing_stands_for_nobody, garrisons_stay_without_men, ("campaigns",)),
    (course.every_leader_is_in_one_place, the_roster_is_not_kept, ("frederick", "campaigns")),
    (course.leaders_move_by_events, silence_about(LeaderDrawn, LeaderFate), ("frederick",)),
    (course.leaders_move_by_events, leaders_are_struck_off_in_silence, ("campaigns",)),
    (course.men_come_and_go_by_events, silence_about(Starved), ("frederick",)),
    (course.men_come_and_go_by_events, silence_about(LossesTaken), ("campaigns",)),
    (course.the_dead_stay_dead, nobody_is_buried, ("campaigns",)),
    (course.open_decisions_name_who_is_there, neutrals_commit_themselves, ("frederick",)),
    (course.open_decisions_name_who_is_there, allies_roll_again, ("campaigns",)),
)


@pytest.mark.parametrize(
    ("law", "plant", "name"), [(law, plant, name) for law, plant, names in PLANTED for name in names]
)
def test_a_planted_fault_is_found(
    law: Callable[[Turn], None], plant: Callable[[Patch], None], name: str, monkeypatch: Patch
) -> None:
    plant(monkeypatch)
    assert finds(law, name)


def test_a_question_without_an_answer_is_not_asked_for_ever() -> None:
    def script() -> Any:
        yield Slot("do", (), refuse_with("O1.1", "nothing may be said"))

    with pytest.raises(Illegal, match="nothing may be said"):
        LegalSet(script).sample(Random(0))


def test_each_law_has_found_a_fault() -> None:
    assert {law for law, _, _ in PLANTED} == set(LAWS)
