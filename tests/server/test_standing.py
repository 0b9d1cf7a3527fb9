import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import CHANCE, OTHER, WATCHER, SeatSide, Side, as_side
from leuthen.play.record import STANDING
from leuthen.rulesets.campaigns.standing.clauses import able
from leuthen.server.bots.drivers import BotDrivers
from leuthen.server.session.history import GameTransaction, RecordLine
from leuthen.server.session.streams import SeatView
from tests.laws.games import draw, warlike
from tests.prove.sample import EVERY
from tests.rows import rows
from tests.server.conftest import GameClients
from tests.server.harness import Answer, Servers, TestServer
from tests.server.twins import CAMPAIGN, Difference, Plan, Twins, World

PLAN = Plan("campaigns", "1757", {"rules": "einhorn"})
HIDDEN = Plan("campaigns", "1757", {"rules": "einhorn", "hidden": "yes"})
OWNER: Final = 1
PATIENCE = 60.0
ACTIONS = 45
SIGNED = 25
GAMES = 8
BEGIN = "Orders"


def instruct(world: World, side: SeatSide, lines: Sequence[str], key: str) -> Answer:
    client = world.clients[side]
    body = {"seen": world.n(side), "key": key, "clauses": list(lines)}
    return client.put("/standing", body)


def standing(world: World, side: Side) -> Any:
    client = world.clients[side]
    return client.get("/standing").json


def settle(world: World) -> None:
    end = time.monotonic() + PATIENCE
    while world.server.registry.drivers.is_busy(world.game):
        assert time.monotonic() < end
        time.sleep(0.001)


def aggressive_clauses(world: World, rng: Random) -> list[str]:
    names = [world.state.leader(number).name for number in able(world.state, as_side(OWNER))]
    leaders = rng.sample(names, min(4, len(names)))
    return [*(f"react {name} attack" for name in leaders), "concentrate yes", "break-off at 20", "losses", "hold other"]


def go_to(decision: str, *worlds: World) -> None:
    one = worlds[0]
    while (asked := one.session.ruleset.pending(one.state)[0]).decision != decision:
        least = one.session.ruleset.legal_actions(one.state, asked.actor).default()
        text = one.session.ruleset.format_action(one.state, asked.actor, least)
        key = f"go-{len(one.session.history.record):08}"
        assert all(world.order(asked.actor, text, key).status == 200 for world in worlds)
        settle(one)


def approaches(world: World) -> Iterator[str]:
    ruleset, state = world.session.ruleset, world.state
    for action in ruleset.legal_actions(state, OTHER[OWNER]):
        after = ruleset.apply(state, OTHER[OWNER], action).state
        if ruleset.pending(after)[0].decision == "Reaction":
            yield ruleset.format_action(state, OTHER[OWNER], action)


def approach(world: World) -> Answer:
    return world.order(OTHER[OWNER], next(approaches(world)), "approach-01")


def instructions(world: World) -> list[RecordLine]:
    return [line for line in world.session.history.record if line.text.startswith(f"{STANDING} ")]


class HandAndRuleTwins(Twins):
    def play(self, limit: int = 10_000) -> None:
        by_hand, by_rule = self.worlds
        self.answered = 0
        go_to(BEGIN, *self.worlds)
        while self.steps < limit and (asked := [p for p in self.ruleset.pending(by_rule.state) if p.actor != CHANCE]):
            self.steps += 1
            self.set_clocks()
            if not standing(by_rule, OWNER)["is_armed"]:
                given = instruct(by_rule, OWNER, aggressive_clauses(by_rule, self.rng), f"given-{self.steps:06}")
                assert given.status == 200, given.body
                settle(by_rule)
                self.follow()
                asked = [p for p in self.ruleset.pending(by_rule.state) if p.actor != CHANCE]
            self.order(asked[0].actor)
            assert by_hand.state == by_rule.state
            self.check(every=not self.steps % ACTIONS)

    def order(self, side: Side) -> None:
        by_rule = self.worlds[1]
        text = self.ruleset.format_action(by_rule.state, side, self.choose(by_rule.state, side))
        answers = [world.order(side, text, f"key-{self.steps:06}") for world in self.worlds]
        assert all(answer.status == 200 for answer in answers), answers
        if side == self.viewer:
            self.compare("the answer to his order", *answers)
        settle(by_rule)
        self.follow()

    def choose(self, state: Any, side: Side) -> Action:
        if side == OWNER:
            least: Action = self.ruleset.legal_actions(state, side).default()
            return least
        tried = (draw(self.ruleset, state, side, self.rng) for _ in range(3))
        return max(tried, key=lambda one: warlike(self.ruleset, state, side, one))

    def follow(self) -> None:
        by_hand, by_rule = self.worlds
        lines = [line for line in by_rule.session.history.record if not line.text.startswith(f"{STANDING} ")]
        while len(by_hand.session.history.record) < len(lines):
            line = lines[len(by_hand.session.history.record)]
            assert line.actor == OWNER
            self.answered += 1
            answer = by_hand.order(OWNER, line.text, f"hand-{self.answered:06}")
            assert answer.status == 200, answer.body
        assert list(by_hand.session.history.record) == lines


