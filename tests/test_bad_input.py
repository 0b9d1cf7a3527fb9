import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from leuthen.cli import run
from leuthen.engine.choice import Action
from leuthen.engine.decision import Done, Roll
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import CHANCE, WATCHER, ActorId
from leuthen.load import RULESETS, load, read_data
from leuthen.play.record import Header, Writer, read
from leuthen.rulesets.frederick.model.actions import Attack, Build, Go, Halt, Reopen
from leuthen.wargame.board import Hex
from tests.damage import DAMAGE, copy_data, delete_file, replace_text
from tests.frederick.handmade import some_state
from tests.rows import rows

BOTS = ["--prussia", "random", "--austria", "random"]
OTHER_BOTS = ["--ruleset", "campaigns", "--prussia", "random", "--coalition", "random"]
DAMAGED = int(os.environ.get("LEUTHEN_DAMAGED", "24"))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setattr("leuthen.terminal.start.games_folder", lambda: folder)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copy_data("frederick", tmp_path / "data")


def complaint(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    try:
        code = run(argv)
    except SystemExit as stop:
        code = int(stop.code or 0)
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        (["play", "--scenario", "1813", *BOTS], '"1813" is not a valid scenario: campaign'),
        (["play", "--option", "weather=bad", *BOTS], '"weather" is not a valid option: march-die'),
        (["play", "--option", "last-year=1763", *BOTS], 'option last-year: "1763" is not among 1762, 1756'),
        (
            ["play", "--scenario", "1757", "--option", "austrian-points=36", *BOTS],
            'scenario "1757" has points of its own: the option austrian-points is for "campaign" (C14.6)',
        ),
        (["play", "--prussia", "fritz"], 'unknown player "fritz": choose human, random, cadet'),
        (["play", "--scenario", "1813", *OTHER_BOTS], '"1813" is not a valid scenario: 1757, 1756'),
        (["play", "--option", "rules=3w", *OTHER_BOTS], 'option rules: "3w" is not among einhorn, base'),
        (["play", "--option", "last-year=1757", *OTHER_BOTS], '"last-year" is not a valid option: rules'),
        (["simulate", "--scenario", "1813", *OTHER_BOTS], '"1813" is not a valid scenario: 1757, 1756'),
        (["rules", "R99.1", "--ruleset", "campaigns"], "R99.1"),
        (["play", "--ruleset", "boardless", *BOTS], '"boardless" is not a valid rule set: frederick'),
        (["play", "--data", "/no/where", *BOTS], "/no/where: no such folder"),
        (["simulate", "--option", "last-year=x", *BOTS], 'option last-year: "x" is not among'),
        (["simulate", "--prussia", "human"], '"human" is not a valid bot: random, cadet'),
        (["resume", "/no/where"], "/no/where: cannot be read: No such file or directory"),
        (["replay", "/no/where", "--verify"], "/no/where: cannot be read: No such file or directory"),
        (["replay", "/", "--verify"], "/: cannot be read: Is a directory"),
        (["case", "/no/where.case"], "/no/where.case"),
        (["rules", "O99.1"], "O99.1"),
        (["scenarios", "--ruleset", "x"], '"x" is not a valid rule set: frederick'),
        (["map", "--data", "/no/where", "-o", "map.svg"], "/no/where/map: no such folder"),
    ],
)
def test_the_command_line_names_what_it_does_not_know(
    home: Path, capsys: pytest.CaptureFixture[str], argv: list[str], reason: str
) -> None:
    assert reason in complaint(capsys, *argv)
    assert not home.exists()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "order"),
        ("conquer Vienna", "conquer"),
        ("march Napoleon 1125-1126", "Napoleon"),
        ("march Frederick +3 11-26", "11"),
        ("march Frederick +3 1125-9999", "9999"),
        ("march Frederick +3 Atlantis", "Atlantis"),
        ("march Frederick +3 Bavaria 1126-1125", "Bavaria"),
        ("march Frederick +x 1126-1125", "+x"),
        ("place bavaria 1821 +3", "bavaria"),
        ("done twice", "twice"),
        ("\x00", ""),
        ("x" * 10_000, ""),
    ],
)
@pytest.mark.parametrize("actor", [0, 1])
def test_orders_that_cannot_be_understood_are_invalid(actor: ActorId, text: str, reason: str) -> None:
    door, state = load("frederick"), some_state()
    with pytest.raises(Invalid) as caught:
        door.parse_action(state, actor, text)
    assert reason in str(caught.value)


