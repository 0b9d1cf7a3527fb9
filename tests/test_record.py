import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leuthen.bots import RandomBot
from leuthen.engine.ruleset import Player
from leuthen.play import record
from leuthen.play.dice import Key
from leuthen.play.record import Header, RecordError, Writer, read
from leuthen.play.replay import Replay
from leuthen.play.table import Game, Table, make_header
from tests.rows import rows
from tests.toy import Toy

HEADER = Header("toy", "1", "parley", "feedc0de", {"rounds": "3"}, {"prussia": "human", "austria": "random"}, "g1")
HEADER_LINES = 9


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "games" / "one.leuthen"
    with Writer.create(path, HEADER) as writer:
        for actor, text in [("prussia", "bid 2"), ("austria", "bid 3"), ("chance", "die 1"), ("prussia", "undo")]:
            writer.write(actor, text)
    return path


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def line_of_error(path: Path) -> int:
    with pytest.raises(RecordError) as caught:
        read(path)
    assert str(path) in str(caught.value)
    return caught.value.line


def test_a_written_record_is_read_back(path: Path) -> None:
    recorded = read(path)
    assert recorded.header == HEADER
    assert [(entry.number, entry.actor, entry.text) for entry in recorded.entries] == [
        (1, "prussia", "bid 2"),
        (2, "austria", "bid 3"),
        (3, "chance", "die 1"),
        (4, "prussia", "undo"),
    ]
    assert (recorded.end, recorded.torn, recorded.notice) == ("", b"", "")


def test_durable_lines_are_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    with Writer.create(tmp_path / "a", HEADER, durable=False) as writer:
        writer.write("prussia", "bid 1")
        quiet = len(synced)
    with Writer.create(tmp_path / "b", HEADER) as writer:
        before = len(synced)
        writer.write("prussia", "bid 1")
        assert len(synced) == before + 1
    assert quiet <= 1, "only the folder"


def test_an_ended_record_cannot_be_continued(path: Path) -> None:
    with Writer.append(read(path)) as writer:
        writer.end("draw points 1757 T4 abc")
    recorded = read(path)
    assert recorded.end == "draw points 1757 T4 abc"
    with pytest.raises(RecordError, match=r"line 14: this game has ended"):
        Writer.append(recorded)
    path.write_bytes(path.read_bytes()[:-2])
    assert (read(path).end, bool(read(path).torn)) == ("", True)


