"""Two servers with twin games, which differ only in facts hidden from one viewer; he must get identical data from both.

In the second server, whenever there is no draft, the position is replaced by a world sampled from the viewer's view.
The other clients there also try moves and take them back, request odds, send illegal orders, and write notes. Before a
rule reveals a difference to the viewer, the second world is made equal to the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, ClassVar, NamedTuple
from urllib.parse import quote, urlsplit

import pytest

from leuthen.engine.choice import Action
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import (
    CHANCE,
    SEATS,
    WATCHER,
    ActorId,
    SeatSide,
    Side,
    Transition,
    ViewerId,
    as_seat,
    as_side,
    is_side,
)
from leuthen.play.dice import Dice
from leuthen.play.proof import protocol
from leuthen.play.proof.ledger import SharedDice
from leuthen.play.proof.protocol import Chain
from leuthen.play.table import Table
from tests.laws.games import draw, near_misses
from tests.server.conftest import SeatClient
from tests.server.harness import Answer, HttpClient, TestServer, first_difference, without_hashes

DRAWS = 0.8
TRACES = 0.25
PROBES = 3
FULL_CHECK = 60
DISGUISES = 6
ODDS = ("attack", "defend", "siege", "overwhelm", "march", "morale", "attrition", "diplomacy")


class Plan(NamedTuple):
    ruleset: str
    scenario: str
    options: dict[str, str]


CAMPAIGN = Plan("frederick", "campaign", {"last-year": "1756"})


class Difference(AssertionError):
    """A viewer's data reveal a difference between two worlds that must look the same to him."""


class WorldClient(SeatClient):
    def __init__(self, caller: HttpClient, seat: str, side: SeatSide) -> None:
        super().__init__(caller, seat, side)
        self.stream = caller.subscribe(f"{self.base}/stream?after=0")
        self.stream.wait_for(b"event: presence")


class World:
    PACE: ClassVar[str] = "correspondence"

    def __init__(self, server: TestServer, plan: Plan, seed: str) -> None:
        self.server = server
        server.dice_seed = seed
        host = HttpClient(server.port)
        made = host.post("/api/games", {"players": ["link", "link"], "pace": self.PACE, **plan._asdict()}).json
        links = [*(seat["link"] for seat in made["seats"]), made["watch"]]
        self.game: str = made["game"]
        self.clients = [self._take(side, link) for side, link in zip(SEATS, links, strict=True)]
        host.close()

    def _take(self, side: SeatSide, link: str) -> WorldClient:
        caller = HttpClient(self.server.port)
        return WorldClient(caller, caller.post("/api/take", {"secret": urlsplit(link).fragment}).json["seat"], side)

    @property
    def session(self) -> Any:
        return self.server.session(self.game)

    @property
    def table(self) -> Table:
        table: Table = self.session.history.table
        return table

    @property
    def state(self) -> Any:
        return self.table.state

    @property
    def dice(self) -> Any:
        seal = self.session.seal
        return self.session._dice if seal is None else seal.sealing()._dice

    def n(self, side: SeatSide) -> int:
        n: int = self.session.history.logs[side].n
        return n

    def replace_state(self, state: Any, table: Table | None = None) -> None:
        history = self.session.history
        changed = (table or self.table).copy()
        changed.state = state
        history.table = changed
        drafts = [[step for step in changed.drafts if step.actor == actor] for actor in range(3)]
        history.open = [lines[len(lines) - len(own) :] for lines, own in zip(history.open, drafts, strict=True)]
        history._marks.append((len(history.record), changed, b""))

    def order(self, side: SeatSide, text: str, key: str) -> Answer:
        client = self.clients[side]
        body = {"seen": self.n(side), "key": key, "order": text, **self.share_of(side)}
        return client.post("/orders", body)

    def share_of(self, side: SeatSide) -> dict[str, Any]:
        return {}

    def undo(self, side: SeatSide, key: str) -> Answer:
        client = self.clients[side]
        return client.post("/moves", {"seen": self.n(side), "key": key, "do": "undo", **self.share_of(side)})

    def move_to(self, server: TestServer) -> World:
        self.close()
        self.server, before = server, self.clients
        self.clients = []
        for client in before:
            caller = HttpClient(server.port)
            caller.cookies = client.caller.cookies
            self.clients.append(WorldClient(caller, client.seat, as_seat(client.side)))
        return self

    def close(self) -> None:
        for client in self.clients:
            client.stream.close()
            client.caller.close()


