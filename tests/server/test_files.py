import gzip
import http.client
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from litestar import Litestar
from litestar.testing import TestClient

from leuthen.load import UnreadableFile, load
from leuthen.screen.values import Badge, HeldFortress, Piece, Scene, Score
from leuthen.server.http import files, home
from leuthen.server.http.browser import routes_in
from leuthen.server.http.home import html_of
from leuthen.server.session.streams import difference
from tests.server.conftest import TOY_GAME, GameClients, NewServer, SeatClient, create_game, creator_of, new_caller
from tests.server.harness import Answer, TestServer
from tests.server.test_connections import apply_patch

MODULE = "js/main.js"


@pytest.fixture
def client() -> Iterator[TestClient[Litestar]]:
    with TestClient(Litestar([*routes_in(files)])) as client:
        yield client


def test_versioned_files_of_a_page_are_cached(client: TestClient[Litestar]) -> None:
    html = client.get("/table/whatever").text
    links = re.findall(r'(?:src|href)="(/static/[^"]+)"', html)
    assert len(links) > 4
    for link in links:
        answer = client.get(link)
        assert answer.status_code == 200, link
        assert "immutable" in answer.headers["cache-control"]
    assert "no-cache" in client.get(f"/static/{MODULE}").headers["cache-control"]
    assert "no-cache" in client.get(f"/static/~0123456789ab/{MODULE}").headers["cache-control"], "an old version"


def test_a_page_preloads_the_modules_that_its_script_imports(client: TestClient[Litestar]) -> None:
    html = client.get("/seat").text
    named = re.findall(r'rel="modulepreload" href="/static/~\w+/([^"]+)"', html)
    assert {"js/players.js", "js/session/api.js", "js/home/invite.js"} <= set(named)
    assert "js/dom.js" in named
    assert "js/home/seat.js" not in named
    assert len(named) == len(set(named))


