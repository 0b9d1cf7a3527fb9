"""Makes the database of a server with games that go on: `python -m tests.records.makeserver VERSION`.

The folder `server/VERSION` gets the database, and `seats.json` with the secrets of links to its seats. What is there is
never made again: a server's database is what it was then.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from leuthen.engine.ruleset import CHANCE
from leuthen.storage.sqlite import FILE
from tests.records.make import HERE
from tests.server.caller import Answer, Caller
from tests.server.house import House

ORDERS: Final = 120
SECRETS: Final = "seats.json"


class Host:
    """Makes games at a server, and answers for all sides."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.caller = Caller(house.port)
        self.seats: dict[str, list[dict[str, str]]] = {}
        self._keys = count(1)

    def new_game(self, name: str, ruleset: str, scenario: str, options: dict[str, str]) -> str:
        """A game of two people."""
        asked = {"players": ("link", "link"), "ruleset": ruleset, "scenario": scenario, "options": options}
        return self._made(name, self.caller.post("/api/games", {**asked, "title": name}))

    def _made(self, name: str, answer: Answer) -> str:
        assert answer.status == 201, answer.body
        made = answer.json
        links = [*(seat["link"] for seat in made["seats"]), made["watch"]]
        taken = [self.caller.post("/api/take", {"secret": link.removeprefix("/seat#")}).json for link in links]
        back = [seat["link"] or made["watch"] for seat in taken]
        seats = [seat["seat"] for seat in taken]
        self.seats[name] = [
            {"seat": seat, "secret": link.removeprefix("/seat#")} for seat, link in zip(seats, back, strict=True)
        ]
        game: str = made["game"]
        return game

    def say(self, name: str, side: int, what: str, body: dict[str, Any], method: str = "POST") -> None:
        """A request of a seat that must be granted."""
        path = f"/api/seats/{self.seats[name][side]['seat']}"
        if what in ("orders", "moves", "standing"):
            body = {"seen": self.caller.get(path).json["n"], **body}
        if what != "notes":
            body = {"key": f"key-{next(self._keys):08}", **body}
        answer = self.caller.ask(method, f"{path}/{what}", body)
        assert answer.status in (200, 204), answer.body

    def play(self, name: str, game: str, orders: int) -> None:
        """Gives so many orders at random; the first of each ten is taken back where it may be."""
        session, rng = self.house.session(game), Random(name)
        for number in range(orders):
            table = session.history.table
            side = next(pending.actor for pending in session.ruleset.pending(table.state) if pending.actor != CHANCE)
            action = session.ruleset.legal_actions(table.seen_by(side), side).sample(rng)
            text = session.ruleset.format_action(table.state, side, action)
            self.say(name, side, "orders", {"order": text})
            if number % 10 == 0 and session.history.table.can_undo(side):
                self.say(name, side, "moves", {"do": "undo"})


def fill(host: Host) -> None:
    """Three games: of each rule set one that goes on, and one that has ended."""
    campaigns = host.new_game("campaigns", "campaigns", "1757", {"hidden": "yes"})
    host.play("campaigns", campaigns, ORDERS)
    host.say("campaigns", 0, "notes", {"text": "Browne may come by 1226."}, "PUT")
    host.say("campaigns", 0, "standing", {"clauses": ["hold other", "losses by-share"]}, "PUT")
    frederick = host.new_game("frederick", "frederick", "campaign", {"last-year": "1757"})
    host.play("frederick", frederick, ORDERS)
    host.say("frederick", 1, "chat", {"text": "A draw, perhaps?"})
    host.say("frederick", 1, "moves", {"do": "offer-draw"})
    ended = host.new_game("ended", "frederick", "campaign", {"last-year": "1756"})
    host.play("ended", ended, 20)
    host.say("ended", 0, "moves", {"do": "resign"})


def make(version: str) -> None:
    """Makes the folder of that version, if there is none."""
    folder = HERE / "server" / version
    if folder.exists():
        return
    house = House(folder)
    house.dice_seed = "records"
    house.start()
    host = Host(house)
    try:
        fill(host)
    finally:
        host.caller.close()
        house.stop()
    (folder / SECRETS).write_bytes(msgspec.json.format(msgspec.json.encode(host.seats)) + b"\n")
    _pack(folder)


def _pack(folder: Path) -> None:
    """One file, as small as it can be."""
    with sqlite3.connect(folder / FILE) as database:
        database.execute("PRAGMA journal_mode = DELETE")
        database.execute("VACUUM")
    for path in folder.iterdir():
        if path.name not in (FILE, SECRETS):
            os.remove(path)


def main(words: Sequence[str]) -> None:
    """`VERSION`"""
    make(*words)


if __name__ == "__main__":
    main(sys.argv[1:])