HEXES, SIDES, FORTS, PLACES = (f"map/{name}.csv" for name in ("hexes", "sides", "fortresses", "places"))
LEADERS, START = "leaders.csv", "scenarios/campaign.csv"
COMBAT, ATTRITION, SIEGE, POWERS = (f"tables/{name}.csv" for name in ("combat", "attrition", "siege", "powers"))
DIPLOMACY, COMMITMENT, SUBSIDY = (f"tables/{name}.csv" for name in ("diplomacy", "commitment", "subsidy"))

DAMAGES: list[tuple[Callable[[Path], object], str]] = [
    (DAMAGE[how](*what), reason) for how, *what, reason in rows("bad-input-damages")
]


@pytest.mark.parametrize(("damage", "reason"), DAMAGES, ids=range(len(DAMAGES)))
def test_damaged_data_are_named(folder: Path, damage: Callable[[Path], object], reason: str) -> None:
    damage(folder)
    with pytest.raises(Invalid) as caught:
        load("frederick", folder)
    assert str(folder) in str(caught.value)
    assert reason in str(caught.value)


def test_damaged_data_end_every_command(folder: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    delete_file(COMBAT)(folder)
    for command in (["play", *BOTS], ["simulate", *BOTS], ["scenarios"]):
        said = complaint(capsys, *command, "--data", str(folder))
        assert f"{folder}: the data folder has no file tables/combat.csv" in said
    assert not home.exists()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_copy_of_the_data_is_the_same_game(ruleset: str, tmp_path: Path) -> None:
    assert load(ruleset, copy_data(ruleset, tmp_path / "copy")).digest == load(ruleset).digest


def spoiled(text: str, rng: Random) -> str:
    lines = text.splitlines()
    at = rng.randrange(1, len(lines))
    cells = lines[at].split(",")
    cells[rng.randrange(len(cells))] = rng.choice(("", "x", "-1", "0", "99", "prussia", "9999", "1.5", '"', '"'))
    cut = rng.randrange(len(text))
    return rng.choice(
        (
            "\n".join(lines[:at] + lines[at + 1 :]),
            "\n".join([*lines, lines[at]]),
            "\n".join([*lines[:at], lines[at].rpartition(",")[0], *lines[at + 1 :]]),
            "\n".join([*lines[:at], ",".join(cells), *lines[at + 1 :]]),
            text[:cut] + text[cut + rng.randrange(40) :],
        )
    )


@pytest.mark.parametrize("ruleset", RULESETS)
def test_whatever_is_damaged_is_named_or_does_no_harm(ruleset: str) -> None:
    files, rng, complaints = read_data(ruleset), Random(3), list[str]()
    make: Any = type(load(ruleset))
    for number in range(DAMAGED):
        path = sorted(files)[number % len(files)]
        damaged = {**files, path: spoiled(files[path], rng)}
        try:
            door = make(damaged)
            for scenario in door.scenarios:
                door.new_game(scenario, {})
        except Invalid as error:
            complaints.append(str(error))
    assert all(".csv" in complaint for complaint in complaints)
    assert len(complaints) > DAMAGED / 3


def record(path: Path, **changes: str) -> Path:
    door: Any = load("frederick")
    header = {"ruleset": door.name, "version": door.version, "scenario": "campaign", "data": door.digest, **changes}
    seats = {"prussia": "random", "austria": "random"}
    with Writer.create(path, Header(**header, options={}, seats=seats, game="g1")) as writer:
        writer.write("prussia", "clear")
    return path


OTHERS: Any = [
    ({"version": "0"}, "version 0 of the rules"),
    ({"data": "0123456789abcdef"}, "the data 0123456789abcdef"),
]
STRANGE: Any = [
    ({"ruleset": "chess"}, '"chess" is not a valid rule set: frederick'),
    ({"scenario": "1813"}, 'line 3: "1813" is not a valid scenario: campaign'),
]


@pytest.mark.parametrize(("changes", "reason"), [*OTHERS, *STRANGE])
@pytest.mark.parametrize("command", [["resume"], ["replay", "--verify"]])
def test_a_record_of_another_game_is_refused_and_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str], changes: dict[str, str], reason: str
) -> None:
    path = record(tmp_path / "game", **changes)
    before = path.read_bytes()
    assert reason in complaint(capsys, command[0], str(path), *command[1:])
    assert path.read_bytes() == before


