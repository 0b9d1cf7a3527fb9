from random import Random
from typing import Any

import pytest

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import ActorId, Side, as_side, is_side
from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.server.session import proposals
from leuthen.server.session.history import GameHistory, GameTransaction, setting_of
from leuthen.server.session.problems import Fault
from leuthen.wargame.board import names_in
from mapmaking.cartography import read
from mapmaking.make import OUTPUT
from tests.server.test_history import new_course

DICE = Key.from_seed("going on").dice()
CALM = 0.6
SCOPES = ("phase", "turn", "event")


def begun(name: str, options: dict[str, str], seed: int, actions: int) -> GameHistory:
    history, rng = new_course(load(name), options), Random(seed)
    for _ in range(actions):
        order(history, rng)
    return history


def order(history: GameHistory, rng: Random) -> GameTransaction:
    transaction, rules, state = GameTransaction(history), history.ruleset, history.table.state
    side = min(pending.actor for pending in rules.pending(state))
    if is_side(side):
        legal = rules.legal_actions(state, side)
        action = legal.default() if rng.random() < CALM else legal.sample(rng)
        transaction.act(side, rules.format_action(state, side, action))
    transaction.proceed(DICE)
    history.accept(transaction)
    return transaction


def forced_orders(history: GameHistory, rng: Random, most: int = 400) -> GameTransaction:
    for _ in range(most):
        transaction = order(history, rng)
        sides = [actor for actor, _ in transaction.lines]
        if len(sides) > 1 and len(set(sides)) == 1 and history.table.can_undo(sides[0]):
            return transaction
    raise AssertionError("nothing was answered by itself")


def test_a_forced_answer_is_given_told_and_taken_back_with_what_was_chosen() -> None:
    history = begun("campaigns", {}, 1, 1)
    rng, seen = Random(2), list[Any]()

    class Seen(Random):
        def random(self) -> float:
            seen[:] = [history.table.state]
            return rng.random()

    transaction = forced_orders(history, Seen())
    side, before = as_side(transaction.lines[0].actor), seen[0]
    assert history.ruleset.pending(history.table.state)
    assert all(news.told for news in transaction.notifications[side])
    undoing = GameTransaction(history)
    undoing.undo(side)
    undoing.proceed(DICE)
    history.accept(undoing)
    assert [text for _, text in undoing.lines] == ["undo"] * len(transaction.lines)
    assert history.table.state == before


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize(("name", "options"), [("frederick", {"last-year": "1756"}), ("campaigns", {})])
def test_going_on_leaves_everything_as_it_is_until_it_ends(
    name: str, options: dict[str, str], scope: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    give = GameTransaction.give

    def checked(transaction: GameTransaction, actor: ActorId, action: Action) -> None:
        if is_side(actor) and transaction.table.ruleset.forced(transaction.table.state, actor) is None:
            assert action == transaction.table.ruleset.neutral(transaction.table.seen_by(actor), actor)
        give(transaction, actor, action)

    history, rng, times = begun(name, options, 3, 4), Random(5), 0
    while times < 12 and history.outcome is None:
        rules, state = history.ruleset, history.table.state
        side = as_side(min(pending.actor for pending in rules.pending(state)))
        mark, transaction = proposals.MARKS[scope], GameTransaction(history)
        if not is_left(history, side):
            with pytest.raises(Fault, match="something to decide"):
                proposals.go_on(transaction, side, scope, DICE)
            order(history, rng)
            continue
        start, log = mark(history.table, side), len(history.table.log)
        with monkeypatch.context() as watching:
            watching.setattr(GameTransaction, "give", checked)
            proposals.go_on(transaction, side, scope, DICE)
        history.accept(transaction)
        assert all(counted.action.IDLE for counted in history.table.log[log:] if counted.actor == side)
        assert is_over(history, transaction, side, scope) or mark(history.table, side) != start
        times += 1


def is_over(history: GameHistory, transaction: GameTransaction, side: Side, scope: str) -> bool:
    rules, state = history.ruleset, history.table.state
    if history.outcome is not None or side not in [pending.actor for pending in rules.pending(state)]:
        return True
    happened = any(proposals.stops(side, scope, entry) for entry in transaction.told(side))
    return happened or not is_left(history, side)


def is_left(history: GameHistory, side: Side) -> bool:
    neutral = history.ruleset.neutral(history.table.state, side)
    return neutral is not None and neutral.IDLE


def leave(history: GameHistory, side: Side, theatres: tuple[str, ...]) -> GameTransaction:
    transaction = GameTransaction(history)
    proposals.go_on(transaction, side, proposals.THEATRE, DICE, theatres)
    return transaction


@pytest.mark.parametrize(("name", "options"), [("frederick", {"last-year": "1756"}), ("campaigns", {})])
def test_a_theatre_is_left_as_it_is_and_what_is_asked_elsewhere_waits(name: str, options: dict[str, str]) -> None:
    history, rng = begun(name, options, 3, 4), Random(5)
    answered, waited = 0, 0
    while min(answered, waited) < 6 and history.outcome is None:
        rules, table = history.ruleset, history.table
        side = as_side(min(pending.actor for pending in rules.pending(table.state)))
        if not is_left(history, side):
            order(history, rng)
            continue
        cards = [card.name for card in setting_of(rules).theatres]
        areas = {card.name: set(names_in(card.rows)) for card in setting_of(rules).theatres}
        own = [one for one in cards if proposals.is_within(table, side, areas[one])]
        others = tuple(one for one in cards if one not in own)
        if not own:
            assert not leave(history, side, (cards[0],)).lines
            order(history, rng)
            waited += 1
            continue
        assert not leave(history, side, others).lines
        start, log, transaction = proposals.MARKS["turn"](table, side), len(table.log), leave(history, side, tuple(own))
        assert transaction.lines
        history.accept(transaction)
        assert all(counted.action.IDLE for counted in history.table.log[log:] if counted.actor == side)
        ended = proposals.MARKS["turn"](history.table, side) != start or is_over(history, transaction, side, "theatre")
        assert ended or not proposals.is_within(history.table, side, areas[own[0]])
        answered += 1
    assert min(answered, waited) >= 6


@pytest.mark.parametrize("theatres", [(), ("Silesia", "the Moon")])
def test_a_theatre_that_the_game_does_not_have_is_refused(theatres: tuple[str, ...]) -> None:
    history = begun("campaigns", {}, 3, 4)
    with pytest.raises(Fault, match="No such theatre"):
        leave(history, 0, theatres)


@pytest.mark.parametrize("name", ["frederick", "campaigns"])
def test_every_hex_in_play_belongs_to_one_theatre(name: str) -> None:
    places = [place for card in setting_of(load(name)).theatres for place in names_in(card.rows)]
    hexes = read(OUTPUT).hexes.items()
    assert sorted(places) == sorted(here for here, row in hexes if row["territory"] not in ("", "off"))
