from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import leuthen
from leuthen.cases.run import main
from leuthen.cli import run
from leuthen.engine.refusal import Invalid, lines_of, number_of, read_number
from leuthen.load import load, read_data, text_of
from leuthen.play.record import Header, RecordError, Writer, parse, read
from leuthen.play.table import make_header
from leuthen.server.http.serve import listen
from leuthen.server.security.request_guard import names_of, origin_of
from leuthen.storage.postgres import Postgres
from leuthen.storage.sqlite import FILE, back_up, restore
from leuthen.storage.store import Store
from leuthen.terminal import start
from leuthen.wargame.board import parse_hex
from leuthen.wargame.data_files import read_rows
from tests.rows import rows

INVALID_NUMBERS = ["１２", "٣", "²", "1_0", "+3", "-0x1", "", "9" * 5000]
HEADER = Header("frederick", "2", "campaign", "d" * 16, {}, {"prussia": "random", "austria": "random"}, "g1")


@pytest.fixture
def record(tmp_path: Path) -> bytes:
    path = tmp_path / "plain.leuthen"
    with Writer.create(path, HEADER) as writer:
        writer.write("prussia", "march Keith +5 1632-1633")
        writer.write("austria", "done")
        writer.end("draw points 1757 T4 abc")
    return path.read_bytes()


def rules_and_position() -> tuple[Any, Any]:
    return leuthen.ruleset("frederick"), leuthen.position("phase march prussia die 3 ; Prussia 1632 5 Keith")


def read_order(text: str) -> object:
    rules, state = rules_and_position()
    return rules.parse_action(state, 0, f"march Keith +{text} 1632-1633")


def read_clause(text: str) -> object:
    rules: Any = load("campaigns")
    view = rules.view(rules.new_game("1757", {}), 0)
    return rules.standing.parse(view, f"ignore of {text}")


def read_case(text: str) -> object:
    return leuthen.position(f"year {text}")


def read_column(text: str) -> object:
    ((_, row),) = read_rows({"a.csv": f"n\n{text or '-'}\n"}, "a.csv", "n")
    return row.number("n", 0, 10**9)


def read_option(text: str) -> object:
    return leuthen.ruleset("frederick").new_game("campaign", {"last-year": text})


READERS: tuple[Callable[[str], object], ...] = (
    lambda text: read_number(text, "a number"),
    parse_hex,
    read_order,
    read_clause,
    read_case,
    read_column,
    read_option,
    lambda text: leuthen.position(f"phase march prussia die {text}; Prussia 1632 5 Keith"),
)


@pytest.mark.parametrize("reader", range(len(READERS)))
@pytest.mark.parametrize("text", INVALID_NUMBERS, ids=lambda text: ascii(text[:8]))
def test_a_non_ascii_or_overlong_number_is_refused(reader: int, text: str) -> None:
    assert number_of(text) is None
    with pytest.raises(Invalid) as error:
        READERS[reader](text)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("text", [*INVALID_NUMBERS[:-1], "9" * 4000], ids=lambda text: ascii(text[:8]))
def test_an_argument_that_is_not_a_number_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(["simulate", f"--games={text}"])
    assert ended.value.code == 2
    assert "is not a valid whole number of 1 or more" in (said := capsys.readouterr().err)
    assert len(said) < 400


@pytest.mark.parametrize("text", ["march Keith +１ ", "march Keith +٣ 16", "march Keith +" + "9" * 5000])
def test_completion_ignores_invalid_numbers(text: str) -> None:
    rules, state = rules_and_position()
    assert list(rules.complete(state, 0, text)) == []


def test_a_record_with_a_long_number_is_refused(tmp_path: Path) -> None:
    path, rules = tmp_path / "long.leuthen", leuthen.ruleset("frederick")
    with Writer.create(path, make_header(rules, "campaign", {}, ("random", "random"), game="g1")) as writer:
        writer.write("prussia", f"take-back {'9' * 5000}")
    with pytest.raises(RecordError, match="a number of actions"):
        leuthen.Replay(rules, read(path)).run()
    data = path.read_bytes().replace(b"\n    1 ", b"\n" + b"1" * 4301 + b" ")
    with pytest.raises(RecordError, match="does not fit its check"):
        parse(path, data)


def test_only_a_line_break_ends_a_line() -> None:
    assert lines_of("a\r\nb\nc") == ["a", "b", "c"]
    assert lines_of("\ufeffa\n") == ["a"]
    assert lines_of("") == []
    for odd in "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029":
        assert lines_of(f"a{odd}b\n") == [f"a{odd}b"]


