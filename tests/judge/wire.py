"""Ten games played over HTTP: each request, and a digest of its answer.

Ids, secrets, dice and the clock are known beforehand, so that every answer has the same bytes in every run. Each player
draws his orders from the forms; between two orders he asks for everything else that a seat can ask for.
"""

import re
import time
from collections.abc import Iterator
from hashlib import blake2b
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

import msgspec
import pytest

from leuthen.server.bots import drivers
from leuthen.server.http import browser, home, seats
from leuthen.server.session import registry
from tests.server.harness import Answer, HttpClient, TestServer

BACKWARD = ("clear", "reopen", "remove")
LOOK_INTERVAL = 6
HEADERS = ("content-type", "cache-control", "content-disposition", "retry-after", "etag", "vary")
TOKEN = re.compile(rb"[0-9a-f]{32,}|[A-Za-z0-9_-]{40,}|[A-Za-z0-9+/]{40,}={0,2}")


class Play(NamedTuple):
    name: str
    ruleset: str
    scenario: str
    players: tuple[str, str]
    orders: int
    options: dict[str, str] | None = None
    pace: str = "correspondence"


PLAYS = (
    Play("deployment", "frederick", "campaign", ("me", "link"), 90, {"last-year": "1756"}),
    Play("spring", "frederick", "from-1757", ("link", "link"), 90),
    Play("bohemia", "frederick", "bohemia", ("me", "me"), 120),
    Play("machine", "frederick", "1758", ("me", "random"), 60),
    Play("strict", "frederick", "zorndorf-hochkirch", ("link", "link"), 40, pace="live"),
    Play("prague", "campaigns", "prague", ("link", "link"), 120),
    Play("hidden", "campaigns", "1757", ("me", "link"), 90, {"hidden": "yes"}),
    Play("base", "campaigns", "1758", ("me", "me"), 90, {"rules": "base"}),
    Play("council", "campaigns", "campaign", ("link", "link"), 60),
    Play("captain", "campaigns", "1757", ("me", "random"), 60),
)


class Seat:
    def __init__(self, caller: HttpClient, seat: str, side: int) -> None:
        self.caller = caller
        self.base = f"/api/seats/{seat}"
        self.side = side


