from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from leuthen.engine.codec import digest_of
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, SIDES, VIEWERS, ViewerId, as_side, is_side
from leuthen.load import ruleset
from leuthen.play.dice import Dice, Key
from leuthen.screen.presenter import TableRuleset
from leuthen.server.session.history import GameHistory, GameTransaction
from tests.campaigns.positions import position
from tests.toy import Toy

INSTRUCTIONS: tuple[list[str], ...] = (
    ["hold", "losses", "feed always"],
    ["ignore of 0-10"],
    ["join always", "share"],
    [],
)


def new_course(rules: TableRuleset, options: dict[str, str]) -> GameHistory:
    scenario = next(iter(rules.scenarios))
    return GameHistory(rules, rules.new_game(scenario, options))


def play(history: GameHistory, seed: int, actions: int) -> list[dict[ViewerId, int]]:
    rng, dice = Random(seed), Key.from_seed("course", seed).dice()
    numbers = []
    for _ in range(actions):
        if history.outcome is not None:
            break
        transaction = GameTransaction(history)
        step(history, transaction, rng, dice)
        expected = {viewer: transaction.n(viewer) for viewer in VIEWERS}
        history.accept(transaction)
        assert {viewer: history.logs[viewer].n for viewer in VIEWERS} == expected
        numbers.append(expected)
    return numbers


def step(history: GameHistory, transaction: GameTransaction, rng: Random, dice: Dice) -> None:
    rules, table = history.ruleset, history.table
    side = rng.choice([pending.actor for pending in rules.pending(table.state) if pending.actor != CHANCE] or [CHANCE])
    owner = side if is_side(side) else 0
    undoers = [other for other in SIDES if table.can_undo(other)]
    answers = [(other, table.instructed(other)) for other in SIDES]
    said = next(((other, answer) for other, answer in answers if answer is not None), None)
    if said is not None:
        transaction.stand_in(*said)
    elif rules.standing is not None and rng.random() < 0.1:
        transaction.say(owner, f"standing {table.words_for(owner, rng.choice(INSTRUCTIONS))}")
    elif undoers and rng.random() < 0.2:
        transaction.say(rng.choice(undoers), "undo")
    elif len(table.log) > 3 and rng.random() < 0.03:
        transaction.say(as_side(rng.randrange(2)), f"take-back {rng.randrange(len(table.log) - 3, len(table.log))}")
    elif side != CHANCE:
        action = rules.legal_actions(table.state, side).sample(rng)
        transaction.act(side, rules.format_action(table.state, side, action))
    transaction.proceed(dice)


def all_of(history: GameHistory) -> Any:
    rules = history.ruleset
    return (
        digest_of(rules, history.table.state),
        history.outcome,
        history.turns,
        history.counting,
        history.open,
        [len(history.table.log), list(history.table.drafts)],
        {viewer: (log.news, log.lines) for viewer, log in history.logs.items()},
        [rules.view(history.position(viewer), viewer) for viewer in VIEWERS],
    )


def again(history: GameHistory, rules: TableRuleset, options: dict[str, str]) -> GameHistory:
    twin = new_course(rules, options)
    for line in history.record:
        transaction = GameTransaction(twin)
        transaction.say(*line)
        twin.accept(transaction)
    return twin


@pytest.mark.parametrize("seed", range(20))
def test_played_again_everybody_was_told_the_same(toy: Toy, seed: int) -> None:
    history = new_course(toy, {"rounds": "5"})
    play(history, seed, 60)
    twin = again(history, toy, {"rounds": "5"})
    assert all_of(twin) == all_of(history)


@pytest.mark.parametrize(
    ("name", "options", "actions"),
    [("frederick", {"last-year": "1756"}, 400), ("campaigns", {}, 150), ("campaigns", {"hidden": "yes"}, 60)],
)
def test_a_campaign_played_again_is_the_same(name: str, options: dict[str, str], actions: int) -> None:
    rules = ruleset(name)
    history = new_course(rules, options)
    play(history, 7, actions)
    twin = again(history, rules, options)
    assert digest_of(rules, twin.table.state) == digest_of(rules, history.table.state)
    assert (twin.turns, twin.counting, twin.open) == (history.turns, history.counting, history.open)
    assert twin.table.instructions == history.table.instructions
    for viewer in VIEWERS:
        assert twin.logs[viewer].news == history.logs[viewer].news
        assert twin.logs[viewer].lines == history.logs[viewer].lines


