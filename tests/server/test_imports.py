import asyncio
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import msgspec
import pytest

from leuthen.cli import run
from leuthen.load import load, load_with
from leuthen.play.record import STANDING, RecordEntry, RecordError, parse, text_of
from leuthen.play.replay import Replay
from leuthen.play.table import header_of
from leuthen.server.http import imports
from leuthen.server.http.imports import Once, as_written, that_count
from leuthen.server.http.imports import read as imported
from leuthen.server.session.history import GameHistory
from leuthen.server.session.limits import Imports, Lane, Places
from leuthen.server.session.messages import ImportProgress
from tests.server.alone import here
from tests.server.conftest import call, new_key
from tests.server.house import House
from tests.server.test_chronicle import a_record, bring_in

GOLDEN = Path(__file__).parents[1] / "golden"


def replayed(text: bytes) -> Replay:
    recorded = parse(Path("x"), text)
    replay = Replay(load_with(recorded.header.ruleset, recorded.header.data), recorded)
    replay.run()
    return replay


@pytest.mark.parametrize(("scenario", "kind"), [("lesson:lobositz", "lesson"), ("drill:o5-3", "drill")])
def test_the_record_of_the_school_is_refused_with_the_reason(
    scenario: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header = header_of(load("frederick"), scenario, {}, ("human", "human"), game="g1")
    text = text_of(header, [("prussia", "done")], "").encode()
    with pytest.raises(RecordError, match=f"line 3: this is a {kind} of the school, .* with a position of its own"):
        imported(text)
    path = tmp_path / "record"
    path.write_bytes(text)
    for command in (["replay", str(path)], ["replay", str(path), "--verify"], ["resume", str(path)]):
        assert run(command) == 2
        assert "only a scenario's record can be played again" in capsys.readouterr().err


def test_an_instruction_is_no_action() -> None:
    replay = replayed((GOLDEN / "frederick/planner-bohemia.leuthen").read_bytes())
    told, before = RecordEntry(1, 0, "prussia", f"{STANDING} 1 decline"), as_written(replay)
    replay.recorded = msgspec.structs.replace(replay.recorded, entries=(told, *replay.recorded.entries))
    assert as_written(replay) == before


@pytest.mark.parametrize("record", ["frederick/planner-bohemia", "campaigns/planner-1756-base"])
def test_what_is_written_is_what_counts(record: str) -> None:
    replay = replayed((GOLDEN / f"{record}.leuthen").read_bytes())
    lines = as_written(replay)
    assert lines
    assert lines == that_count(replay)


@pytest.mark.parametrize("record", ["frederick/planner-bohemia", "campaigns/planner-1756-base"])
def test_where_all_counts_it_is_played_in_the_game_alone(record: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (GOLDEN / f"{record}.leuthen").read_bytes()
    replay = replayed(text)
    monkeypatch.delattr(Replay, "run")
    recorded = imported(text).recorded
    assert recorded is not None
    history = GameHistory(replay.table.ruleset, replay.table.first, recorded.header.takebacks)
    assert len(list(Once(history, recorded).steps())) == len(recorded.entries)
    assert history.record == that_count(replay)
    assert history.table.state == replay.table.state
    assert history.outcome == replay.table.outcome


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(
    "said",
    [
        [("prussia", "bid 1"), ("prussia", "undo")],
        [("prussia", "standing 1 bid"), ("prussia", "bid 1")],
        [("prussia", "take-back 0")],
        [("saxony", "bid 1")],
        [("prussia", "bid " + "1" * imports.LONGEST)],
    ],
)
def test_where_not_all_counts_it_is_played_elsewhere_first(said: Sequence[tuple[str, str]]) -> None:
    recorded = parse(Path("x"), a_record(*said).encode())
    assert not imports.all_counts(Replay(load("toy"), recorded))
    assert imports.all_counts(Replay(load("toy"), parse(Path("x"), a_record(("prussia", "bid 1")).encode())))


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(
    ("said", "end"),
    [
        ([("prussia", "bid 1"), ("prussia", "done")], ""),
        ([("prussia", "bid 1"), ("austria", "bid 1"), ("chance", "die 6")], ""),
        ([("prussia", "resign"), ("austria", "bid 1")], ""),
        ([("prussia", "bid 1")], "prussia luck 1756 T4 feed"),
    ],
)
def test_it_is_refused_in_the_same_words_wherever_it_is_played(said: Sequence[tuple[str, str]], end: str) -> None:
    text = a_record(*said, end=end).encode()
    ruleset, recorded = load("toy"), imported(text).recorded
    assert recorded is not None
    with pytest.raises(RecordError) as once:
        list(Once(GameHistory(ruleset, ruleset.new_game("parley", {"rounds": "3"})), recorded).steps())
    with pytest.raises(RecordError) as again:
        replayed(text)
    assert str(once.value).partition(": ")[2] == str(again.value).partition(": ")[2]


class Halting(Lane):
    def __init__(self) -> None:
        super().__init__(1, 60, Places(), here)
        self.has_come, self.may_go_on = Event(), Event()

    async def gently(self, asker: str, steps: Iterable[object]) -> None:
        for number, _ in enumerate(steps, 1):
            if number == 2:
                self.has_come.set()
                await asyncio.to_thread(self.may_go_on.wait, 60)


@pytest.mark.parametrize("tried", [(), (("prussia", "bid 3"), ("prussia", "undo"))])
def test_who_brings_a_record_in_can_ask_how_far_it_has_come(
    house: House, monkeypatch: pytest.MonkeyPatch, tried: Sequence[tuple[str, str]]
) -> None:
    lane, caller, key = Halting(), call(house.port), new_key()
    monkeypatch.setattr(house.registry, "replaying", lane)
    record = a_record(*tried, ("prussia", "bid 1"), ("austria", "bid 2"), ("chance", "die 3"), ("prussia", "done"))
    statuses: list[int] = []
    bringing = Thread(target=lambda: statuses.append(bring_in(call(house.port), record, f"?key={key}").status))
    bringing.start()
    try:
        assert lane.has_come.wait(60)
        assert caller.get(f"/api/import/{key}").json == {"done": 2, "total": 4}
        assert caller.get(f"/api/import/{new_key()}").json == {"done": 0, "total": 0}
    finally:
        lane.may_go_on.set()
        bringing.join()
    assert statuses == [201]
    assert caller.get(f"/api/import/{key}").json == {"done": 0, "total": 0}, "nothing is remembered of it"


def test_a_key_that_is_none_is_refused(house: House) -> None:
    caller = call(house.port)
    assert bring_in(caller, a_record(("prussia", "bid 1")), "?key=short").status == 400
    assert caller.get("/api/home").json == {"games": []}


def test_nobody_else_is_told_how_far_a_record_has_come() -> None:
    begun = Imports()
    with (
        closing(begun.through(range(3), 3, "a", "12345678")) as steps,
        closing(begun.through("x", 1, "a", "")) as other,
    ):
        for each in (steps, steps, other):
            next(each)
        assert begun.of("a", "12345678") == ImportProgress(2, 3)
        assert begun.of("b", "12345678") == begun.of("a", "") == ImportProgress(0, 0)
    assert begun.of("a", "12345678") == ImportProgress(0, 0)
