from pathlib import Path
from random import Random

import pytest

from leuthen.engine.refusal import Invalid
from leuthen.storage.sqlite import FILE
from tests.server.conftest import call, hang_up, new_party
from tests.server.house import DATABASES, House

PAGE = 4096


def damaged(data: bytes, page: int, how: str) -> bytes:
    torn = {"zeros": bytes(PAGE), "noise": Random(page).randbytes(PAGE), "half": data[page * PAGE :][: PAGE // 2]}[how]
    return data[: page * PAGE] + torn.ljust(PAGE, b"\xff") + data[(page + 1) * PAGE :]


HOW = ("zeros", "noise", "half")


@pytest.mark.parametrize("how", HOW)
def test_torn_pages_are_a_clear_problem(
    shelf: Path, tmp_path: Path, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    if DATABASES:
        pytest.skip("PostgreSQL keeps its own pages")
    folder = tmp_path / "whole"
    house = House(folder)
    house.start()
    party = new_party(house)
    party.prussia.orders("bid 1")
    base, cookies, secret = party.prussia.base, party.prussia.caller.cookies, party.prussia.post("/link", {}).json
    hang_up()
    house.stop()
    data = (folder / FILE).read_bytes()
    statuses = set[int]()
    for page in range(HOW.index(how), len(data) // PAGE, len(HOW)):  # each page once
        torn = tmp_path / f"{how}-{page}"
        torn.mkdir()
        (torn / FILE).write_bytes(damaged(data, page, how))
        try:
            house = House(torn)
        except Invalid:
            continue  # it says so at its start
        house.start()
        caller = call(house.port)
        caller.cookies |= cookies
        paths = (
            "/api/home",
            "/api/school",
            base,
            f"{base}/chronicle",
            f"{base}/record",
            f"{base}/chat",
            f"{base}/notes",
        )
        answers = [caller.get(path) for path in (*paths, f"{base}/devices")]
        answers.append(caller.post("/api/take", {"secret": secret["link"].removeprefix("/seat#")}))
        answers.append(caller.post(f"{base}/chat", {"key": f"a-key-{page:04}", "text": "Well met"}))
        answers.append(
            caller.post("/api/games", {"players": ["me", "me"], "ruleset": "toy", "scenario": "parley"}),
        )
        assert not [answer for answer in answers if answer.status == 500], page
        statuses |= {answer.status for answer in answers}
        hang_up()
        house.stop()
    assert 503 in statuses
    assert "a request failed" not in caplog.text