class Twins:
    def __init__(
        self,
        servers: Sequence[TestServer],
        viewer: SeatSide,
        seed: int,
        plan: Plan = CAMPAIGN,
        world: type[World] = World,
    ) -> None:
        self.viewer = viewer
        self.rng = Random(f"{viewer} {seed}")
        self.worlds = [world(server, plan, f"{viewer} {seed}") for server in servers]
        self.ruleset = self.worlds[0].session.ruleset
        self.setting = self.ruleset.presenter.setting()
        self.places = sorted({town.place for town in self.setting.towns})
        self.steps = 0
        self.differing = 0
        self.disguises = 0
        self.traces = 0

    def play(self, limit: int = 10_000) -> None:
        one, other = self.worlds
        while self.steps < limit and (asked := [p for p in self.ruleset.pending(one.state) if p.actor != CHANCE]):
            self.steps += 1
            self.set_clocks()
            if not len(one.table.drafts) and not len(other.table.drafts) and self.rng.random() < DRAWS:
                other.replace_state(self.ruleset.sample_state(self.ruleset.view(one.state, self.viewer), self.rng))
            self.act(self.rng.choice(asked).actor)
            if one.table.outcome is not None:
                return  # from now on everything is public
            self.leave_traces()
            self.check(every=not self.steps % FULL_CHECK)

    def act(self, actor: Side) -> None:
        one, other = self.worlds
        action = shared_action(self.ruleset, [one.state, other.state], actor, self.rng)
        here, there = (result_of(self.ruleset, w.state, actor, action, w.dice, w.table.place) for w in self.worlds)
        assert here is not None
        if there is None or not look_alike(self.ruleset, self.viewer, here, there):
            other.replace_state(one.state, one.table)
        self.differing += one.state != other.state
        actions = action, action if actor == self.viewer else self.disguised(actor, action, here)
        answers = [
            world.order(actor, self.ruleset.format_action(world.state, actor, action), f"key-{self.steps:06}")
            for world, action in zip(self.worlds, actions, strict=True)
        ]
        assert all(answer.status < 300 for answer in answers), answers
        if actor == self.viewer:
            self.compare("the answer to his order", *answers)

    def disguised(self, actor: ActorId, action: Action, here: Result) -> Action:
        other = self.worlds[1]
        for near in near_misses(action, self.rng, DISGUISES):
            there = result_of(self.ruleset, other.state, actor, near, other.dice, other.table.place)
            if there is not None and near != action and look_alike(self.ruleset, self.viewer, here, there):
                self.disguises += 1
                return near
        return action

    def set_clocks(self, later: int = 0) -> None:
        for world, more in zip(self.worlds, (0, later), strict=True):
            world.server.tick(10 * self.steps + more)

    # --- what the second game has and the first has not --------------------------------------------------------------

    def leave_traces(self) -> None:
        other = self.worlds[1]
        for pending in self.ruleset.pending(other.state):
            if pending.actor not in (self.viewer, CHANCE) and self.rng.random() < TRACES:
                for leave_trace in (self.order_and_undo, self.go_and_return, self.query):
                    self.set_clocks(5)
                    leave_trace(as_side(pending.actor))

    def order_and_undo(self, side: Side) -> None:
        other = self.worlds[1]
        action = find_draft(self.ruleset, other.state, side, self.rng)
        if action is None:
            return
        before = other.state
        key = f"trace-{self.traces:06}"
        self.traces += 1
        done = other.order(side, self.ruleset.format_action(before, side, action), key)
        assert done.status < 300, done.body
        if self.rng.random() < 0.5:
            self.check()
        self.set_clocks(5)
        on_undo = other.undo(side, f"{key}-back")
        assert on_undo.status < 300, on_undo.body
        assert other.state == before

    def go_and_return(self, side: Side) -> None:
        other = self.worlds[1]
        there_and_back = find_detour(self.ruleset, other.state, side, self.rng)
        for action in there_and_back or ():
            text = self.ruleset.format_action(other.state, side, action)
            done = other.order(side, text, f"round-{self.traces:06}")
            assert done.status < 300, done.body
            self.traces += 1

    def query(self, side: Side) -> None:
        client = self.worlds[1].clients[side]
        place = self.rng.choice(self.places)
        client.post("/form", {"partial_order": {"at": place}})
        client.get(f"/odds?of=attack%20{place}")
        client.get("/left")
        self.worlds[1].order(side, "march nobody 9999", f"refused-{self.traces:06}")
        client.put("/notes", {"text": f"At {place}!"})

    # --- what the viewer gets ----------------------------------------------------------------------------------------

    def check(self, every: bool = False) -> None:
        self.set_clocks()
        questions = list(self.questions())
        for method, path, body in questions if every else self.rng.sample(questions, PROBES):
            self.ask(method, path, body)
        if every:
            self.ask("GET", "SEAT/staff", None)
            self.ask("POST", "SEAT/staff/form", {"partial_order": {"leader": ("Frederick", "Daun", "")[self.viewer]}})
        self.compare_streams()

    def ask(self, method: str, path: str, body: object) -> None:
        answers = []
        for world in self.worlds:
            client = world.clients[self.viewer]
            answers.append(client.caller.ask(method, path.replace("SEAT", client.base), body))
        self.compare(f"{method} {path} {body}", *answers)

    def compare_streams(self) -> None:
        word = f"word-{self.steps:06}-{self.rng.randrange(10**6):06}"
        for world in self.worlds:
            sent = world.clients[0].post("/chat", {"key": word, "text": word})
            assert sent.status < 300, sent.body
        streams = [world.clients[self.viewer].stream for world in self.worlds]
        received = [without_hashes(stream.wait_for(word.encode())) for stream in streams]
        if received[0] != received[1]:
            raise Difference(f"{self} heard\n{first_difference(*received)}")
        headers = [world.clients[self.viewer].stream.headers for world in self.worlds]
        if headers[0] != headers[1]:
            raise Difference(f"{self}: the streams' headers: {headers}")

    def questions(self) -> Iterator[tuple[str, str, object]]:
        rng, n = self.rng, self.worlds[0].n(self.viewer)
        place = rng.choice(self.places)
        for path in (
            "SEAT",
            "SEAT/left",
            "SEAT/front",
            "SEAT/turns",
            "SEAT/story",
            "SEAT/chat",
            "SEAT/notes",
            "SEAT/blocks",
            "SEAT/record",
            "/api/home",
        ):
            yield "GET", path, None
        yield "GET", "SEAT/devices", None
        yield "GET", f"SEAT/chronicle?count={rng.randrange(1, 60)}", None
        yield "GET", f"SEAT/chronicle?before={n}&count=20", None
        yield "GET", f"SEAT/past?n={rng.randrange(n + 1)}", None
        yield "GET", f"SEAT/past?n={rng.randrange(n + 1)}&viewer=3", None
        for card in self.setting.layers:
            yield "GET", f"SEAT/layer?name={card.id}&place={place}", None
        yield "GET", f"SEAT/about?place={place}", None
        yield "GET", f"SEAT/odds?of={rng.choice(ODDS)}%20{place}", None
        yield from self.orders(place)

    def orders(self, place: str) -> Iterator[tuple[str, str, object]]:
        n = self.worlds[0].n(self.viewer)
        yield "POST", "SEAT/form", {"partial_order": self.partial_order()}
        yield "POST", "SEAT/form", {"partial_order": {"at": place}}
        yield "GET", f"SEAT/order-line?text={self.typed(place)}", None
        for number, text in enumerate(self.refused()):
            yield "POST", "SEAT/orders", {"seen": n, "key": f"wrong-{self.steps}-{number}", "order": text}
        yield "POST", "SEAT/orders", {"seen": n + 1, "key": "too-early", "order": "done"}
        yield "POST", "SEAT/moves", {"seen": n, "key": "accepted", "do": "accept"}
        if not (is_side(self.viewer) and self.worlds[0].table.can_undo(self.viewer)):
            yield "POST", "SEAT/moves", {"seen": n, "key": "undo-none", "do": "undo"}

    def partial_order(self) -> dict[str, str]:
        partial_order: dict[str, str] = {}
        client = self.worlds[0].clients[self.viewer]
        for _ in range(self.rng.randrange(5)):
            form = client.post("/form", {"partial_order": partial_order})
            fields = form.json.get("fields") if form.status < 300 else None
            if not fields:
                break
            field = fields[-1]
            choices = [*field.get("choices", ()), *field.get("barred", ())]
            if not choices:
                break
            partial_order[field["key"]] = self.rng.choice(choices)["token"]
        return partial_order

    def typed(self, place: str) -> str:
        """Return the beginning of a line, which ends with a place now and then."""
        words, rng, client = list[str](), Random(self.steps), self.worlds[0].clients[self.viewer]
        for _ in range(rng.randrange(4)):
            line = client.caller.get(f"{client.base}/order-line?text={quote(' '.join([*words, '']))}")
            choices = line.json.get("words") if line.status < 300 else None
            if not choices:
                break
            words.append(rng.choice(choices)["token"])
        return quote(" ".join([*words, rng.choice(("", place))]))

    def refused(self) -> Iterator[str]:
        table, side = self.worlds[0].table, self.viewer
        yield from ("nonsense", "march nobody 9999", "resign")
        if side == WATCHER:
            yield "done"
            return
        seen = table.visible_state(side)
        for pending in self.ruleset.pending(seen):
            if pending.actor != CHANCE:
                action = self.ruleset.legal_actions(seen, pending.actor).sample(self.rng)
                for near in (action, *near_misses(action, self.rng)):
                    text = self.line(seen, pending.actor, near)
                    if self.is_refused(seen, text):
                        yield text

    def line(self, state: Any, actor: ActorId, action: Any) -> str:
        try:
            text: str = self.ruleset.format_action(state, actor, action)
        except (LookupError, ValueError, TypeError):
            return "march"
        return text

    def is_refused(self, state: Any, text: str) -> bool:
        try:
            action = self.ruleset.parse_action(state, self.viewer, text)
        except Invalid:
            return True
        if all(pending.actor != self.viewer for pending in self.ruleset.pending(state)):
            return not hasattr(action, "do") or action.do != "reopen"
        return self.ruleset.legal_actions(state, self.viewer).why_not(action) is not None

    def compare(self, what: str, here: Answer, there: Answer) -> None:
        assert here.status < 500, f"{what}: {here.body!r}"
        here, there = (answer._replace(body=without_hashes(answer.body)) for answer in (here, there))
        if here != there:
            raise Difference(
                f"{self} got {what}\n{here.status} {there.status} {first_difference(here.body, there.body)}"
            )

    def __str__(self) -> str:
        return f"viewer {self.viewer} after {self.steps} actions"

    def close(self) -> None:
        for world in self.worlds:
            world.close()


