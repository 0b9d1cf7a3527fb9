"""The games of a database that an older program made go on."""

from __future__ import annotations

from pathlib import Path

from tests.server.conftest import Guest, NewHouse, call
from tests.storage.test_migrate import put_old

GAME = "D9A8NgtijyVG"
SEATS = ("VacUuNw60lXw", "5wUwvL54t6pefnHBToYDrl0W"), ("pK7UgVyfNsA8", "dIsLpdbOWBLU-MF_JZDZ1jCI")
"""The seats of the older database, and the keys of the browsers that sit there."""


def older_guests(new_house: NewHouse, folder: Path) -> tuple[Guest, Guest]:
    put_old(folder / "games")
    house = new_house()
    guests = []
    for side, (seat, key) in enumerate(SEATS):
        caller = call(house.port)
        caller.cookies = {"leuthen": key}
        guests.append(Guest(caller, seat, side))
    return guests[0], guests[1]


def test_a_game_of_an_older_database_goes_on(new_house: NewHouse, tmp_path: Path) -> None:
    prussia, austria = older_guests(new_house, tmp_path)
    assert (prussia.n, austria.n) == (6, 7)
    assert prussia.told()[-2:] == ["prussia sees 2.", "prussia is done."]
    assert austria.fresh["proposals"][0]["text"] == "Prussia offers a draw."
    assert austria.get("/chat").json["lines"][0]["text"] == "Good evening."
    assert austria.move("undo").status == 200
    austria.orders("step north 1", "done")
    prussia.orders("bid 3")
    austria.orders("bid 3")
    assert prussia.told()[-1].startswith("The die shows")