class StaffTwins(HandAndRuleTwins):
    def play(self, limit: int = 10_000) -> None:
        by_hand, by_staff = self.worlds
        self.answered = 0
        while self.steps < limit and (asked := [p for p in self.ruleset.pending(by_staff.state) if p.actor != CHANCE]):
            self.steps += 1
            self.set_clocks()
            sides = {pending.actor for pending in asked}
            if OWNER in sides:
                self.sign(by_staff)
                self.follow()
            if OTHER[OWNER] in {pending.actor for pending in self.ruleset.pending(by_staff.state)}:
                self.order(OTHER[OWNER])
            assert by_hand.state == by_staff.state
            self.check(every=self.steps == SIGNED)

    def sign(self, world: World) -> None:
        client = world.clients[OWNER]
        card = client.snapshot["staff"]
        signed = client.post("/staff/sign", {"seen": world.n(OWNER), "asks": card.get("asks", "")})
        assert signed.status == 200, signed.body
        settle(world)


@pytest.mark.parametrize(
    ("viewer", "plan"), [(OTHER[OWNER], HIDDEN), (OTHER[OWNER], CAMPAIGN), *([(WATCHER, PLAN)] if EVERY else [])]
)
def test_others_cannot_distinguish_a_staff_from_its_owner(servers: Servers, viewer: SeatSide, plan: Plan) -> None:
    with closing(StaffTwins(servers, viewer, 3, plan)) as signing:
        signing.play(SIGNED)
    assert signing.answered > 5


@pytest.mark.parametrize(("viewer", "plan"), [(OTHER[OWNER], HIDDEN), (WATCHER, PLAN)])
def test_others_cannot_distinguish_an_instruction_from_orders(servers: Servers, viewer: SeatSide, plan: Plan) -> None:
    words: list[str] = []
    for seed in range(GAMES):  # the server makes the dice, so that an instruction may stop in none of a war's answers
        with closing(HandAndRuleTwins(servers, viewer, seed, plan)) as hands:
            hands.play(ACTIONS)
            words += [line.text.split()[1] for line in instructions(hands.worlds[1])]
        if hands.answered > 2 and "stop" in words:
            return
    raise AssertionError(words)


def stops_are_announced(patch: pytest.MonkeyPatch) -> None:
    plain = GameTransaction.say

    def say(transaction: GameTransaction, side: Side, text: str) -> None:
        plain(transaction, side, text)
        if text.startswith("standing stop"):
            transaction.notifications[OTHER[side]].append(transaction.notifications[side][-1])

    patch.setattr(GameTransaction, "say", say)


def instructions_are_shown(patch: pytest.MonkeyPatch) -> None:
    plain = SeatView.standing
    patch.setattr(SeatView, "standing", lambda seat_view, side: plain(seat_view, OWNER))


def plans_are_shown(patch: pytest.MonkeyPatch) -> None:
    plain = SeatView.staff
    patch.setattr(SeatView, "staff", lambda seat_view, side: plain(seat_view, OWNER))


LEAKS = (
    (stops_are_announced, HandAndRuleTwins),
    (instructions_are_shown, HandAndRuleTwins),
    (plans_are_shown, StaffTwins),
)


@pytest.mark.parametrize(("leak", "twins"), LEAKS, ids=[leak.__name__ for leak, _ in LEAKS])
def test_a_planted_leak_is_detected(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, leak: Any, twins: type[HandAndRuleTwins]
) -> None:
    leak(monkeypatch)
    with pytest.raises(Difference):
        search(servers, twins)


def search(servers: Servers, twins: type[HandAndRuleTwins]) -> None:
    for seed in range(1, GAMES + 1):
        with closing(twins(servers, OTHER[OWNER], seed, PLAN)) as hands:
            hands.play(ACTIONS)


@pytest.fixture
def new_world(tmp_path: Path) -> Iterator[Callable[[], World]]:
    servers: list[TestServer] = []
    worlds: list[World] = []

    def make() -> World:
        for server in servers:
            server.stop()
        servers[:] = [TestServer(tmp_path / "games")]
        servers[0].start()
        worlds[:] = [worlds[0].move_to(servers[0]) if worlds else World(servers[0], PLAN, "standing")]
        return worlds[0]

    yield make
    for world in worlds:
        world.close()
    for server in servers:
        server.stop()


def advance_to_march(world: World) -> World:
    go_to(BEGIN, world)
    while (side := world.session.ruleset.pending(world.state)[0].actor) == OWNER or not any(approaches(world)):
        assert world.order(side, "done", f"done-{len(world.session.history.record):06}").status == 200
        go_to(BEGIN, world)
    return world


