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
from tests.damage import added, data_copy, filled, gone, replaced, without_line
from tests.frederick.handmade import some_state

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
    return data_copy("frederick", tmp_path / "data")


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
        (["play", "--scenario", "1813", *BOTS], "«1813» is no scenario: campaign"),
        (["play", "--option", "weather=bad", *BOTS], "«weather» is no option: march-die"),
        (["play", "--option", "last-year=1763", *BOTS], "option last-year: «1763» is not among 1762, 1756"),
        (
            ["play", "--scenario", "1757", "--option", "austrian-points=36", *BOTS],
            "scenario «1757» has points of its own: the option austrian-points is for «campaign» (C14.6)",
        ),
        (["play", "--prussia", "fritz"], "«fritz» is no player: human, random, cadet"),
        (["play", "--scenario", "1813", *OTHER_BOTS], "«1813» is no scenario: 1757, 1756"),
        (["play", "--option", "rules=3w", *OTHER_BOTS], "option rules: «3w» is not among einhorn, base"),
        (["play", "--option", "last-year=1757", *OTHER_BOTS], "«last-year» is no option: rules"),
        (["simulate", "--scenario", "1813", *OTHER_BOTS], "«1813» is no scenario: 1757, 1756"),
        (["rules", "R99.1", "--ruleset", "campaigns"], "R99.1"),
        (["play", "--ruleset", "boardless", *BOTS], "«boardless» is no rule set: frederick"),
        (["play", "--data", "/no/where", *BOTS], "/no/where: there is no such folder"),
        (["simulate", "--option", "last-year=x", *BOTS], "option last-year: «x» is not among"),
        (["simulate", "--prussia", "human"], "«human» is no bot: random, cadet"),
        (["resume", "/no/where"], "/no/where: cannot be read: No such file or directory"),
        (["replay", "/no/where", "--verify"], "/no/where: cannot be read: No such file or directory"),
        (["replay", "/", "--verify"], "/: cannot be read: Is a directory"),
        (["case", "/no/where.case"], "/no/where.case"),
        (["rules", "O99.1"], "O99.1"),
        (["scenarios", "--ruleset", "x"], "«x» is no rule set: frederick"),
        (["map", "--data", "/no/where", "-o", "map.svg"], "/no/where/map: there is no such folder"),
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
POOL = "tables/leader.csv"