@pytest.mark.parametrize("seed", range(5))
def test_every_position_is_found_again(toy: Toy, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leuthen.server.session.history.CHECKPOINT", 7)
    history = new_course(toy, {"rounds": "5"})
    states = {-1: history.table.state}
    rng, dice = Random(seed), Key.from_seed(seed).dice()
    while history.outcome is None:
        transaction = GameTransaction(history)
        step(history, transaction, rng, dice)
        history.accept(transaction)
        states[len(history.record) - 1] = history.table.state
    assert len(history.record) > 21
    for line, state in states.items():
        assert history.at(line).state == state
    assert history.table.state == states[len(history.record) - 1], "looking back changes nothing"


def test_what_was_tried_and_not_accepted_changes_nothing(toy: Toy) -> None:
    history = new_course(toy, {"rounds": "5"})
    play(history, 1, 12)
    before = all_of(history)
    for seed in range(10):
        transaction = GameTransaction(history)
        step(history, transaction, Random(seed), Key.from_seed(seed).dice())
        assert all_of(history) == before
    with pytest.raises(Invalid):
        GameTransaction(history).act(0, "dance")
    assert all_of(history) == before


def test_numbers_never_go_back_and_are_the_viewers_own(toy: Toy) -> None:
    history = new_course(toy, {"rounds": "5"})
    numbers = play(history, 3, 60)
    for viewer in VIEWERS:
        own = [n[viewer] for n in numbers]
        assert own == sorted(own)
        assert [notification.n for notification in history.logs[viewer].news] == list(range(own[-1] + 1))
    assert len(set(numbers[-1].values())) > 1, "each counts for himself"


def test_a_draft_gives_nobody_else_a_number(toy: Toy) -> None:
    history = new_course(toy, {"rounds": "1"})
    for side in SIDES:
        transaction = GameTransaction(history)
        transaction.act(side, "bid 1")
        transaction.proceed(Key.from_seed(1).dice())
        history.accept(transaction)
    before = {viewer: history.logs[viewer].n for viewer in VIEWERS}
    transaction = GameTransaction(history)
    transaction.act(0, "step north 1")
    history.accept(transaction)
    after = {viewer: history.logs[viewer].n for viewer in VIEWERS}
    assert after == {**before, 0: before[0] + 1}
    assert not any(history.is_stirred(viewer) for viewer in VIEWERS[1:3])


def test_what_begins_a_turn_stands_in_it() -> None:
    rules = ruleset("campaigns")
    history, dice = new_course(rules, {}), Key.from_seed("turns", 1).dice()
    while len(history.turns) < 3:
        transaction = GameTransaction(history)
        state = transaction.table.state
        side = as_side(rules.pending(state)[0].actor)
        transaction.act(side, rules.format_action(state, side, rules.legal_actions(state, side).default()))
        transaction.proceed(dice)
        history.accept(transaction)
    for viewer in VIEWERS:
        lines = history.logs[viewer].lines
        begun = [at for at, line in enumerate(lines) if getattr(line.what, "BEGINS_TURN", False)]
        assert [(lines[at - 1].turn, lines[at].turn, lines[at + 1].turn) for at in begun] == [(0, 1, 1), (1, 2, 2)]


def course_from(*given: str) -> GameHistory:
    return GameHistory(ruleset("campaigns"), position(*given))


def accepted(history: GameHistory, try_it: Callable[[GameTransaction], None]) -> GameHistory:
    transaction = GameTransaction(history)
    try_it(transaction)
    history.accept(transaction)
    return history


def test_a_turn_that_a_draft_has_begun_is_known_to_nobody_else() -> None:
    prisoners = ("prisoners prussia 3 Austria", "prisoners coalition 3 Prussia")
    history = course_from("option rules=base", "step I", "Frederick 1821 20", "Keith 1821 10", *prisoners)
    accepted(history, lambda transaction: transaction.act(0, "done"))
    assert history.table.can_undo(0)
    assert [len(history.turns_of(viewer)) for viewer in VIEWERS] == [2, 1, 1, 1]
    accepted(history, lambda transaction: transaction.act(0, "done"))
    assert not history.table.can_undo(0)
    assert [len(history.turns_of(viewer)) for viewer in VIEWERS] == [2, 2, 2, 2]


def test_who_looks_back_to_where_his_instruction_stopped_sees_no_draft_of_others() -> None:
    history = course_from("first", "chit prussia-3", "cup coalition-2", "Keith 1821 20", "Daun 3041 20")
    accepted(history, lambda transaction: transaction.say(1, "standing hold other"))
    accepted(history, lambda transaction: transaction.act(0, "march Keith 1821-1822"))
    assert history.table.can_undo(0)
    accepted(history, lambda transaction: transaction.say(1, "standing stop a surprise"))
    line = history.logs[1].news[-1].line
    at = history.at(line)
    assert history.as_told(at, line, 1) == history.position(1) == history.at(-1).state
    assert history.as_told(at, line, 0) == history.table.state