class Snapshot:
    def __init__(self, play: Play, server: TestServer, dump: Path | None) -> None:
        self.begin(play, server, dump)
        host = HttpClient(server.port)
        made = self.ask(host, "POST", "/api/games", self._new_game()).json
        self.seats = [Seat(host, one["seat"], one["side"]) for one in made["seats"] if one["seat"]]
        links = [(one["side"], one["link"]) for one in made["seats"] if one["link"]] + [(2, made["watch"])]
        for side, link in links:
            caller = HttpClient(server.port)
            taken = self.ask(caller, "POST", "/api/take", {"secret": urlsplit(link).fragment}).json
            self.seats.append(Seat(caller, taken["seat"], side))
        self.seats.sort(key=lambda seat: seat.side)

    def begin(self, play: Play, server: TestServer, dump: Path | None) -> None:
        self.lines: list[str] = []
        self._play = play
        self._dump = dump
        self._rng = Random(play.name)
        self._keys = count()
        self._server = server
        server.dice_seed = play.name

    def _new_game(self) -> dict[str, Any]:
        play = self._play
        return {
            "players": play.players,
            "ruleset": play.ruleset,
            "scenario": play.scenario,
            "options": play.options or {},
            "title": play.name,
            "pace": play.pace,
        }

    def ask(self, caller: HttpClient, method: str, path: str, body: object = None) -> Answer:
        answer = caller.ask(method, path, body)
        while self._server.drivers.count:
            time.sleep(0.001)
        headers = sorted(f"{name.lower()}: {value}" for name, value in answer.headers if name.lower() in HEADERS)
        said = TOKEN.sub(b"<token>", answer.body)
        digest = blake2b("\n".join(headers).encode() + b"\n\n" + said, digest_size=8).hexdigest()
        sent = "" if body is None else " " + TOKEN.sub(b"<token>", msgspec.json.encode(body)).decode()
        self.lines.append(f"{method} {path}{sent} {answer.status} {digest}")
        if self._dump is not None:
            folder = self._dump / self._play.name
            folder.mkdir(parents=True, exist_ok=True)
            text = "\n".join([self.lines[-1], *headers, "", said.decode(errors="replace")])
            (folder / f"{len(self.lines):05}.txt").write_text(text)
        return answer

    def run(self) -> None:
        for number in range(self._play.orders):
            if not self._order():
                break
            if number % LOOK_INTERVAL == 0:
                self._request_everything(self._rng.choice(self.seats))
        for seat in self.seats:
            self._request_everything(seat)
        for seat in self.seats:
            self._read_message(seat)
        for caller in {id(seat.caller): seat.caller for seat in self.seats}.values():
            caller.close()

    def _read_message(self, seat: Seat) -> None:
        n = self.ask(seat.caller, "GET", seat.base).json["n"]
        stream = seat.caller.subscribe(f"{seat.base}/stream?after={max(0, n - 20)}")
        received = TOKEN.sub(b"<token>", stream.wait_for(b"id: %d\n" % n))
        stream.close()
        events = [event for event in received.split(b"\n\n") if event and not event.startswith(b"event: presence")]
        digest = blake2b(b"\n\n".join(events), digest_size=8).hexdigest()
        self.lines.append(f"STREAM {seat.base} {len(events)} events {digest}")
        if self._dump is not None:
            (self._dump / self._play.name / f"stream-{seat.side}.txt").write_bytes(b"\n\n".join(events))

    def _key(self) -> str:
        return f"key-{next(self._keys):06}"

    def _order(self) -> bool:
        for seat in self.seats:
            snapshot = self.ask(seat.caller, "GET", seat.base).json
            if not any(awaited.get("is_yours") for awaited in snapshot.get("awaited", ())):
                continue
            order = self._draw(seat)
            if not order:
                return False
            body = {"seen": snapshot["n"], "key": self._key(), "order": order}
            answer = self.ask(seat.caller, "POST", f"{seat.base}/orders", body)
            if answer.status == 200 and self._rng.random() < 0.1:
                n = self.ask(seat.caller, "GET", seat.base).json["n"]
                self.ask(seat.caller, "POST", f"{seat.base}/moves", {"seen": n, "key": self._key(), "do": "undo"})
            return True
        return False

    def _draw(self, seat: Seat) -> str:
        partial: dict[str, str] = {}
        for _ in range(40):
            answer = self.ask(seat.caller, "POST", f"{seat.base}/form", {"partial_order": partial})
            form = answer.json
            if answer.status != 200 or not form.get("fields"):
                return ""
            if form.get("order"):
                return str(form["order"])
            field = form["fields"][-1]
            tokens = [] if field.get("value") else [choice["token"] for choice in field["choices"]]
            forward = [token for token in tokens if token not in BACKWARD] or tokens
            partial = (
                {**partial, field["key"]: self._rng.choice(forward)} if forward and not form.get("refused") else {}
            )
        return ""

    def _request_everything(self, seat: Seat) -> None:
        base, n = seat.base, self.ask(seat.caller, "GET", seat.base).json["n"]
        places = ("Prague", "Dresden", "1625")
        paths = [
            "/chronicle", "/chronicle?after=3&count=20", "/turns", "/story", "/past?n=4", "/record", "/report",
            "/chat", "/notes", "/devices", "/left", "/standing", "/staff", "/blocks?after=0", "/lesson", "/drill",
            "/advice",
            "/layer?name=supply", "/layer?name=control", *(f"/about?place={quote(place)}" for place in places),
            "/odds?of=morale%20Frederick", "/odds?of=siege%20Prague", "/odds?of=nonsense", "/nothing",
        ]  # fmt: skip
        for path in paths:
            self.ask(seat.caller, "GET", base + path)
        posts: list[tuple[str, str, object]] = [
            ("POST", "/orders", {"seen": n, "key": self._key(), "order": "march Nobody 0000"}),
            ("POST", "/orders", {"seen": -5, "key": self._key(), "order": "done"}),
            ("POST", "/form", {"partial_order": {"kind": "nonsense"}}),
            ("POST", "/standing/form", {"clauses": [], "partial": {}}),
            ("POST", "/staff/form", {"missions": [], "partial_order": {}}),
            ("POST", "/chat", {"text": f"line {n}", "key": self._key()}),
            ("PUT", "/notes", {"text": f"note {n}", "pins": []}),
            ("PUT", "/player", {"name": "Someone", "colour": ""}),
            ("POST", "/moves", {"seen": n, "key": self._key(), "do": "offer-draw"}),
            ("POST", "/moves", {"seen": n, "key": self._key(), "do": "withdraw"}),
            ("POST", "/moves", {"seen": n, "key": self._key(), "do": "nonsense"}),
        ]
        for method, path, body in posts:
            self.ask(seat.caller, method, base + path, body)


class FixedRandom:
    @staticmethod
    def randbits(_: int) -> int:
        return 7


def public(server: TestServer, dump: Path | None) -> list[str]:
    snapshot = Snapshot.__new__(Snapshot)
    snapshot.begin(Play("public", "frederick", "", ("me", "me"), 0), server, dump)
    caller = HttpClient(server.port)
    paths = ["/api/home", "/api/rulesets", "/api/school", "/healthz", "/api/nothing", "/schema/openapi.json"]
    for name in ("frederick", "campaigns"):
        paths += [f"/api/rulesets/{name}", f"/api/rulesets/{name}/rules", f"/api/school/drills?ruleset={name}"]
    for path in paths:
        snapshot.ask(caller, "GET", path)
    for chapter in snapshot.ask(caller, "GET", "/api/school").json["lessons"]:
        made = snapshot.ask(caller, "POST", "/api/school/lessons", {"name": chapter["name"]})
        if made.status == 201:
            seat = next(one["seat"] for one in made.json["seats"] if one["seat"])
            for path in ("", "/lesson", "/chronicle"):
                snapshot.ask(caller, "GET", f"/api/seats/{seat}{path}")
    caller.close()
    return snapshot.lines


def snapshots(folder: Path, dump: Path | None = None) -> Iterator[tuple[str, list[str]]]:
    for play in (*PLAYS, None):
        with pytest.MonkeyPatch.context() as patch:
            numbers = count(1)
            for module in (registry, browser, home, seats):
                patch.setattr(module, "new_secret", lambda n=numbers: f"secret-{next(n):06}-0123456789", raising=False)
            patch.setattr(registry, "new_id", lambda n=numbers: f"id-{next(n):06}")
            patch.setattr(registry, "token_bytes", lambda size: bytes(range(size)))
            patch.setattr(drivers, "secrets", FixedRandom)
            server = TestServer(folder / (play.name if play else "public"))
            server.start()
            try:
                if play is None:
                    yield "public", public(server, dump)
                    continue
                snapshot = Snapshot(play, server, dump)
                snapshot.run()
                yield play.name, snapshot.lines
            finally:
                server.stop()