DAMAGES: list[tuple[Callable[[Path], object], str]] = [
    *((gone(name), f"the data folder has no file {name}") for name in (HEXES, SIDES, FORTS, PLACES, LEADERS, COMBAT)),
    *((gone(name), f"no file {name}") for name in (ATTRITION, SIEGE, POWERS, DIPLOMACY, COMMITMENT, SUBSIDY, POOL)),
    (gone(START), "the data folder has no file scenarios/campaign.csv"),
    (filled(HEXES, b"hex,terrain\n\xff"), "map/hexes.csv: is no UTF-8 text at byte 12"),
    (filled(LEADERS, b""), "leaders.csv: there is no line with the names of the columns"),
    (filled(LEADERS, b"# only a comment\n"), "leaders.csv: there is no line with the names of the columns"),
    (replaced(LEADERS, ",initiative,", ",speed,"), "leaders.csv, line 3: there is no column initiative"),
    (
        replaced(SIDES, "a,b,river,ridge", "from,to,river,ridge"),
        "sides.csv, line 2: there is no column a and no column b",
    ),
    (added(LEADERS, "prussia,Blücher,1"), "leaders.csv, line 68: 3 values, where the table has 8 columns"),
    (added(LEADERS, "bavaria,Seinsheim,3,1,1,1,,R"), "leaders.csv, line 68: «bavaria» is no power: prussia, austria"),
    (added(LEADERS, "prussia,Keith,3,1,1,2,,R"), "leaders.csv, line 68: says again what line 7 says"),
    (added(LEADERS, "prussia,Platen,x,1,1,2,,R"), "leaders.csv, line 68: rank: «x» is no whole number"),
    (added(LEADERS, "prussia,Platen,0,1,1,2,,R"), "leaders.csv, line 68: rank: 0 is not between 1 and 9"),
    (added(LEADERS, "prussia,Platen,٣,1,1,2,,R"), "leaders.csv, line 68: rank: «٣» is no whole number"),
    (added(LEADERS, "prussia,,3,1,1,2,,R"), "leaders.csv, line 68: name: a name is missing"),
    (added(LEADERS, "prussia,Prussian general,3,1,1,2,,R"), "leaders.csv: Prussian general is the name of a leader"),
    (added(LEADERS, "prussia,Platen,3,1,1,2,5,R"), "leaders.csv: 2 leaders of prussia have start 5"),
    (replaced(HEXES, "0101,clear,france", "0101,swamp,france"), "hexes.csv, line 3: terrain: «swamp» is none of clear"),
    (replaced(HEXES, "0101,clear,france", "0101,clear,burgundy"), "hexes.csv, line 3: territory: «burgundy» is none"),
    (replaced(HEXES, "0101,clear", "101,clear"), "map/hexes.csv, line 3: hex: «101» is no hex"),
    (replaced(HEXES, "0102,clear", "0101,clear"), "map/hexes.csv, line 4: says again what line 3 says"),
    (without_line(HEXES, "1623"), "map/"),
    (without_line(HEXES, "1530"), "map/"),
    (without_line(HEXES, "4310"), "map/hexes.csv: between 4309 and 4311 hexes are missing"),
    (filled(HEXES, b"hex,terrain,territory\n"), "map/"),
    (
        replaced(SIDES, "0103,0203,Moselle,0,,0", "0103,0303,Moselle,0,,0"),
        "sides.csv, line 3: 0103 and 0303 are no two",
    ),
    (
        replaced(SIDES, "0103,0203,Moselle,0,,0", "0103,0103,Moselle,0,,0"),
        "sides.csv, line 3: 0103 and 0103 are no two",
    ),
    (
        replaced(SIDES, "0103,0203,Moselle,0,,0", "0103,0203,Moselle,2,,0"),
        "sides.csv, line 3: ridge: «2» is none of 0, 1",
    ),
    (
        replaced(SIDES, "0103,0203,Moselle,0,,0", "0103,0203,Moselle,0,Toul,0"),
        "line 3: pass: there is no ridge to pass",
    ),
    (
        replaced(SIDES, "0103,0203,Moselle,0,,0", "0103,9903,Moselle,0,,0"),
        "sides.csv, line 3: 0103 and 9903 are no two",
    ),
    (added(SIDES, "0203,0103,,0,,0"), "says again what line 3 says"),
    (replaced(FORTS, "Vienna,0232", "Vienna,9932"), "map/fortresses.csv, line 3: hex: nobody can stand in 9932"),
    (replaced(FORTS, "Strasburg,0406", "Strasburg,0703"), "map/fortresses.csv, line 5: says again what line 4 says"),
    (replaced(FORTS, "Strasburg", "Metz"), "map/fortresses.csv: two fortresses are named Metz"),
    (
        replaced(FORTS, "austria,austria,10", "austria,bohemia,10"),
        "line 3: province: 0232 is in austria, not in bohemia",
    ),
    (replaced(FORTS, "austria,austria,10", "austria,austria,ten"), "line 3: vp: «ten» is no whole number"),
    (replaced(FORTS, "austria,austria,10", "turkey,austria,10"), "line 3: «turkey» is no power"),
    (replaced(FORTS, "austria,10,yes", "austria,10,no"), "line 3: great: «no» is none of nothing, yes"),
    (replaced(PLACES, ",0107,", ",9907,"), "map/places.csv: Freiburg is in 9907, which is not on the board"),
    (replaced(PLACES, ",0107,", ",,"), "map/places.csv, line 3: hex: «» is no hex"),
    (added(PLACES, "Freiburg,,0107,,,,,"), "says again what line 3 says"),
    (without_line(COMBAT, "3,100"), "tables/combat.csv: there is no line for die 3, column 100"),
    (without_line(COMBAT, "-1,"), "tables/combat.csv: there is no line for die -1, column 25"),
    (filled(COMBAT, b"die,column,attacker,defender\n"), "tables/combat.csv: there is no column for a ratio of 25"),
    (replaced(COMBAT, "-1,25,50,5", "-1,25,150,5"), "combat.csv, line 4: attacker: 150 is not between 0 and 100"),
    (replaced(COMBAT, "-1,33,", "-1,25,"), "tables/combat.csv, line 5: says again what line 4 says"),
    (without_line(DIPLOMACY, "3,saxony"), "tables/diplomacy.csv: there is no line for roll 3, saxony"),
    (replaced(DIPLOMACY, "-1,france,prussia", "-1,france,spain"), "line 3: allegiance: «spain» is none of prussia"),
    (replaced(DIPLOMACY, "-1,hanover,prussia,**", "-1,hanover,prussia,***"), "line 4: star: «***» is none of nothing"),
    (without_line(COMMITMENT, "0,empire"), "tables/commitment.csv: there is no line for roll 0, empire"),
    (
        replaced(COMMITMENT, "-20,yes", "-20,perhaps"),
        "commitment.csv, line 5: switch: «perhaps» is none of nothing, yes",
    ),
    (replaced(COMMITMENT, "-1,france,-10", "-1,france,-110"), "percent: -110 is not between -100 and 100"),
    (replaced(ATTRITION, "2,5,R\n", ""), "tables/attrition.csv: the rolls do not go from 1 up one by one"),
    (filled(ATTRITION, b"roll,percent\n"), "tables/attrition.csv: there is no line"),
    (replaced(SUBSIDY, "6,3,S\n", ""), "tables/subsidy.csv: a line for each face of the die is expected"),
    (replaced(POOL, "4,1,1,S", "4,1,one,S"), "tables/leader.csv, line 6: sack: «one» is no whole number"),
    (replaced(POOL, "6,2,1,S\n", ""), "tables/leader.csv: a line for each face of the die is expected"),
    (replaced(SIEGE, "2,nothing", "2,feast"), "tables/siege.csv, line 4: result: «feast» is none of repulse"),
    (replaced(SIEGE, "4,honours", "1,honours"), "tables/siege.csv: the rolls do not rise from line to line"),
    (filled(SIEGE, b"roll,result\n"), "tables/siege.csv: there is no line"),
    (without_line(POWERS, "sweden"), "tables/powers.csv: the powers are not prussia, austria"),
    (replaced(POWERS, "80,,,4,S", "80,,,0,S"), "tables/powers.csv, line 6: supply: 0 is not between 1"),
    (replaced(START, "saxony,1821", "saxony,0101"), "scenarios/campaign.csv: 0101 has no fortress to be inside of"),
    (replaced(START, "hanover,2411", "hanover,9911"), "scenarios/campaign.csv: nobody can stand in 9911"),
    (replaced(START, "hanover,2411,field", "hanover,2411,around"), "line 13: where: «around» is none of inside, field"),
    (replaced(START, "Apraxin", "Suworow"), "line 11: leaders: somebody among «Suworow;Fermor» is no leader"),
    (replaced(START, "Apraxin", "Henry"), "scenarios/campaign.csv: Henry is no leader of russia"),
    (replaced(START, "Contades", "Chevert"), "scenarios/campaign.csv: Chevert stands in 2 places"),
    (replaced(START, "austria,secret", "austria,0232"), "line 5: where: «» is none of inside, field"),
    (replaced(START, "austria,secret,", "austria,0232,field"), "just Prussia and Austria deploy in secret"),
    (replaced(START, "saxony,1623,inside", "saxony,1821,inside"), "campaign.csv: 2 forces in 1821"),
    (replaced(START, "empire,0816,inside,5", "empire,0816,inside,-5"), "sp: -5 is not between 0 and"),
    (added(START, "russia,3741,field,1,,2,S"), "scenarios/campaign.csv, line 16: depots: 2 is not between 0 and 1"),
]