def test_an_instruction_can_be_set_shown_and_cancelled(new_world: Callable[[], World]) -> None:
    world = new_world()
    assert standing(world, OWNER) == {"clauses": [], "is_armed": False, "stopped": ""}
    for _ in range(2):  # the second is the same request again
        assert instruct(world, OWNER, ["hold", "feed always"], "given-001").json["n"] == 0
    card = standing(world, OWNER)
    assert [clause["text"] for clause in card["clauses"]] == ["feed always", "hold other"]
    assert card["clauses"][0]["label"] == "Forces in need are fed where they could be (R9.7)"
    assert card["is_armed"]
    client = world.clients[OWNER]
    assert client.snapshot["standing"] == card
    assert f"coalition {STANDING} feed always; hold other" in client.get("/record").body.decode()
    assert instruct(world, OWNER, [], "given-002").status == 200
    assert standing(world, OWNER)["clauses"] == []
    assert [line.text for line in instructions(world)] == [f"{STANDING} feed always; hold other", f"{STANDING} off"]


@pytest.mark.parametrize(
    ("lines", "status", "words"), [*rows("standing-clauses-refused"), (["hold"] * 41, 400, ""), (["x" * 301], 400, "")]
)
def test_an_invalid_clause_is_refused_and_changes_nothing(
    new_world: Callable[[], World], lines: list[str], status: int, words: str
) -> None:
    world = new_world()
    instruct(world, OWNER, ["feed always"], "given-001")
    before = standing(world, OWNER)
    answer = instruct(world, OWNER, lines, "given-002")
    assert answer.status == status, answer.body
    assert words in answer.json["detail"]
    assert standing(world, OWNER) == before
    assert len(instructions(world)) == 1


def test_a_form_yields_a_clause(new_world: Callable[[], World]) -> None:
    world = new_world()
    client = world.clients[OWNER]
    partial_order = {"do": "react", "at": "1125", "way": "attack", "most": "40"}
    form = client.post("/standing/form", {"partial_order": partial_order}).json
    assert form["order"].endswith("attack of 0-40 odds 50")
    assert "of at most 40 TP to attack, if he wins 50 % of the time (R7)" in form["summary"][0]
    assert instruct(world, OWNER, [form["order"]], "given-001").status == 200
    far = client.post("/standing/form", {"partial_order": {**partial_order, "hexes.0": "2004"}}).json
    assert [reason["rule"] for reason in far["refused"]] == ["R7.1"]


def test_an_instruction_answers_after_a_restart(
    new_world: Callable[[], World], monkeypatch: pytest.MonkeyPatch
) -> None:
    world = advance_to_march(new_world())
    assert instruct(world, OWNER, ["hold"], "given-001").status == 200
    with monkeypatch.context() as patch:
        patch.setattr(BotDrivers, "wake", lambda drivers, session: None)
        world.session.on_change = lambda session: None
        assert approach(world).status == 200
        assert world.session.is_asked(OWNER)
    again = new_world()
    assert standing(again, OWNER)["is_armed"]
    settle(again)
    assert again.session.history.record[-1] == (OWNER, "hold")
    assert not again.session.is_asked(OWNER)


def test_a_surprise_stops_an_instruction_and_asks_the_owner(new_world: Callable[[], World]) -> None:
    world = advance_to_march(new_world())
    assert instruct(world, OWNER, ["feed always"], "given-001").status == 200
    n = world.n(OTHER[OWNER])
    assert approach(world).status == 200
    settle(world)
    card = standing(world, OWNER)
    assert not card["is_armed"]
    assert card["stopped"].endswith("no clause is about that (R7.1)")
    assert world.session.is_asked(OWNER)
    assert world.n(OTHER[OWNER]) == n + 1
    client = world.clients[OWNER]
    lines = client.get("/chronicle").json["lines"]
    assert lines[-1]["entry"]["text"] == f"Your standing instructions have stopped: {card['stopped']}"
    assert instruct(world, OWNER, ["hold"], "given-002").status == 200
    settle(world)
    assert not world.session.is_asked(OWNER)


def test_a_takeback_stops_an_instruction(new_world: Callable[[], World]) -> None:
    world = advance_to_march(new_world())
    instruct(world, OWNER, ["hold"], "given-001")
    assert approach(world).status == 200
    settle(world)
    asks, grants = world.clients[OTHER[OWNER]], world.clients[OWNER]
    body = {"seen": world.n(OTHER[OWNER]), "key": "takeback-1", "do": "ask-takeback", "to": world.n(OTHER[OWNER])}
    assert asks.post("/moves", body).status == 200
    assert standing(world, OWNER)["is_armed"]
    body = {"seen": world.n(OWNER), "key": "takeback-2", "do": "accept"}
    assert grants.post("/moves", body).status == 200
    assert standing(world, OWNER)["stopped"] == "a takeback was granted"
    assert not standing(new_world(), OWNER)["is_armed"]


def test_a_rule_set_may_have_no_standing_instructions(game: GameClients) -> None:
    client = game.prussia
    assert client.snapshot["standing"] is None
    assert client.get("/standing").status == 404
    assert client.put("/standing", {"seen": 0, "key": "given-001", "clauses": ["hold"]}).status == 404
