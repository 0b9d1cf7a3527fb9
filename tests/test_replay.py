from pathlib import Path

import pytest

from leuthen.bots.random import RandomBot
from leuthen.engine.codec import digest_of
from leuthen.engine.seat import Player
from leuthen.play.dice import Key
from leuthen.play.loop import Game
from leuthen.play.record import Header, RecordError, Writer, read
from leuthen.play.replay import Replay
from leuthen.play.table import Table, header_of
from tests.seats import Script
from tests.toy import Bid, Step, Toy

FIRST = 8


def play(toy: Toy, path: Path, *seats: Player, seed: int = 1) -> Table:
    header = header_of(toy, "parley", {"rounds": "3"}, ("human", "random"), game="g1")
    with Writer.create(path, header, durable=False) as record:
        table = Table(toy, toy.new_game("parley", header.options), record=record)
        Game(table, seats, Key.from_seed(seed).dice()).play()
    return table


def forge(path: Path, *lines: str, header: Header | None = None) -> Path:
    toy_header = header or header_of(Toy(), "parley", {}, ("a", "b"), game="g1")
    with Writer.create(path, toy_header, durable=False) as record:
        for line in lines:
            record.write(*line.split(" ", 1))
    return path


def refusal(toy: Toy, path: Path) -> RecordError:
    with pytest.raises(RecordError) as caught:
        Replay(toy, read(path)).run()
    return caught.value


@pytest.mark.parametrize("seed", range(10))
def test_replay_equals_play(toy: Toy, tmp_path: Path, seed: int) -> None:
    path = tmp_path / "game"
    table = play(toy, path, RandomBot(seed), RandomBot(seed + 100), seed=seed)
    again = Replay(toy, read(path)).run()
    assert again.state == table.state
    assert read(path).end.endswith(digest_of(toy, table.state))


def test_undone_actions_are_replayed_as_such(toy: Toy, tmp_path: Path) -> None:
    path = tmp_path / "game"
    seats = Script(Bid(1), Step("north", 2)), Script(Bid(3))
    table = play(toy, path, *seats)
    with Writer.append(read(path)) as record:
        table.record = record
        table.undo(0)
        table.act(0, Step("north", 1))
    again = Replay(toy, read(path)).run()
    assert again.state == table.state
    assert again.can_undo(0), "a draft is a draft still"
    assert not again.can_undo(1)


def test_a_game_goes_on_after_every_line(toy: Toy, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    play(toy, whole, RandomBot(3), RandomBot(4))
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


def test_each_line_can_be_looked_at(toy: Toy, tmp_path: Path) -> None:
    replay = Replay(toy, read(forge(tmp_path / "a", "prussia bid 2", "austria bid 1", "chance die 3")))
    assert [(entry.line, replay.table.state.phase) for entry in replay] == [(10, "bid"), (11, "roll"), (12, "move")]


@pytest.mark.parametrize(
    ("lines", "line", "reason"),
    [
        (["prussia bid 7"], 10, r"«bid 7»: 7 is no bid \(T1\)"),
        (["prussia bid 1", "prussia bid 1"], 11, r"bid is not for now"),
        (["prussia bid 1", "france bid 1"], 11, "«france» does not play"),
        (["prussia bid 1", "austria bid 1", "chance die 4"], 12, "chance cannot have answered"),
        (["prussia bid 1", "chance die 1"], 11, "chance cannot have answered"),
        (["prussia dance"], 10, "«dance» is no order"),
        (["prussia undo"], 10, "nothing can be taken back"),
        (["prussia bid 1", "austria undo"], 11, "nothing can be taken back"),
    ],
)
def test_lines_that_the_rules_do_not_allow_are_named(
    toy: Toy, tmp_path: Path, lines: list[str], line: int, reason: str
) -> None:
    path = forge(tmp_path / "forged", *lines)
    error = refusal(toy, path)
    assert error.line == line
    with pytest.raises(RecordError, match=reason):
        Replay(toy, read(path)).run()


@pytest.mark.parametrize(
    ("header", "line", "reason"),
    [
        (Header("chess", "1", "parley", "feedc0de", {}, {}, "g1"), 2, "the rule set chess; here is toy"),
        (Header("toy", "1", "parley", "0000", {}, {}, "g1"), 4, "the data 0000; here is feedc0de"),
        (Header("toy", "1", "duel", "feedc0de", {}, {}, "g1"), 3, "«duel» is no scenario"),
        (Header("toy", "1", "parley", "feedc0de", {"rounds": "9"}, {}, "g1"), 3, "«9» is no value"),
    ],
)
def test_records_of_another_rule_set_or_data_are_refused(
    toy: Toy, tmp_path: Path, header: Header, line: int, reason: str
) -> None:
    path = forge(tmp_path / "other", header=header)
    assert refusal(toy, path).line == line
    with pytest.raises(RecordError, match=reason):
        Replay(toy, read(path))


@pytest.mark.parametrize("end", ["prussia points 1756 T4 abc", "draw points 1759 T4 abc"])
def test_an_end_that_the_game_has_not_is_named(toy: Toy, tmp_path: Path, end: str) -> None:
    path = forge(tmp_path / "early", "prussia bid 1")
    with Writer.append(read(path)) as record:
        record.end(end)
    error = refusal(toy, path)
    assert error.line == 11
    assert "«goes on»" in str(error)