@pytest.mark.parametrize(("damage", "reason"), DAMAGES, ids=range(len(DAMAGES)))
def test_damaged_data_are_named(folder: Path, damage: Callable[[Path], object], reason: str) -> None:
    damage(folder)
    with pytest.raises(Invalid) as caught:
        load("frederick", folder)
    assert str(folder) in str(caught.value)
    assert reason in str(caught.value)


def test_damaged_data_end_every_command(folder: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gone(COMBAT)(folder)
    for command in (["play", *BOTS], ["simulate", *BOTS], ["scenarios"]):
        said = complaint(capsys, *command, "--data", str(folder))
        assert f"{folder}: the data folder has no file tables/combat.csv" in said
    assert not home.exists()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_copy_of_the_data_is_the_same_game(ruleset: str, tmp_path: Path) -> None:
    assert load(ruleset, data_copy(ruleset, tmp_path / "copy")).digest == load(ruleset).digest


def spoiled(text: str, rng: Random) -> str:
    lines = text.splitlines()
    at = rng.randrange(1, len(lines))
    cells = lines[at].split(",")
    cells[rng.randrange(len(cells))] = rng.choice(("", "x", "-1", "0", "99", "prussia", "9999", "1.5", "«", '"'))
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
    ({"ruleset": "chess"}, "«chess» is no rule set: frederick"),
    ({"scenario": "1813"}, "line 3: «1813» is no scenario: campaign"),
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
    assert f"{path}, line 9: «clear»" in told
    assert f"from here on {reason} would be needed" in told


@pytest.mark.parametrize(("changes", "reason"), STRANGE)
def test_a_record_of_a_strange_game_is_not_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, str], reason: str
) -> None:
    assert reason in complaint(capsys, "replay", str(record(tmp_path / "game", **changes)))


def test_a_record_of_other_data_needs_those(tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replaced(LEADERS, "prussia,Keith,3,1", "prussia,Keith,3,2")(folder)
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
    with pytest.raises(Illegal, match="no answer of chance"):
        door.apply(state, CHANCE, Roll(1))


def test_a_side_that_asks_for_a_secret_of_the_other_gets_what_it_knows() -> None:
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
