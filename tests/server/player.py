"""A program that sits on a seat: it fills in forms with any of their choices, as a bot over the interface would."""

from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tests.server.caller import Answer, Caller

BACKWARD = ("clear", "reopen", "remove")


class Chair(NamedTuple):
    side: int
    seat: str
    secret: str


def new_game(port: int, *players: str, last_year: str = "1756") -> list[Chair]:
    caller = Caller(port)
    made = caller.post("/api/games", {"players": players, "options": {"last-year": last_year}})
    assert made.status < 300, made.body
    chairs = [take(caller, seat["side"], seat["link"]) for seat in made.json["seats"] if seat["link"]]
    caller.close()
    return chairs


def take(caller: Caller, side: int, link: str) -> Chair:
    secret = urlsplit(link).fragment
    key = f"{secret}-own"
    return Chair(side, caller.post("/api/take", {"secret": secret, "key": key}).json["seat"], key)


class Player:
    def __init__(self, port: int, chair: Chair, seed: int = 0) -> None:
        self.chair = chair
        self.base = f"/api/seats/{chair.seat}"
        self.caller = Caller(port, chair.secret)
        self.rng = Random(seed)

    def fresh(self) -> dict[str, Any]:
        fresh: dict[str, Any] = self.caller.get(self.base).json
        return fresh

    def is_asked(self) -> bool:
        return any(awaited["is_yours"] for awaited in self.fresh()["awaited"])

    def any_order(self) -> str:
        partial_order: dict[str, str] = {}
        while True:
            answer = self.caller.post(f"{self.base}/form", {"partial_order": partial_order})
            if answer.status >= 300 or not answer.json["fields"]:
                return ""
            form = answer.json
            if form.get("order"):
                return str(form["order"])
            field = form["fields"][-1]
            tokens = [] if field.get("value") else [choice["token"] for choice in field["choices"]]
            forward = [token for token in tokens if token not in BACKWARD]
            partial_order = {**partial_order, field["key"]: self.rng.choice(forward or tokens)} if tokens else {}

    def post(self, order: str, key: str, seen: int) -> Answer:
        return self.caller.post(f"{self.base}/orders", {"seen": seen, "key": key, "order": order})

    def move(self, what: str, key: str, seen: int) -> Answer:
        return self.caller.post(f"{self.base}/moves", {"seen": seen, "key": key, "do": what})

    def close(self) -> None:
        self.caller.close()
