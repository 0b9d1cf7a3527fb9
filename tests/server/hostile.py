"""Thousands of hostile requests: by strangers, by a watcher, and by a player whose orders are too late to count.

None may change a game, cause a server error, or reveal implementation details.
"""

import http.client
from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

import leuthen
from tests.server.conftest import GameClients
from tests.server.harness import Answer, HttpClient

Body = dict[str, Any]

STALE: Final = -1
OWN: Final = 0.7
BODIES: Final[dict[str, Body]] = {
    "orders": {"seen": STALE, "key": "key-00000000", "order": "bid 1"},
    "moves": {"seen": STALE, "key": "key-00000000", "do": "resign", "to": 0},
    "form": {"partial_order": {"do": "bid"}},
    "standing": {"seen": STALE, "key": "key-00000000", "clauses": ["hold"]},
    "standing/form": {"partial_order": {}},
}
READS: Final = ("", "/chronicle", "/record", "/notes", "/chat", "/about", "/layer", "/odds", "/history", "/stream/x")
PATHS: Final = ("/api/home", "/api/take", "/api/rulesets/toy", "/api/rulesets/toy/rules", "/map/toy.svg", "/healthz")
WORDS: Final = (
    "", "0", "-1", "1e400", "NaN", "null", "true", "' OR 1=1 --", "../../etc/passwd", "%00", "%2e%2e%2f", "\u0000",
    "\u202e", "🂡" * 40, "x" * 3000, "{{7*7}}", "<script>", "$(id)", "bid 1; done", "\ud83d", "١٢",
    "\r\nSet-Cookie: a=b",
)  # fmt: skip
VALUES: Final[tuple[Any, ...]] = (None, True, 0, -1, 2**31, 2**63, 1.5, 1e308, [], {}, [[]] * 30, {"a": {"b": {}}})
METHODS: Final = ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "BREW")
HEADERS: Final[tuple[dict[str, str], ...]] = (
    {}, {}, {}, {"Content-Type": "text/plain"}, {"Content-Type": "application/json; charset=utf-7"},
    {"Origin": "https://evil.example"}, {"Host": "evil.example"}, {"Accept-Encoding": "gzip;q=x"},
    {"Authorization": "Bearer"}, {"Authorization": "Basic AAAA"}, {"Cookie": "leuthen=" + "a" * 200},
    {"Range": "bytes=9-1"},
    {"Last-Event-ID": "-9"}, {"If-None-Match": '"x"'}, {"X-Forwarded-For": "10.0.0.1"}, {"Expect": "what"},
)  # fmt: skip
SEND_COST: Final = (b"Traceback", b"site-packages", b'.py"', str(leuthen.__path__[0]).encode())


class Attempt(NamedTuple):
    who: str
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


def attempts(game: GameClients, rng: Random, count: int) -> Iterator[Attempt]:
    seats = [client.seat for client in game.clients]
    own = {"stranger": seats[0], "spectator": game.spectator.seat, "player": game.prussia.seat}
    for _ in range(count):
        who = rng.choice(list(own))
        yield _attempt(rng, who, own[who] if rng.random() < OWN else rng.choice([*seats, "none", rng.choice(WORDS)]))


def _attempt(rng: Random, who: str, seat: str) -> Attempt:
    kind = rng.random()
    headers = dict(rng.choice(HEADERS))
    if kind < 0.5:
        route = rng.choice(list(BODIES))
        body = _mutated(rng, BODIES[route])
        return Attempt(who, "POST", f"/api/seats/{seat}/{route}", headers, body)
    if kind < 0.8:
        query = f"?{rng.choice(('place', 'after', 'name', 'of', ''))}={rng.choice(WORDS)}" if rng.random() < 0.5 else ""
        return Attempt(who, rng.choice(("GET", "HEAD")), f"/api/seats/{seat}{rng.choice(READS)}{query}", headers, b"")
    path = rng.choice([*PATHS, "/" + rng.choice(WORDS), f"/api/{rng.choice(WORDS)}"])
    method = rng.choice(METHODS)
    return Attempt(who, method, path, headers, _mutated(rng, {"secret": "nobody-has-this-secret"}))


def _mutated(rng: Random, body: Body) -> bytes:
    changed = dict(body)
    for _ in range(rng.randrange(3)):
        name = rng.choice([*changed, "extra"])
        if name == "seen":
            changed[name] = rng.choice((STALE, "0", None, 1.5, -(2**63)))
        else:
            changed[name] = rng.choice([*VALUES, *WORDS[:-4], "bid 2", "undo"])
    data = msgspec.json.encode(changed)
    if rng.random() < 0.2:
        at = rng.randrange(len(data))
        data = data[:at] + bytes([rng.randrange(256)]) * rng.choice((1, 1, 50)) + data[at + rng.randrange(3) :]
        return data if not _is_fresh(data) else b"{"
    return data


def _is_fresh(data: bytes) -> bool:
    try:
        found = msgspec.json.decode(data)
    except ValueError:
        return False
    return isinstance(found, dict) and isinstance(found.get("seen"), int) and found["seen"] >= 0


class Attacker:
    def __init__(self, game: GameClients) -> None:
        cookies = {"stranger": {}, "spectator": game.spectator.caller.cookies, "player": game.prussia.caller.cookies}
        self.game = game
        self.callers = {who: HttpClient(game.server.port) for who in cookies}
        for who, found in cookies.items():
            self.callers[who].cookies = dict(found)

    def attack(self, rng: Random, count: int) -> dict[int, int]:
        before = self._state()
        found: dict[int, int] = {}
        for attempt in attempts(self.game, rng, count):
            answer = self._send(attempt)
            expect_calm(attempt, answer)
            found[answer.status] = found.get(answer.status, 0) + 1
        assert self._state() == before
        return found

    def close(self) -> None:
        for caller in self.callers.values():
            caller.close()

    def _state(self) -> list[Any]:
        return [
            (client.snapshot["n"], client.snapshot["scene"], client.get("/chat").body) for client in self.game.clients
        ]

    def _send(self, attempt: Attempt) -> Answer:
        caller = self.callers[attempt.who]
        line = caller._line
        try:
            line.putrequest(attempt.method, _plain(attempt.path), skip_host="Host" in attempt.headers)
            fields = {"Content-Type": "application/json", **caller.headers(), **attempt.headers}
            for name, value in fields.items():
                line.putheader(name, value)
            line.putheader("Content-Length", str(len(attempt.body)))
            line.endheaders(attempt.body)
            return caller._answer(line.getresponse())
        except (http.client.HTTPException, OSError):
            line.close()  # the server closes connections that are not HTTP
            return Answer(400, (), b"")


def _plain(path: str) -> str:
    data = path.encode("utf-8", "surrogatepass")
    return "".join(chr(byte) if 33 <= byte < 127 else f"%{byte:02x}" for byte in data)


def expect_calm(attempt: Attempt, answer: Answer) -> None:
    assert answer.status < 500, (attempt, answer)
    assert not any(word in answer.body for word in SEND_COST), (attempt, answer)
    kind = dict(answer.headers).get("content-type", "")
    if answer.status >= 400 and answer.body and "json" in kind:
        problem = answer.json
        assert problem["status"] == answer.status, (attempt, answer)
        assert problem["title"], (attempt, answer)
    if attempt.who == "stranger" and "/api/seats/" in attempt.path:
        assert answer.status >= 400 or attempt.method == "OPTIONS", (attempt, answer)