@pytest.mark.parametrize(("changes", "reason"), OTHERS)
def test_a_record_of_other_rules_is_told_as_far_as_it_is_accepted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, str], reason: str
) -> None:
    path = record(tmp_path / "game", **changes)
    assert run(["replay", str(path)]) == 0
    told = capsys.readouterr().out
    assert f'{path}, line 9: "clear"' in told
    assert f"from here on {reason} would be needed" in told


@pytest.mark.parametrize(("changes", "reason"), STRANGE)
def test_a_record_of_a_strange_game_is_not_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, str], reason: str
) -> None:
    assert reason in complaint(capsys, "replay", str(record(tmp_path / "game", **changes)))


def test_a_record_of_other_data_needs_those(tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replace_text(LEADERS, "prussia,Keith,3,1", "prussia,Keith,3,2")(folder)
    path = tmp_path / "game"
    assert (
        run(["play", *BOTS, "--seed", "2", "--option", "last-year=1756", "--data", str(folder), "--record", str(path)])
        == 0
    )
    capsys.readouterr()
    assert "would be needed" in complaint(capsys, "replay", str(path), "--verify")
    assert run(["replay", str(path), "--verify", "--data", str(folder)]) == 0
    assert read(path).end


@pytest.mark.parametrize("actor", [0, 1, CHANCE, 3, -1])
def test_an_illegal_action_is_refused_and_changes_nothing(actor: ActorId) -> None:
    door: Any = load("frederick")
    state = door.new_game("campaign", {})
    before = door.dump(state)
    for action in (
        Done(),
        Halt(),
        Reopen(),
        Roll(3),
        Roll(7),
        Go((Hex(-5), Hex(9999))),
        Attack(Hex(1125)),
        Build(Hex(1125)),
        Action(),
    ):
        with pytest.raises(Illegal) as caught:
            door.apply(state, actor, action)
        assert caught.value.refusal.rule
    assert door.dump(state) == before


def test_the_wrong_side_is_refused() -> None:
    door: Any = load("frederick")
    state = door.new_game("campaign", {})
    action = door.legal_actions(state, 0).default()
    for _ in range(100):
        if 0 not in [pending.actor for pending in door.pending(state)]:
            break
        state = door.apply(state, 0, door.legal_actions(state, 0).default()).state
    assert [pending.actor for pending in door.pending(state)] == [1]
    with pytest.raises(Illegal):
        door.apply(state, 0, action)
    with pytest.raises(Illegal, match="not an answer of chance"):
        door.apply(state, CHANCE, Roll(1))


def test_who_asks_for_a_secret_gets_what_he_knows() -> None:
    door: Any = load("frederick")
    state = some_state()
    told = ["\n".join(door.presenter.about(door.view(state, viewer), "1128").lines) for viewer in (0, 1, WATCHER)]
    assert ["20" in text for text in told] == [False, True, False]
    assert "Nadasdy" in told[1]
    assert "Nadasdy" not in told[0] + told[2]


@pytest.mark.parametrize("topic", ["Atlantis", "9999", "O1", "the enemy's plan"])
def test_an_unknown_topic_is_named(topic: str) -> None:
    door: Any = load("frederick")
    with pytest.raises(Invalid, match=topic):
        door.presenter.about(door.view(some_state(), 0), topic)
