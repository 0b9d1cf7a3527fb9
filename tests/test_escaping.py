from pathlib import Path

import pytest

from leuthen.engine.refusal import Invalid
from leuthen.server.http.serve import listen
from leuthen.server.security.request_guard import names_of, origin_of
from leuthen.storage.backup import back_up, restore
from leuthen.storage.postgres import Postgres
from leuthen.storage.sqlite import FILE
from leuthen.storage.store import Store
from leuthen.terminal import start

FOLDERS = ["a?b=c", "a#b", "100 %25", "a&b;c", "ä ö", 'it\'s "here"', "%2e%2e"]


@pytest.mark.parametrize("name", FOLDERS)
def test_a_game_folder_may_have_any_name(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    folder.mkdir()
    Store(folder).close()
    assert (folder / FILE).is_file()
    assert sorted(path.name for path in tmp_path.iterdir()) == [name]
    copy = back_up(folder, tmp_path / f"copy {name}.db")
    assert restore(folder, copy) is not None


@pytest.mark.parametrize(
    ("given", "origin"),
    [
        ("https://spiel.müller.example", "https://spiel.xn--mller-kva.example"),
        ("https://straße.example", "https://xn--strae-oqa.example"),
        ("https://ЗАПАД.example:8443", "https://xn--80aamj5b.example:8443"),
        ("https://xn--mller-kva.example", "https://xn--mller-kva.example"),
        ("https://Play.Example.org:443", "https://play.example.org"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_a_public_url_is_written_as_browsers_send_it(given: str, origin: str) -> None:
    assert origin_of(given) == origin
    assert names_of("127.0.0.1", [given]).origins == (origin,)


@pytest.mark.parametrize(
    "given", ["https://a..ü.example", "https://ü\u200d.example", "https://-ü.example", "https://\u2603\ufe0f.\u0378"]
)
def test_an_impossible_public_url_is_refused(given: str) -> None:
    with pytest.raises(Invalid, match="is not a host name"):
        origin_of(given)


def test_an_invalid_host_name_is_refused() -> None:
    with pytest.raises(Invalid, match=r"--host: \"a\.\.ü\" is not a host name"):
        names_of("a..ü", [])
    with pytest.raises(Invalid, match="is not a host name"):
        listen("a" * 80 + ".example", 0)
    assert "xn--mller-kva" in names_of("müller", []).hosts


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_a_database_password_may_contain_any_character(scheme: str) -> None:
    pytest.importorskip("psycopg")
    database = Postgres(f"{scheme}://me:p%40ss%2F%3F%23postgres%3A%2F%2F@host/name")
    assert database._url.password == "p@ss/?#postgres://"
    assert "p@ss" not in database.name


def test_a_record_s_file_name_has_only_safe_characters(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(start, "games_folder", lambda: tmp_path)
    path = start._new_path(start.Setup("campaign", {}, ("my.bots:Bot", "human")))
    assert path.parent == tmp_path
    assert path.name.startswith("campaign_")
    assert path.name.endswith("_my.bots-Bot-human_1.leuthen")