@given(cut=st.integers(0, 10_000))
def test_a_cut_record_continues_after_its_last_full_line(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.mktemp("cut") / "one.leuthen"
    with Writer.create(path, HEADER) as writer:
        for number in range(4):
            writer.write("prussia", f"step {number} Österreich")
    whole = path.read_bytes()
    start = sum(map(len, lines_of(path)[:HEADER_LINES]))
    cut = start + cut % (len(whole) - start + 1)
    path.write_bytes(whole[:cut])
    recorded = read(path)
    kept = whole[:cut].count(b"\n") - HEADER_LINES
    assert len(recorded.entries) == kept
    assert bool(recorded.notice) == bool(recorded.torn) == (whole[cut - 1 : cut] != b"\n")
    with Writer.append(recorded) as writer:
        for number in range(kept, 4):
            writer.write("prussia", f"step {number} Österreich")
    assert path.read_bytes() == whole


def change_letter(lines: list[bytes], at: int) -> int:
    place = lines[at].index(b"  #") - 1
    lines[at] = lines[at][:place] + b"x" + lines[at][place + 1 :]
    return at


def delete_line(lines: list[bytes], at: int) -> int:
    del lines[at]
    return at


def swap_lines(lines: list[bytes], at: int) -> int:
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return at


def repeat_line(lines: list[bytes], at: int) -> int:
    lines.insert(at + 1, lines[at])
    return at + 1


@pytest.mark.parametrize("damage", [change_letter, delete_line, swap_lines, repeat_line])
@pytest.mark.parametrize("at", range(1, HEADER_LINES + 3))
def test_a_damaged_line_is_named(path: Path, damage: Callable[[list[bytes], int], int], at: int) -> None:
    lines = lines_of(path)
    named = damage(lines, at)
    path.write_bytes(b"".join(lines))
    assert line_of_error(path) == named + 1


@pytest.mark.parametrize(("data", "line", "reason"), rows("record-foreign-files"))
def test_foreign_files_are_refused(tmp_path: Path, data: bytes, line: int, reason: str) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(data)
    with pytest.raises(RecordError, match=reason):
        read(path)
    assert line_of_error(path) == line


def test_a_record_with_valid_checks_can_still_be_invalid(tmp_path: Path) -> None:
    def refused(*texts: str) -> str:
        chain = record.new_chain()
        path = tmp_path / "forged"
        path.write_text("".join(record.seal(chain, text) + "\n" for text in texts))
        with pytest.raises(RecordError) as caught:
            read(path)
        return str(caught.value)

    assert "does not name its scenario and data and game and takebacks" in refused("leuthen record 1", "ruleset toy 1")
    header = HEADER.lines()
    assert 'line 10: is not action 1: "hello"' in refused(*header, "hello")
    assert "line 10: is not action 1" in refused(*header, "    2 prussia bid 1")
    assert 'line 11: is not action 2: "end draw"' in refused(*header, "    1 prussia bid 1", "end draw", "end draw")


def test_an_existing_file_is_not_overwritten(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(RecordError, match="this file already exists"):
        Writer.create(path, HEADER)
    assert path.read_bytes() == before


def test_a_record_has_one_writer(path: Path) -> None:
    pytest.importorskip("fcntl")
    recorded = read(path)
    with Writer.append(recorded), pytest.raises(RecordError, match="open in another process"):
        Writer.append(recorded)
    Writer.append(recorded).close()


def test_a_record_changed_since_reading_is_not_continued(path: Path) -> None:
    recorded = read(path)
    with Writer.append(recorded) as writer:
        writer.write("austria", "done")
    before = path.read_bytes()
    with pytest.raises(RecordError, match="has changed since"):
        Writer.append(recorded)
    assert path.read_bytes() == before


@pytest.mark.parametrize("is_new", [True, False])
def test_a_line_that_cannot_be_written_is_removed(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_new: bool
) -> None:
    with Writer.create(tmp_path / "new", HEADER) if is_new else Writer.append(read(path)) as writer:
        path = writer.path
        before = path.read_bytes()

        def full(handle: int) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(RecordError, match="No space left"):
                writer.write("austria", "done")
        assert path.read_bytes() == before
        writer.write("austria", "peek")
    assert read(path).entries[-1].text == "peek"


FIRST = 8


def play_game(toy: Toy, path: Path, *seats: Player, seed: int = 1) -> Table:
    header = make_header(toy, "parley", {"rounds": "3"}, ("human", "random"), game="g1")
    with Writer.create(path, header, durable=False) as record:
        table = Table(toy, toy.new_game("parley", header.options), record=record)
        Game(table, seats, Key.from_seed(seed).dice()).play()
    return table


def forge(path: Path, *lines: str, header: Header | None = None) -> Path:
    toy_header = header or make_header(Toy(), "parley", {}, ("a", "b"), game="g1")
    with Writer.create(path, toy_header, durable=False) as record:
        for line in lines:
            record.write(*line.split(" ", 1))
    return path


def replay_error(toy: Toy, path: Path) -> RecordError:
    with pytest.raises(RecordError) as caught:
        Replay(toy, read(path)).run()
    return caught.value


def test_a_game_continues_from_every_line(toy: Toy, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    play_game(toy, whole, RandomBot(3), RandomBot(4))
    lines = whole.read_bytes().splitlines(keepends=True)
    for kept in range(FIRST - 1, len(lines) - 1):  # the end counts without its line break, too
        part = tmp_path / f"part{kept}"
        part.write_bytes(b"".join(lines[:kept]) + lines[kept][:-1])
        recorded = read(part)
        assert recorded.notice
        table = Replay(toy, recorded).run()
        with Writer.append(recorded, durable=False) as record:
            table.record = record
            assert Game(table, [RandomBot(5), RandomBot(6)], Key.from_seed(kept).dice()).play() is not None
        assert part.read_bytes().startswith(b"".join(lines[:kept]))
        assert Replay(toy, read(part)).run().state == table.state


def test_a_replay_stops_at_each_line(toy: Toy, tmp_path: Path) -> None:
    replay = Replay(toy, read(forge(tmp_path / "a", "prussia bid 2", "austria bid 1", "chance die 3")))
    assert [(entry.line, replay.table.state.phase) for entry in replay] == [(10, "bid"), (11, "roll"), (12, "move")]


@pytest.mark.parametrize(("lines", "line", "reason"), rows("record-illegal-lines"))
def test_an_illegal_line_is_named(toy: Toy, tmp_path: Path, lines: list[str], line: int, reason: str) -> None:
    path = forge(tmp_path / "forged", *lines)
    error = replay_error(toy, path)
    assert error.line == line
    with pytest.raises(RecordError, match=reason):
        Replay(toy, read(path)).run()


@pytest.mark.parametrize("end", ["prussia points 1756 T4 abc", "draw points 1759 T4 abc"])
def test_a_false_end_is_refused(toy: Toy, tmp_path: Path, end: str) -> None:
    path = forge(tmp_path / "early", "prussia bid 1")
    with Writer.append(read(path)) as record:
        record.end(end)
    error = replay_error(toy, path)
    assert error.line == 11
    assert '"goes on"' in str(error)
