from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from leuthen.engine.codec import digest_of
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, SIDES, VIEWERS, ViewerId, as_side, is_side
from leuthen.load import load, ruleset
from leuthen.play.dice import Dice, Key
from leuthen.play.record import parse, text_of
from leuthen.play.table import Table, make_header
from leuthen.screen.presenter import TableRuleset
from leuthen.server.http import home
from leuthen.server.session import lookback
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.history import GameHistory, GameTransaction
from leuthen.server.session.limits import QueueLimits, WorkQueue
from tests.campaigns.positions import position
from tests.rows import rows
from tests.server.conftest import GameClients, SeatClient, never_finish, new_caller, start_game
from tests.server.harness import Answer, HttpClient, TestServer
from tests.server.test_connections import play_a_round
from tests.toy import Toy

INSTRUCTIONS: tuple[list[str], ...] = (
    ["hold", "losses", "feed always"],
    ["ignore of 0-10"],
    ["join always", "share"],
    [],
)


def new_history(rules: TableRuleset, options: dict[str, str]) -> GameHistory:
    scenario = next(iter(rules.scenarios))
    return GameHistory(rules, rules.new_game(scenario, options))


def table_at(history: GameHistory, line: int) -> Table:
    table, steps = history.steps_to(line)
    for _ in steps:
        pass
    return table


def play(history: GameHistory, seed: int, actions: int) -> list[dict[ViewerId, int]]:
    rng, dice = Random(seed), Key.from_seed("course", seed).dice()
    numbers = []
    for _ in range(actions):
        if history.outcome is not None:
            break
        transaction = GameTransaction(history)
        step(history, transaction, rng, dice)
        expected = {viewer: transaction.n(viewer) for viewer in VIEWERS}
        history.accept(transaction)
        assert {viewer: history.logs[viewer].n for viewer in VIEWERS} == expected
        numbers.append(expected)
    return numbers


def step(history: GameHistory, transaction: GameTransaction, rng: Random, dice: Dice) -> None:
    rules, table = history.ruleset, history.table
    side = rng.choice([pending.actor for pending in rules.pending(table.state) if pending.actor != CHANCE] or [CHANCE])
    owner = side if is_side(side) else 0
    undoers = [other for other in SIDES if table.can_undo(other)]
    answers = [(other, table.instruction_answer(other)) for other in SIDES]
    given = next(((other, answer) for other, answer in answers if answer is not None), None)
    if given is not None:
        transaction.answer_by_instruction(*given)
    elif rules.standing is not None and rng.random() < 0.1:
        transaction.say(owner, f"standing {table.instruction_text(owner, rng.choice(INSTRUCTIONS))}")
    elif undoers and rng.random() < 0.2:
        transaction.say(rng.choice(undoers), "undo")
    elif len(table.log) > 3 and rng.random() < 0.03:
        transaction.say(as_side(rng.randrange(2)), f"take-back {rng.randrange(len(table.log) - 3, len(table.log))}")
    elif side != CHANCE:
        action = rules.legal_actions(table.state, side).sample(rng)
        transaction.act(side, rules.format_action(table.state, side, action))
    transaction.proceed(dice)


def content_of(history: GameHistory) -> Any:
    rules = history.ruleset
    return (
        digest_of(rules, history.table.state),
        history.outcome,
        history.turns,
        history.counting,
        history.open,
        [len(history.table.log), list(history.table.drafts)],
        {viewer: (log.news, log.lines) for viewer, log in history.logs.items()},
        [rules.view(history.position(viewer), viewer) for viewer in VIEWERS],
    )


