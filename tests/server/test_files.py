import re
from collections.abc import Iterator

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from leuthen.load import Unreadable
from leuthen.server.http import files

MODULE = "js/main.js"


@pytest.fixture
def client() -> Iterator[TestClient[Litestar]]:
    with TestClient(Litestar([*files.ROUTES])) as client:
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
    assert {"js/players.js", "js/session/api.js", "js/home/invite.js"} <= set(named), "what it imports"
    assert "js/dom.js" in named, "what these import"
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


def test_the_map_is_sent_and_not_twice(client: TestClient[Litestar]) -> None:
    answer = client.get("/map/frederick.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert 'data-hex="60"' in answer.text
    assert client.get("/map/frederick.svg", headers={"if-none-match": answer.headers["etag"]}).status_code == 304
    assert client.get("/map/nothing.svg").status_code == 404


def test_a_map_that_cannot_be_read_is_a_fault_of_the_server_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(ruleset: str) -> str:
        raise Unreadable(f"/secret/{ruleset}/table.svg: cannot be read")

    files.map_sheet.cache_clear()
    with TestClient(Litestar([*files.ROUTES]), raise_server_exceptions=False) as client:
        monkeypatch.setattr(files, "table_sheet", missing)
        answer = client.get("/map/frederick.svg")
        assert answer.status_code == 500
        assert "secret" not in answer.text
        monkeypatch.undo()
        assert client.get("/map/frederick.svg").status_code == 200