# --- where a rule reveals a difference to a viewer, and which actions leave no trace ----------------------------------

TRIES = 30
DEFAULT_SHARE = 0.4
SLOW_RULESETS = ("frederick",)
DETOURS = 4


class Result(NamedTuple):
    state: Any
    steps: tuple[Transition, ...]


def result_of(ruleset: Any, state: Any, actor: ActorId, action: Action, dice: Dice, place: int) -> Result | None:
    steps: list[Transition] = []
    try:
        while True:
            steps.append(ruleset.apply(state, actor, action))
            state = steps[-1].state
            if chances := ruleset.chances(state):
                actor, action = CHANCE, dice.outcome_at(place, chances)
                place += 1
            elif found := forced(ruleset, state):
                actor, action = found
            else:
                return Result(state, tuple(steps))
    except Illegal:
        return None


def forced(ruleset: Any, state: Any) -> tuple[ActorId, Action] | None:
    asked = (pending.actor for pending in ruleset.pending(state) if pending.actor != CHANCE)
    return next(((actor, answer) for actor in asked if (answer := ruleset.forced(state, actor))), None)


def look_alike(ruleset: Any, viewer: ViewerId, one: Result, other: Result) -> bool:
    if ruleset.view(one.state, viewer) != ruleset.view(other.state, viewer):
        return False
    first, second = ([step.events(viewer) for step in result.steps] for result in (one, other))
    return first == second


