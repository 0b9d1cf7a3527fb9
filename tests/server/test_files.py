"""The client's files go out small, whole and of one version; the map is drawn once."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest
from litestar import Litestar
from litestar.datastructures import State
from litestar.testing import TestClient

from leuthen.server.http import files
from leuthen.server.http.files import Sheets
from leuthen.server.session.lanes import Lane, Places, Run, WorkerDied
from leuthen.server.session.problems import Fault
from tests.server.alone import here

T = TypeVar("T")

MODULE = "js/main.js"


def sheets(run: Run = here) -> State:
    """What the application keeps for the maps."""
    return State({"sheets": Sheets(Lane(1, 60, Places(), run))})


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[TestClient[Litestar]]:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path / name)
    with TestClient(Litestar([files.files], state=sheets())) as client:
        yield client


def test_a_page_names_its_files_by_their_version_and_they_are_kept_for_good(client: TestClient[Litestar]) -> None:
    html = client.get("/table/whatever").text
    links = re.findall(r'(?:src|href)="(/static/[^"]+)"', html)
    assert len(links) > 4
    for link in links:
        answer = client.get(link)
        assert answer.status_code == 200, link
        assert "immutable" in answer.headers["cache-control"]
    assert "no-cache" in client.get(f"/static/{MODULE}").headers["cache-control"]
    assert "no-cache" in client.get(f"/static/~0123456789ab/{MODULE}").headers["cache-control"], "an older page asks"


def test_a_page_preloads_the_modules_that_its_script_imports(client: TestClient[Litestar]) -> None:
    html = client.get("/seat").text
    named = re.findall(r'rel="modulepreload" href="/static/~\w+/([^"]+)"', html)
    assert {"js/address.js", "js/session/api.js", "js/home/invite.js"} <= set(named), "what it imports"
    assert "js/bits.js" in named, "what these import"
    assert "js/home/seat.js" not in named
    assert len(named) == len(set(named))


def test_a_file_goes_out_compressed_to_who_takes_that_and_not_twice(client: TestClient[Litestar]) -> None:
    plain = client.get(f"/static/{MODULE}", headers={"accept-encoding": "identity"})
    small = client.get(f"/static/{MODULE}", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert small.headers["content-encoding"] == "gzip"
    assert plain.content == small.content
    again = client.get(f"/static/{MODULE}", headers={"if-none-match": plain.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["../server/app.py", "%2e%2e/load.py", "js/../../load.py", "js", "types.d.ts", "x.js"])
def test_nothing_else_is_given_out(client: TestClient[Litestar], path: str) -> None:
    assert client.get(f"/static/{path}").status_code == 404


def test_the_map_is_drawn_once_and_kept(client: TestClient[Litestar], monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Path] = []

    def draw(folder: Path) -> str:
        drawn.append(folder)
        return "<svg>" + "m" * 2000 + "</svg>"

    monkeypatch.setattr("leuthen.cartography.table_sheet", draw)
    for _ in range(2):
        answer = client.get("/map/frederick.svg")
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert answer.text.startswith("<svg>mmm")
    client.app.state.sheets._made.clear()
    assert client.get("/map/frederick.svg").text.endswith("</svg>"), "now from the folder"
    assert len(drawn) == 1
    assert client.get("/map/nothing.svg").status_code == 404


def test_all_who_ask_for_a_map_at_once_wait_for_one_drawing() -> None:
    async def play() -> tuple[list[files.File], int]:
        begun: list[asyncio.Event] = []
        done = asyncio.Event()

        async def slowly(work: Callable[..., T], /, *_: Any) -> T:
            begun.append(done)
            await done.wait()
            return cast("T", files.pack(b"<svg>", "image/svg+xml"))

        maps = sheets(slowly).sheets
        asked = [asyncio.ensure_future(maps.get("frederick")) for _ in range(6)]
        await asyncio.sleep(0)
        asked[0].cancel()
        await asyncio.sleep(0)
        done.set()
        return [*await asyncio.gather(*asked[1:]), await maps.get("frederick")], len(begun)

    drawn, times = asyncio.run(play())
    assert [file.plain for file in drawn] == [b"<svg>"] * 6
    assert times == 1, "one who goes away spoils it for nobody"


def test_a_map_that_failed_is_tried_again() -> None:
    async def play() -> int:
        tries = []

        async def fails(work: Callable[..., T], /, *_: Any) -> T:
            tries.append(1)
            raise WorkerDied

        maps = sheets(fails).sheets
        for _ in range(2):
            with pytest.raises(Fault):
                await maps.get("frederick")
        return len(tries)

    assert asyncio.run(play()) == 2


def test_the_sheet_that_is_kept_is_the_one_that_is_sent(client: TestClient[Litestar]) -> None:
    sheet = files.pack(b"<svg>" + b"x" * 1000, "image/svg+xml")
    assert gzip.decompress(sheet.packed) == sheet.plain