@pytest.mark.parametrize(
    ("name", "options", "actions", "seed"),
    [
        *(("toy", {"rounds": "5"}, 60, seed) for seed in range(20)),
        ("frederick", {"last-year": "1756"}, 400, 7),
        ("campaigns", {}, 150, 7),
        ("campaigns", {"hidden": "yes"}, 60, 7),
    ],
)
def test_replaying_a_game_reproduces_all_entries(
    toy: Toy, name: str, options: dict[str, str], actions: int, seed: int
) -> None:
    rules = toy if name == "toy" else ruleset(name)
    history = new_history(rules, options)
    play(history, seed, actions)
    twin = new_history(rules, options)
    for line in history.record:
        transaction = GameTransaction(twin)
        transaction.say(*line)
        twin.accept(transaction)
    assert content_of(twin) == content_of(history)
    assert twin.table.instructions == history.table.instructions


@pytest.mark.parametrize("seed", range(5))
def test_the_history_returns_every_earlier_position(toy: Toy, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leuthen.server.session.history.CHECKPOINT", 7)
    history = new_history(toy, {"rounds": "5"})
    states = {-1: history.table.state}
    rng, dice = Random(seed), Key.from_seed(seed).dice()
    while history.outcome is None:
        transaction = GameTransaction(history)
        step(history, transaction, rng, dice)
        history.accept(transaction)
        states[len(history.record) - 1] = history.table.state
    assert len(history.record) > 21
    for line, state in states.items():
        assert table_at(history, line).state == state
    assert history.table.state == states[len(history.record) - 1], "reading the history changes nothing"


def test_a_rejected_transaction_changes_nothing(toy: Toy) -> None:
    history = new_history(toy, {"rounds": "5"})
    play(history, 1, 12)
    before = content_of(history)
    for seed in range(10):
        transaction = GameTransaction(history)
        step(history, transaction, Random(seed), Key.from_seed(seed).dice())
        assert content_of(history) == before
    with pytest.raises(Invalid):
        GameTransaction(history).act(0, "dance")
    assert content_of(history) == before


def test_event_numbers_grow_separately_for_each_viewer(toy: Toy) -> None:
    history = new_history(toy, {"rounds": "5"})
    numbers = play(history, 3, 60)
    for viewer in VIEWERS:
        own = [n[viewer] for n in numbers]
        assert own == sorted(own)
        assert [notification.n for notification in history.logs[viewer].news] == list(range(own[-1] + 1))
    assert len(set(numbers[-1].values())) > 1, "each viewer has separate numbers"


def test_the_entry_that_begins_a_turn_belongs_to_it() -> None:
    rules = ruleset("campaigns")
    history, dice = new_history(rules, {}), Key.from_seed("turns", 1).dice()
    while len(history.turns) < 3:
        transaction = GameTransaction(history)
        state = transaction.table.state
        side = as_side(rules.pending(state)[0].actor)
        transaction.act(side, rules.format_action(state, side, rules.legal_actions(state, side).default()))
        transaction.proceed(dice)
        history.accept(transaction)
    for viewer in VIEWERS:
        lines = history.logs[viewer].lines
        begun = [at for at, line in enumerate(lines) if getattr(line.what, "BEGINS_TURN", False)]
        assert [(lines[at - 1].turn, lines[at].turn, lines[at + 1].turn) for at in begun] == [(0, 1, 1), (1, 2, 2)]


def history_from(*given: str) -> GameHistory:
    return GameHistory(ruleset("campaigns"), position(*given))


def accept_changes(history: GameHistory, make_changes: Callable[[GameTransaction], None]) -> GameHistory:
    transaction = GameTransaction(history)
    make_changes(transaction)
    history.accept(transaction)
    return history


def test_a_turn_begun_by_a_draft_is_hidden_from_others() -> None:
    prisoners = ("prisoners prussia 3 Austria", "prisoners coalition 3 Prussia")
    history = history_from("option rules=base", "step I", "Frederick 1821 20", "Keith 1821 10", *prisoners)
    accept_changes(history, lambda transaction: transaction.act(0, "done"))
    assert history.table.can_undo(0)
    assert [len(history.turns_of(viewer)) for viewer in VIEWERS] == [2, 1, 1, 1]
    accept_changes(history, lambda transaction: transaction.act(0, "done"))
    assert not history.table.can_undo(0)
    assert [len(history.turns_of(viewer)) for viewer in VIEWERS] == [2, 2, 2, 2]


def test_the_history_shows_no_drafts_of_others() -> None:
    history = history_from("first", "chit prussia-3", "cup coalition-2", "Keith 1821 20", "Daun 3041 20")
    accept_changes(history, lambda transaction: transaction.say(1, "standing hold other"))
    accept_changes(history, lambda transaction: transaction.act(0, "march Keith 1821-1822"))
    assert history.table.can_undo(0)
    accept_changes(history, lambda transaction: transaction.say(1, "standing stop a surprise"))
    line = history.logs[1].news[-1].line
    at = table_at(history, line)
    assert history.state_as_known(at, line, 1) == history.position(1) == table_at(history, -1).state
    assert history.state_as_known(at, line, 0) == history.table.state


@pytest.fixture
def played_game(server: TestServer) -> GameClients:
    game = start_game(server, "3")
    play_a_round(game)
    return game


def test_each_viewer_reads_only_the_own_entries(played_game: GameClients) -> None:
    public = ["prussia steps +2.", "prussia peeks.", "prussia is done.", "austria steps +1.", "austria is done."]
    prussia, austria, spectator = (client.entries() for client in played_game.clients)
    die = prussia[2]
    assert spectator == ["prussia seals a bid.", "austria seals a bid.", die, *public]
    assert prussia == ["prussia bids 1.", "austria seals a bid.", die, public[0], "prussia sees 3.", *public[2:]]
    assert austria == ["prussia seals a bid.", "austria bids 3.", die, *public]


def test_the_chronicle_comes_in_pages(played_game: GameClients, monkeypatch: pytest.MonkeyPatch) -> None:
    client = played_game.spectator
    whole = client.get("/chronicle").json
    assert whole["more"] is False
    lines: list[dict[str, Any]] = []
    before = ""
    while True:
        page = client.get(f"/chronicle?count=3{before}").json
        lines = page["lines"] + lines
        if not page["more"]:
            break
        before = f"&before={page['lines'][0]['n']}"
    assert lines == whole["lines"]
    assert [line["n"] for line in lines] == list(range(1, len(lines) + 1))
    assert {line["turn"] for line in lines} == {0}
    assert lookback.MOST <= 200
    monkeypatch.setattr(lookback, "MOST", 2)
    assert client.get("/chronicle?count=5000").json == client.get("/chronicle?count=2").json


def test_stories_and_records_are_computed_once(played_game: GameClients, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    monkeypatch.setattr(lookback, "make_war", count_calls(made, lookback.make_war))
    monkeypatch.setattr(GameSession, "whole_record", count_calls(made, GameSession.whole_record))
    stories = [played_game.prussia.get("/story").body for _ in range(3)]
    assert len(set(stories)) == 1
    assert made.count("make_war") == 1
    played_game.austria.get("/story")
    assert made.count("make_war") == 2, "each side has its own story"
    assert played_game.prussia.move("resign").status == 200
    assert played_game.prussia.get("/story").body != stories[0]
    assert [len({client.get("/record").body for _ in range(2)}) for client in played_game.clients] == [1, 1, 1]
    assert made.count("whole_record") == 1


def count_calls(made: list[str], function: Any) -> Any:
    def counting(*args: Any) -> Any:
        made.append(function.__name__)
        return function(*args)

    return counting


def test_the_past_shows_each_position_as_it_was_seen(server: TestServer) -> None:
    game = start_game(server, "3")
    seen = {(client.side, 0): client.snapshot["scene"] for client in game.clients}
    for client, text in (
        (game.prussia, "bid 1"),
        (game.austria, "bid 3"),
        (game.prussia, "step north 2"),
        (game.prussia, "peek"),
        (game.prussia, "done"),
        (game.austria, "step north 1"),
        (game.austria, "done"),
    ):
        client.orders(text)
        for viewer in game.clients:
            snapshot = viewer.snapshot
            seen[viewer.side, snapshot["n"]] = snapshot["scene"]
    own = [(client, n) for client in game.clients for side, n in seen if side == client.side and client.side < 2]
    for client, n in own:
        past = client.get(f"/past?n={n}").json
        assert past["n"] == n
        if not (client.side == 1 and n == 1):  # the own bid revealed that of the opponent
            assert past["scene"] == seen[client.side, n], (client.side, n)
    assert game.prussia.get("/past?n=99").status == 404
    assert game.prussia.get("/past?n=-1").status == 404


def test_other_views_of_the_past_open_after_the_end(played_game: GameClients) -> None:
    n = played_game.prussia.n
    asked = [f"/past?n={n}&viewer={viewer}" for viewer in (1, 2, 3)] + ["/chronicle?viewer=3", "/turns?viewer=1"]
    for path in asked:
        assert played_game.prussia.get(path).status == 403, path
    assert played_game.prussia.get(f"/past?n={n}&viewer=0").status == 200
    played_game.prussia.move("resign")
    for path in asked:
        assert played_game.prussia.get(path).status == 200, path
    assert played_game.prussia.get(f"/past?n={n}&viewer=7").status == 403
    notes = played_game.spectator.get("/past?n=1&viewer=3").json["scene"]["notes"]
    assert "sealed (1, 0)" in notes
    everything = [line["entry"]["text"] for line in played_game.spectator.get("/chronicle?viewer=3").json["lines"]]
    assert {"prussia bids 1.", "austria bids 3.", "prussia sees 3."} <= set(everything)


def test_each_turn_has_the_scores_of_its_time(server: TestServer) -> None:
    game = start_game(server, "3")
    play_a_round(game)
    for client, order in (
        (game.prussia, "bid 2"),
        (game.austria, "bid 2"),
        *((one, "done") for one in game.clients[:2]),
    ):
        client.orders(order)
    turns = game.spectator.get("/turns").json["turns"]
    assert [(turn["year"], turn["turn"]) for turn in turns] == [(1756, 1), (1757, 1), (1758, 1)]
    assert turns[0]["n"] == 0
    assert turns[0]["scores"] == {"steps": [0, 0]}
    for turn in turns:
        past = game.spectator.get(f"/past?n={turn['n']}").json["scene"]
        assert turn["scores"] == {score["id"]: score["values"] for score in past["scores"]}
    last = game.spectator.get("/chronicle").json["lines"][-1]
    assert last["turn"] == 1, "the entry that ended the second turn"


# --- records ----------------------------------------------------------------------------------------------------------


def import_record(caller: HttpClient, data: str | bytes, query: str = "") -> Answer:
    body = data.encode() if isinstance(data, str) else data
    caller._line.request("POST", f"/api/import{query}", body, {**caller.headers(), "Content-Type": "text/plain"})
    return caller._answer(caller._line.getresponse())


def test_the_record_of_a_game_in_progress_hides_secrets(played_game: GameClients) -> None:
    prussia, austria, spectator = (client.get("/record").body.decode() for client in played_game.clients)
    assert "prussia bid 1" in prussia
    assert "prussia undo" in prussia
    assert "prussia step south 1" in prussia
    assert "prussia sees 3." in prussia
    for text in (austria, spectator):
        assert "bid 1" not in text
        assert "undo" not in text
        assert "sees 3" not in text
    assert "austria bid 3" in austria
    assert "austria bid 3" not in spectator


def test_the_record_of_an_ended_game_can_be_imported(played_game: GameClients, tmp_path: Path) -> None:
    played_game.prussia.move("resign")
    answer = played_game.spectator.get("/record")
    assert dict(answer.headers)["content-type"].startswith("text/plain")
    recorded = parse(Path("x"), answer.body)
    assert recorded.end.startswith("austria resignation")
    caller = new_caller(played_game.server.port)
    made = import_record(caller, answer.body)
    assert made.status == 201, made.body
    again = SeatClient(caller, made.json["seats"][0]["seat"], 0)
    assert again.entries() == played_game.prussia.entries()
    assert again.snapshot["scene"] == played_game.prussia.snapshot["scene"]
    assert again.get("/record").body.split(b"\n")[6:] == answer.body.split(b"\n")[6:] or again.snapshot["has_ended"]


def make_record(*entries: tuple[str, str], end: str = "", version: str = "1", rounds: str = "3") -> str:
    toy = load("toy")
    header = make_header(toy, "parley", {"rounds": rounds}, ("human", "human"), game="g1")
    text = text_of(header, entries, end)
    return text if version == "1" else text.replace("toy 1 ", f"toy {version} ")


def test_an_imported_unfinished_game_can_continue(server: TestServer) -> None:
    caller = new_caller(server.port)
    entries = (("prussia", "bid 1"), ("prussia", "undo"), ("prussia", "bid 2"), ("austria", "bid 3"))
    made = import_record(caller, make_record(*entries)).json
    prussia = SeatClient(caller, made["seats"][0]["seat"], 0)
    assert "The die shows" in prussia.entries()[-1], "the die is rolled after the import"
    prussia.orders("step north 2", "done")


@pytest.mark.parametrize(("record", "why"), rows("files-that-are-no-records"))
def test_a_file_that_is_not_a_record_is_refused(server: TestServer, record: str | bytes, why: str) -> None:
    caller = new_caller(server.port)
    answer = import_record(caller, record)
    assert answer.status == 400
    assert why in answer.json["detail"] or "no text" in answer.json["detail"]
    assert caller.get("/api/home").json == {"games": []}


def test_a_record_with_an_illegal_line_is_refused(server: TestServer) -> None:
    caller = new_caller(server.port)
    bids = (("prussia", "bid 1"), ("austria", "bid 1"))
    for entries, why in (
        ([("prussia", "bid 9")], '"bid 9"'),
        ([*bids, ("chance", "die 6")], "chance cannot have answered"),
        ([*bids, ("prussia", "done")], 'line 12: "done"'),
        ([("saxony", "bid 1")], '"saxony" does not play'),
        ([("prussia", "undo")], "nothing can be taken back"),
        ([("prussia", "take-back 7")], '"take-back 7"'),
        ([("prussia", "take-back x")], '"take-back x"'),
        ([("prussia", "resign"), ("austria", "bid 1")], "the game has ended"),
        ([("chance", "resign")], 'line 10: "resign"'),
    ):
        answer = import_record(caller, make_record(*entries))
        assert answer.status == 400, entries
        assert why in answer.json["detail"], entries
    assert import_record(caller, make_record(*bids, end="prussia luck 1756 T4 feed")).status == 400
    other = make_record(*bids).replace("leuthen record 1", "leuthen record 2")
    for text in (make_record(*bids)[:-5], make_record(*bids) * 2, other):
        assert import_record(caller, text).status == 400
    assert caller.get("/api/home").json == {"games": []}


def test_an_import_that_takes_too_long_is_stopped(server: TestServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.registry, "bringing", WorkQueue(1, 1e-9, QueueLimits(), never_finish))
    answer = import_record(new_caller(server.port), make_record(("prussia", "bid 1")))
    assert (answer.status, answer.json["title"]) == (503, "Too much work")
    assert dict(answer.headers)["retry-after"]


def test_a_record_with_too_many_actions_is_refused(server: TestServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home, "MOST", 1)
    answer = import_record(new_caller(server.port), make_record(("prussia", "bid 1"), ("austria", "bid 2")))
    assert answer.status == 400
    assert "actions" in answer.json["detail"]