def shared_action(ruleset: Any, states: Sequence[Any], actor: ActorId, rng: Random) -> Action:
    least = ruleset.legal_actions(states[0], actor).default
    action = least() if rng.random() < DEFAULT_SHARE else draw_action(ruleset, states[0], actor, rng)
    for _ in range(TRIES):
        if all(ruleset.legal_actions(state, actor).why_not(action) is None for state in states[1:]):
            break
        action = draw_action(ruleset, states[0], actor, rng)
    return action


def draw_action(ruleset: Any, state: Any, actor: ActorId, rng: Random) -> Action:
    if ruleset.name in SLOW_RULESETS:
        return draw(ruleset, state, actor, rng)
    action: Action = ruleset.legal_actions(state, actor).sample(rng)
    return action


def find_draft(ruleset: Any, state: Any, actor: ActorId, rng: Random) -> Action | None:
    for _ in range(TRIES):
        action: Action = ruleset.legal_actions(state, actor).sample(rng)
        step = ruleset.apply(state, actor, action)
        awaited = [pending.actor for pending in ruleset.pending(step.state)]
        if (
            actor in awaited
            and not forced(ruleset, step.state)
            and CHANCE not in awaited
            and not step.learned >> actor & 1
        ):
            return action
    return None


def find_detour(ruleset: Any, state: Any, actor: ActorId, rng: Random) -> tuple[Action, Action] | None:
    for _ in range(DETOURS):
        there = find_draft(ruleset, state, actor, rng)
        if there is None:
            return None
        step = ruleset.apply(state, actor, there)
        if step.events(1 - actor):
            continue
        for _ in range(TRIES):
            back: Action = ruleset.legal_actions(step.state, actor).sample(rng)
            after = ruleset.apply(step.state, actor, back)
            if after.state == state and not any(one.events(1 - actor) for one in (step, after)):
                return there, back
    return None


