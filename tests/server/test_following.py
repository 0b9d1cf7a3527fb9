from random import Random
from typing import Any

import pytest

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import ActorId, Side, as_side, is_side
from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.server.session import proposals
from leuthen.server.session.history import GameHistory, GameTransaction, setting_of
from leuthen.server.session.messages import Fault
from leuthen.server.session.proposals import order_then_halt
from leuthen.wargame.board import names_in
from mapmaking.cartography import read
from mapmaking.make import OUTPUT
from tests.server.test_history import new_history

DIE_A_FORCE = ("frederick", {"last-year": "1757", "march-die": "force"})
WARS = [("frederick", {"last-year": "1757"}), ("campaigns", {})]


def find_march(history: GameHistory, rng: Random) -> tuple[Side, Action] | None:
    rules, state = history.ruleset, history.table.state
    side = min(pending.actor for pending in rules.pending(state))
    if not is_side(side) or not {"march", "go"} & set(rules.legal_actions(state, side).options().values):
        return None
    found = (rules.legal_actions(state, side).sample(rng) for _ in range(20))
    return next(((side, action) for action in found if str(action.__struct_config__.tag) in ("march", "go")), None)


def try_order(history: GameHistory, side: Side, action: Action, halt: str, state: Any = None) -> GameTransaction:
    transaction = GameTransaction(history)
    if state is not None:
        transaction.table.commit()
        transaction.table.state = state
    text = history.ruleset.format_action(transaction.table.state, side, action)
    order_then_halt(transaction, side, text, halt, DICE)
    transaction.proceed(DICE)
    return transaction


def texts(transaction: GameTransaction) -> list[str]:
    return [text for _, text in transaction.lines]


@pytest.mark.parametrize(("name", "options"), [*WARS, DIE_A_FORCE])
def test_a_halt_follows_its_march_if_nothing_intervenes(name: str, options: dict[str, str]) -> None:
    history, rng = start_history(name, options, 3, 4), Random(5)
    given, asked = 0, 0
    while min(given, asked) < 3:
        found = find_march(history, rng)
        if found is not None:
            side, action = found
            alone, both = try_order(history, side, action, ""), try_order(history, side, action, "halt")
            assert texts(both)[: len(alone.lines)] == texts(alone)
            if texts(both)[len(alone.lines) :][:1] == ["halt"]:
                assert len(alone.lines) == 1
                if both.table.can_undo(side):
                    for _ in range(2):
                        both.undo(side)
                    assert both.table.state == history.table.state
                given += 1
            else:
                assert texts(both) == texts(alone)
                asked += 1
        order(history, rng)


@pytest.mark.parametrize(("name", "options"), WARS)
def test_only_an_idle_order_follows_a_march(name: str, options: dict[str, str]) -> None:
    history, rng, tried = start_history(name, options, 3, 4), Random(7), 0
    while tried < 3:
        found = find_march(history, rng)
        if found is not None:
            side, action = found
            alone = try_order(history, side, action, "")
            rules, table = history.ruleset, alone.table
            if any(asked.actor == side for asked in rules.pending(table.state)):
                more = (rules.legal_actions(table.state, side).sample(rng) for _ in range(20))
                then = next((one for one in more if not one.IDLE), None)
                for text in ["nonsense", *([rules.format_action(table.state, side, then)] if then else [])]:
                    assert texts(try_order(history, side, action, text)) == texts(alone)
                tried += then is not None
        order(history, rng)


@pytest.mark.parametrize(("name", "options"), [WARS[0], ("campaigns", {"hidden": "yes"})])
def test_the_following_halt_depends_only_on_the_view(name: str, options: dict[str, str]) -> None:
    history, rng, compared = start_history(name, options, 3, 4), Random(5), 0
    while compared < 20:
        found = find_march(history, rng)
        if found is not None:
            side, action = found
            rules = history.ruleset
            world = rules.sample_state(rules.view(history.table.state, side), rng)
            here, there = (try_order(history, side, action, "", state) for state in (None, world))
            if here.entries(side) == there.entries(side):
                after = [try_order(history, side, action, "halt", state) for state in (None, world)]
                assert texts(after[0]).count("halt") == texts(after[1]).count("halt")
                compared += 1
        order(history, rng)


DICE = Key.from_seed("going on").dice()
DEFAULT_SHARE = 0.6
SCOPES = ("phase", "turn", "event")


def start_history(name: str, options: dict[str, str], seed: int, actions: int) -> GameHistory:
    history, rng = new_history(load(name), options), Random(seed)
    for _ in range(actions):
        order(history, rng)
    return history


def order(history: GameHistory, rng: Random) -> GameTransaction:
    transaction, rules, state = GameTransaction(history), history.ruleset, history.table.state
    side = min(pending.actor for pending in rules.pending(state))
    if is_side(side):
        legal = rules.legal_actions(state, side)
        action = legal.default() if rng.random() < DEFAULT_SHARE else legal.sample(rng)
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
    raise AssertionError("no action was forced")