EDITOR_CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "line ends of Windows": lambda data: data.replace(b"\n", b"\r\n"),
    "both": lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
    "no last line break": lambda data: data[:-1],
    "none, and Windows": lambda data: data.replace(b"\n", b"\r\n")[:-2],
}


@pytest.mark.parametrize("change", EDITOR_CHANGES)
def test_a_record_saved_by_an_editor_is_read(change: str, record: bytes, tmp_path: Path) -> None:
    plain, changed = (parse(tmp_path / "a", data) for data in (record, EDITOR_CHANGES[change](record)))
    assert (changed.lines, changed.entries, changed.end, changed.header) == (
        plain.lines, plain.entries, plain.end, plain.header
    )  # fmt: skip
    assert changed.notice == ""


@pytest.mark.parametrize("change", ["byte order mark", "line ends of Windows", "both"])
def test_a_converted_record_can_be_continued(change: str, tmp_path: Path) -> None:
    path = tmp_path / "a.leuthen"
    with Writer.create(path, HEADER) as writer:
        writer.write("prussia", "done")
    path.write_bytes(EDITOR_CHANGES[change](path.read_bytes()))
    with Writer.append(read(path)) as writer:
        writer.write("austria", "done")
    assert [entry.actor for entry in read(path).entries] == ["prussia", "austria"]


def test_no_break_spaces_in_a_record_are_named(record: bytes, tmp_path: Path) -> None:
    changed = record.replace(b"march Keith", b"march\xc2\xa0Keith")
    with pytest.raises(RecordError, match="line 9: has other spaces than the record, as a copy from a page"):
        parse(tmp_path / "a", changed)
    with pytest.raises(RecordError, match="line 9: this line does not fit its check"):
        parse(tmp_path / "a", record.replace(b"+5", b"+6"))


CASE = "CASE a\nGIVEN year 1757 turn 4\nEXPECT turn 4\n"


@pytest.mark.parametrize("change", EDITOR_CHANGES)
def test_a_case_file_saved_by_an_editor_is_read(change: str, tmp_path: Path) -> None:
    path = tmp_path / "a.case"
    path.write_bytes(EDITOR_CHANGES[change](CASE.encode()))
    assert main([path]) == 0


def test_no_break_spaces_in_a_case_are_accepted(tmp_path: Path) -> None:
    path = tmp_path / "a.case"
    path.write_text(CASE.replace(" ", "\u00a0"), encoding="utf-8")
    assert main([path]) == 0


@pytest.mark.parametrize("change", EDITOR_CHANGES)
def test_data_saved_by_an_editor_are_read(change: str, tmp_path: Path) -> None:
    data = b"name,sp\nKeith,5\nDaun,8\n"
    path = tmp_path / "a.csv"
    path.write_bytes(EDITOR_CHANGES[change](data))
    rows = [
        (number, row["name"], row.number("sp"))
        for number, row in read_rows({"a.csv": text_of(path)}, "a.csv", "name sp")
    ]
    assert rows == [(2, "Keith", 5), (3, "Daun", 8)]


@pytest.mark.parametrize(("text", "named"), [("a\rb,5\n", "carriage return"), ("Keith\u00a0,5\n", "no-break space")])
def test_a_forbidden_character_in_data_is_named(text: str, named: str) -> None:
    with pytest.raises(Invalid, match=rf"a\.csv, line 2: the line contains a {named}"):
        list(read_rows({"a.csv": f"name,sp\n{text}"}, "a.csv", "name sp"))


def test_converted_data_have_the_same_digest(tmp_path: Path) -> None:
    for name, text in read_data("frederick").items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(EDITOR_CHANGES["both"](text.encode()))
    assert load("frederick", tmp_path).digest == load("frederick").digest


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


@pytest.mark.parametrize(("given", "origin"), rows("public-urls"))
def test_a_public_url_is_written_as_browsers_send_it(given: str, origin: str) -> None:
    assert origin_of(given) == origin
    assert names_of("127.0.0.1", [given])[1] == (origin,)


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
    assert "xn--mller-kva" in names_of("müller", [])[0]


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_a_database_password_may_contain_any_character(scheme: str) -> None:
    pytest.importorskip("psycopg")
    database = Postgres(f"{scheme}://me:p%40ss%2F%3F%23postgres%3A%2F%2F@host/name")
    assert database._url.password == "p@ss/?#postgres://"
    assert "p@ss" not in database.name


def test_a_record_s_file_name_has_only_safe_characters(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(start, "games_folder", lambda: tmp_path)
    path = start._new_path("campaign", ("my.bots:Bot", "human"))
    assert path.parent == tmp_path
    assert path.name.startswith("campaign_")
    assert path.name.endswith("_my.bots-Bot-human_1.leuthen")