@cache
def chain_of(side: Side) -> Chain:
    return Chain(protocol.digest(f"twins {side}"))


def same_dice(patch: pytest.MonkeyPatch) -> None:
    uniform_below = SharedDice.uniform_below

    def alone(dice: SharedDice, bound: int, place: int) -> int:
        links_at, dice._links_at = dice._links_at, lambda place: (protocol.NO_LINK, protocol.NO_LINK)
        try:
            return uniform_below(dice, bound, place)
        finally:
            dice._links_at = links_at

    patch.setattr(SharedDice, "uniform_below", alone)


class ChainedWorld(World):
    """A world with proofs, in which both seats send links from the same chains as in its twin.

    Dice depend on the links, and the other clients send more links in the second world, where they try and undo.
    Therefore dice use only the secret here (`same_dice`), so that both worlds roll the same. All messages are compared,
    except the hashes of the proof.
    """

    def __init__(self, server: TestServer, plan: Plan, seed: str) -> None:
        super().__init__(server, plan, seed)
        for client in self.clients[:2]:
            chain = chain_of(client.side)
            body = {"top": chain.top, "length": chain.length, "why": "first"}
            assert client.post("/chain", body).status == 200

    def share_of(self, side: SeatSide) -> dict[str, Any]:
        ledger = self.session.seal.ledger
        given = ledger.chains[ledger.sides[side]][0].given + 1
        link = chain_of(side).link(given)
        return {"share": {"chain": 1, "number": given, "link": link, "seen": ledger.blocks, "head": ledger.head}}

    def order(self, side: SeatSide, text: str, key: str) -> Answer:
        answer = super().order(side, text, key)
        while (waiting := self.session.seal.waiting) >= 0:
            client = self.clients[waiting]
            given = client.post("/share", self.share_of(waiting)["share"])
            assert given.status == 200, given.body
        return answer


class LiveWorld(ChainedWorld):
    PACE = "live"