def test_an_undo_includes_the_forced_actions() -> None:
    history = start_history("campaigns", {}, 1, 1)
    rng, seen = Random(2), list[Any]()

    class WatchingRandom(Random):
        def random(self) -> float:
            seen[:] = [history.table.state]
            return rng.random()

    transaction = forced_orders(history, WatchingRandom())
    side, before = as_side(transaction.lines[0].actor), seen[0]
    assert history.ruleset.pending(history.table.state)
    assert all(news.entries for news in transaction.notifications[side])
    undoing = GameTransaction(history)
    undoing.undo(side)
    undoing.proceed(DICE)
    history.accept(undoing)
    assert [text for _, text in undoing.lines] == ["undo"] * len(transaction.lines)
    assert history.table.state == before


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize(("name", "options"), [("frederick", {"last-year": "1756"}), ("campaigns", {})])
def test_skipping_gives_only_neutral_orders_until_its_end(
    name: str, options: dict[str, str], scope: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    give = GameTransaction.give

    def give_neutral(transaction: GameTransaction, actor: ActorId, action: Action) -> None:
        if is_side(actor) and transaction.table.ruleset.forced(transaction.table.state, actor) is None:
            assert action == transaction.table.ruleset.neutral(transaction.table.visible_state(actor), actor)
        give(transaction, actor, action)

    history, rng, times = start_history(name, options, 3, 4), Random(5), 0
    while times < 12 and history.outcome is None:
        rules, state = history.ruleset, history.table.state
        side = as_side(min(pending.actor for pending in rules.pending(state)))
        transaction = GameTransaction(history)
        if not is_idle_possible(history, side):
            with pytest.raises(Fault, match="Decide first"):
                proposals.pass_until(transaction, side, scope, DICE)
            order(history, rng)
            continue
        start, log = proposals.mark_of(history.table, side, scope), len(history.table.log)
        with monkeypatch.context() as patch:
            patch.setattr(GameTransaction, "give", give_neutral)
            proposals.pass_until(transaction, side, scope, DICE)
        history.accept(transaction)
        assert all(counted.action.IDLE for counted in history.table.log[log:] if counted.actor == side)
        assert is_over(history, transaction, side, scope) or proposals.mark_of(history.table, side, scope) != start
        times += 1


def is_over(history: GameHistory, transaction: GameTransaction, side: Side, scope: str) -> bool:
    rules, state = history.ruleset, history.table.state
    if history.outcome is not None or side not in [pending.actor for pending in rules.pending(state)]:
        return True
    happened = any(proposals.stops(side, scope, entry) for entry in transaction.entries(side))
    return happened or not is_idle_possible(history, side)


def is_idle_possible(history: GameHistory, side: Side) -> bool:
    neutral = history.ruleset.neutral(history.table.state, side)
    return neutral is not None and neutral.IDLE


def skip_theatres(history: GameHistory, side: Side, theatres: tuple[str, ...]) -> GameTransaction:
    transaction = GameTransaction(history)
    proposals.pass_until(transaction, side, proposals.THEATRE, DICE, theatres)
    return transaction


@pytest.mark.parametrize(("name", "options"), [("frederick", {"last-year": "1756"}), ("campaigns", {})])
def test_skipping_a_theatre_leaves_other_decisions_pending(name: str, options: dict[str, str]) -> None:
    history, rng = start_history(name, options, 3, 4), Random(5)
    answered, waited = 0, 0
    while min(answered, waited) < 6 and history.outcome is None:
        rules, table = history.ruleset, history.table
        side = as_side(min(pending.actor for pending in rules.pending(table.state)))
        if not is_idle_possible(history, side):
            order(history, rng)
            continue
        cards = [card.name for card in setting_of(rules).theatres]
        areas = {card.name: set(names_in(card.rows)) for card in setting_of(rules).theatres}
        own = [one for one in cards if proposals.is_within(table, side, areas[one])]
        others = tuple(one for one in cards if one not in own)
        if not own:
            assert not skip_theatres(history, side, (cards[0],)).lines
            order(history, rng)
            waited += 1
            continue
        assert not skip_theatres(history, side, others).lines
        start, log, transaction = (
            proposals.mark_of(table, side, "turn"),
            len(table.log),
            skip_theatres(history, side, tuple(own)),
        )
        assert transaction.lines
        history.accept(transaction)
        assert all(counted.action.IDLE for counted in history.table.log[log:] if counted.actor == side)
        is_new = proposals.mark_of(history.table, side, "turn") != start
        ended = is_new or is_over(history, transaction, side, "theatre")
        assert ended or not proposals.is_within(history.table, side, areas[own[0]])
        answered += 1
    assert min(answered, waited) >= 6


@pytest.mark.parametrize("theatres", [(), ("Silesia", "the Moon")])
def test_an_unknown_theatre_is_refused(theatres: tuple[str, ...]) -> None:
    history = start_history("campaigns", {}, 3, 4)
    with pytest.raises(Fault, match="No such theatre"):
        skip_theatres(history, 0, theatres)


@pytest.mark.parametrize("name", ["frederick", "campaigns"])
def test_each_hex_in_play_belongs_to_one_theatre(name: str) -> None:
    places = [place for card in setting_of(load(name)).theatres for place in names_in(card.rows)]
    hexes = read(OUTPUT).hexes.items()
    assert sorted(places) == sorted(here for here, row in hexes if row["territory"] not in ("", "off"))