def test_a_file_is_compressed_on_request_and_cached(client: TestClient[Litestar]) -> None:
    plain = client.get(f"/static/{MODULE}", headers={"accept-encoding": "identity"})
    small = client.get(f"/static/{MODULE}", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert small.headers["content-encoding"] == "gzip"
    assert plain.content == small.content
    again = client.get(f"/static/{MODULE}", headers={"if-none-match": plain.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["../server/app.py", "%2e%2e/load.py", "js/../../load.py", "js", "types.d.ts", "x.js"])
def test_other_paths_are_not_served(client: TestClient[Litestar], path: str) -> None:
    assert client.get(f"/static/{path}").status_code == 404


def test_the_map_is_cached_by_its_tag(client: TestClient[Litestar]) -> None:
    answer = client.get("/map/frederick.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert 'data-hex="60"' in answer.text
    assert client.get("/map/frederick.svg", headers={"if-none-match": answer.headers["etag"]}).status_code == 304
    assert client.get("/map/nothing.svg").status_code == 404


def test_an_unreadable_map_is_read_again_later(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(ruleset: str) -> str:
        raise UnreadableFile(f"/secret/{ruleset}/table.svg: cannot be read")

    files.map_sheet.cache_clear()
    with TestClient(Litestar([*routes_in(files)]), raise_server_exceptions=False) as client:
        monkeypatch.setattr(files, "table_sheet", missing)
        answer = client.get("/map/frederick.svg")
        assert answer.status_code == 500
        assert "secret" not in answer.text
        monkeypatch.undo()
        assert client.get("/map/frederick.svg").status_code == 200


def fetch(client: SeatClient, path: str = "", takes: str = "gzip, br") -> tuple[dict[str, str], bytes]:
    line = http.client.HTTPConnection("127.0.0.1", client.caller.port, timeout=60)
    line.request("GET", client.base + path, headers=client.caller.headers() | {"Accept-Encoding": takes})
    response = line.getresponse()
    headers, body = {name.lower(): value for name, value in response.getheaders()}, response.read()
    line.close()
    assert response.status == 200
    assert int(headers["content-length"]) == len(body)
    return headers, body


def is_packed(client: SeatClient, path: str = "") -> bool:
    headers, body = fetch(client, path)
    if headers.get("content-encoding") != "gzip":
        return False
    assert headers["vary"] == "Accept-Encoding"
    assert len(gzip.decompress(body)) > len(body)
    return True


def test_answers_with_secrets_of_two_players_stay_uncompressed(game: GameClients) -> None:
    assert [is_packed(client) for client in game.clients] == [False, False, True], "spectators have no secrets"
    assert not is_packed(game.prussia, "/chronicle")
    assert gzip.decompress(fetch(game.spectator)[1]) == game.spectator.get("").body
    game.prussia.move("resign")
    assert [is_packed(client) for client in game.clients] == [True, True, True], "the game has ended"


def test_answers_against_a_bot_are_compressed(server: TestServer) -> None:
    client = creator_of(server, ("me", "random"))
    assert is_packed(client)
    assert "content-encoding" not in fetch(client, takes="identity")[0]
    assert "content-encoding" not in fetch(client, "/chat")[0], "too short to compress"


PATHS = ("/api/rulesets/toy/rules", "/map/toy.svg", "/api/rulesets/toy", "/api/rulesets", "/api/home", "/healthz")


def text_of(answer: Answer) -> str:
    return answer.body.decode() + str(answer.headers)


@pytest.mark.parametrize("broken", ["rulebook", "data", "latin"])
def test_an_error_does_not_name_a_file(
    new_server: NewServer,
    toy_data: Path,
    broken: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    for cached in (home._rulebook, home._setting):
        cached.cache_clear()
    server = new_server()
    create_game(server, ("me", "me"))
    if broken == "latin":
        (toy_data.parent / "rulebook" / "t.md").write_bytes(b"# T1 \xff")
    else:
        shutil.rmtree(toy_data.parent / broken)
    if broken == "data":
        load.cache_clear()
    answers = [new_caller(server.port).get(path) for path in PATHS]
    answers.append(new_caller(server.port).post("/api/games", TOY_GAME))
    assert 500 in {answer.status for answer in answers}
    for answer in answers:
        assert str(toy_data.parent.parent) not in text_of(answer)
        assert "Traceback" not in text_of(answer)
        assert str(Path(files.__file__).parent.parent) not in text_of(answer)
    assert str(toy_data.parent) in caplog.text, "the log names the file"


BUTTON = '<button type="button" class="rule" data-rule="O1.2">O1.2</button>'


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<b onclick=x>bold</b>", "<p>&lt;b onclick=x&gt;bold&lt;/b&gt;</p>\n"),
        ("[there](javascript:alert)", "<p>[there](javascript:alert)</p>\n"),
        ("[there](page.md)", "<p>there</p>\n"),
        ("see *O1.2* & O9.9", f"<p>see <em>{BUTTON}</em> &amp; O9.9</p>\n"),
        ("`O1.2`", "<p><code>O1.2</code></p>\n"),
        ("![x](http://elsewhere/x.png)", "<p>!x</p>\n"),
    ],
)
def test_markdown_is_rendered_and_html_is_escaped(text: str, html: str) -> None:
    assert html_of(text, {"O1.2"}) == html


def test_a_rendered_table_scrolls_and_has_column_headers() -> None:
    html = html_of("| A | B |\n|---|---|\n| 1 | O1.2 |", {"O1.2"})
    assert html.startswith('<div class="scroll-x" tabindex="0"')
    assert '<th scope="col">A</th>' in html
    assert f"<td>{BUTTON}</td>" in html


def test_the_rules_are_also_served_as_html(game: GameClients) -> None:
    chapters = new_caller(game.server.port).get("/api/rulesets/toy/rules").json["chapters"]
    rules = [rule for chapter in chapters for rule in chapter["rules"]]
    assert all(rule["number"] in rule["html"] and "<p>" in rule["html"] for rule in rules)
    assert all(f'data-rule="{rule["number"]}"' not in rule["html"] for rule in rules), "a rule does not link to itself"


badges = st.builds(Badge, st.sampled_from("ab"), st.just("m"), st.text(max_size=2), st.just("O1"))
pieces = st.builds(
    Piece,
    place=st.sampled_from(["1623", "1624"]),
    side=st.integers(0, 2),
    inside=st.booleans(),
    power=st.integers(0, 2),
    title=st.text(max_size=2),
    ratings=st.just("1-1-1"),
    strength=st.sampled_from(["?", "4–9"]),
    low=st.integers(0, 2),
    high=st.integers(0, 2),
    is_known=st.booleans(),
    spoken=st.just(""),
    since=st.sampled_from(["", "now"]),
    badges=st.lists(badges, max_size=2).map(tuple),
)
keys = st.sampled_from(["a", "b", "c"])
scenes = st.builds(
    Scene,
    viewer=st.integers(0, 3),
    title=st.text(max_size=2),
    phase=st.just("march"),
    year=st.integers(1756, 1757),
    turn=st.just(1),
    phasing=st.just(0),
    pieces=st.dictionaries(keys, pieces),
    markers=st.just({}),
    holdings=st.dictionaries(keys, st.builds(HeldFortress, st.integers(0, 1), st.booleans(), st.just(3), st.just(""))),
    scores=st.lists(st.builds(Score, st.just("vp"), st.just("VP"), st.just((1, 2)), st.just(""), st.just(""))).map(
        tuple
    ),
    stages=st.just(()),
    powers=st.just(()),
    musters=st.just(()),
    notes=st.lists(st.text(max_size=2), max_size=2).map(tuple),
    result=st.sampled_from(["", "won"]),
)


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


@settings(max_examples=30)
@given(scenes, scenes, scenes)
def test_patches_turn_one_scene_into_another(one: Scene, two: Scene, three: Scene) -> None:
    scene = plain(one)
    for before, after in ((one, two), (two, three)):
        scene = apply_patch(scene, plain(difference(before, after)))
        assert scene == plain(after)
    assert apply_patch(apply_patch(scene, plain(difference(one, two))), plain(difference(two, three))) == scene
    assert difference(one, msgspec.convert(plain(one), Scene)) == {}


def test_a_patch_contains_only_the_changed_piece() -> None:
    one = Scene(0, "", "", 1756, 1, 0, {}, {}, {}, (), (), (), ())
    piece = Piece("1623", 0, False, 0, "Keith", "1-1-2", "4", 4, 4, True, "")
    two = msgspec.structs.replace(one, pieces={"a": piece, "b": piece})
    three = msgspec.structs.replace(two, pieces={"a": msgspec.structs.replace(piece, low=3), "b": piece})
    assert difference(two, three) == {"pieces": {"a": {"low": 3}}}
    assert difference(three, one) == {"pieces": {"a": None, "b": None}}
