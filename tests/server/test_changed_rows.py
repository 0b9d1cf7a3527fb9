import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from leuthen.cli import run
from leuthen.play.proof.check import check
from leuthen.play.record import RecordError, parse
from leuthen.storage.sqlite import FILE
from tests.server.conftest import NewHouse, Party, new_party
from tests.server.test_seal import two

Change = tuple[str, str]
CHANGES: dict[str, Change] = {
    "another order": (
        "UPDATE actions SET text = 'bid 3' WHERE number = 0",
        "line 1 of its record is not what was sealed",
    ),
    "one bit of an order": ("UPDATE actions SET text = 'ste` north 2' WHERE number = 3", "line 4 of its record is not"),
    "another die": (
        "UPDATE actions SET text = iif(text = 'die 1', 'die 2', 'die 1') WHERE actor = 'chance'",
        "line 3 of its record is not",
    ),
    "another's order": ("UPDATE actions SET actor = 'austria' WHERE number = 3", "line 4 of its record is not"),
    "an order gone": ("DELETE FROM actions WHERE number = 3", "line 4 of its record is missing"),
    "an order more": (
        "INSERT INTO actions (game, number, actor, text, at) SELECT id, 4, 'austria', 'resign', '' FROM games",
        "line 5 of its record is not in its proof",
    ),
    "an order elsewhere": ("UPDATE actions SET number = 7 WHERE number = 3", "line 4 of its record is not"),
    "another secret": ("UPDATE dice_keys SET key = zeroblob(32)", "the keys are not those of its proof"),
    "another key": ("UPDATE seals SET signing = zeroblob(32)", "the keys are not those of its proof"),
    "no key": ("DELETE FROM seals", "the keys are not those of its proof"),
    "another block": (
        "UPDATE proof SET text = substr(text, 1, 70) || 'zz' WHERE text LIKE 'block 2 %'",
        "of its proof was changed, or one of the lines that it binds",
    ),
}
ANOTHER_LINK = """
    UPDATE proof SET text = substr(text, 1, 30) || 'beef' || substr(text, 35) WHERE text LIKE 'link prussia 1 2 %'
"""


def played(new_house: NewHouse) -> Party:
    party = new_party(new_house(), "3")
    one, other = two(party)
    one.orders("bid 1")
    other.orders("bid 2")
    one.orders("step north 2")
    return party


def change_rows(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder)) as raw, raw:
        assert raw.execute(statement).rowcount == 1


def again(new_house: NewHouse, party: Party) -> None:
    house = new_house()
    for guest in party.guests:
        guest.caller._line.close()
        guest.caller.port = guest.caller._line.port = house.port


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_row_is_named_when_its_game_is_loaded(
    name: str, new_house: NewHouse, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    party, (statement, said) = played(new_house), CHANGES[name]
    new_house().stop()
    change_rows(tmp_path / "games" / FILE, statement)
    with caplog.at_level(logging.ERROR):
        again(new_house, party)
        told = party.prussia.fresh["stranded"]
    assert said in told
    assert f"the game {party.game} was changed in the database: " in caplog.text
    assert said in caplog.text
    assert party.prussia.post("/orders", {"seen": party.prussia.n, "key": "k" * 20, "order": "done"}).status == 409


@pytest.mark.parametrize("name", CHANGES)
def test_a_copy_with_a_changed_row_is_not_restored(
    name: str, new_house: NewHouse, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    party, (statement, said) = played(new_house), CHANGES[name]
    new_house().stop()
    copy, folder = tmp_path / "copy.db", tmp_path / "games"
    assert run(["backup", "--data-dir", str(folder), str(copy)]) == 0
    assert run(["restore", "--data-dir", str(folder), str(copy)]) == 0, "the copy as it was made is taken"
    before = (folder / FILE).read_bytes()
    change_rows(copy, statement)
    with closing(sqlite3.connect(copy)) as raw, raw:
        raw.execute("PRAGMA user_version = 0")  # whoever changes rows can take the check sum away, and not the seal
    assert run(["restore", "--data-dir", str(folder), str(copy)]) == 2
    err = capsys.readouterr().err
    assert f"the game {party.game} was changed: " in err
    assert said in err
    assert (folder / FILE).read_bytes() == before


def test_the_record_of_a_changed_game_names_the_line(new_house: NewHouse, tmp_path: Path) -> None:
    party = played(new_house)
    new_house().stop()
    change_rows(tmp_path / "games" / FILE, CHANGES["one bit of an order"][0])
    again(new_house, party)
    prussia = party.prussia
    assert prussia.post("/moves", {"seen": prussia.n, "key": "k" * 20, "do": "resign"}).status == 200
    with pytest.raises(RecordError, match="this is not what was bound when it was written") as found:
        check(parse(Path("record"), prussia.get("/record").body))
    assert found.value.line == 13


def test_an_ended_game_whose_rows_were_changed_is_named_too(new_house: NewHouse, tmp_path: Path) -> None:
    party = played(new_house)
    assert party.prussia.post("/moves", {"seen": party.prussia.n, "key": "k" * 20, "do": "resign"}).status == 200
    new_house().stop()
    change_rows(tmp_path / "games" / FILE, CHANGES["another order"][0])
    again(new_house, party)
    assert party.prussia.fresh["has_ended"]
    assert CHANGES["another order"][1] in party.prussia.fresh["stranded"]


def test_a_changed_link_is_found_by_the_ledger(new_house: NewHouse, tmp_path: Path) -> None:
    party = played(new_house)
    new_house().stop()
    change_rows(tmp_path / "games" / FILE, ANOTHER_LINK)
    again(new_house, party)
    assert "cannot go on here" in party.prussia.fresh["stranded"]


def test_any_bit_of_an_order_in_a_copy_is_noticed(new_house: NewHouse, tmp_path: Path) -> None:
    played(new_house)
    new_house().stop()
    copy, folder = tmp_path / "copy.db", tmp_path / "games"
    assert run(["backup", "--data-dir", str(folder), str(copy)]) == 0
    whole = copy.read_bytes()
    at = whole.index(b"step north 2")
    for bit in range(8):
        copy.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :])
        assert run(["restore", "--data-dir", str(folder), str(copy)]) == 2
