"""The staff at the terminal: a plan in words, missions that are changed, and orders until something is unforeseen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from leuthen.bots import make_bot
from leuthen.engine.ruleset import Ruleset
from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.play.loop import Game
from leuthen.play.table import Table
from leuthen.rulesets.frederick.bot.generals import intent
from leuthen.terminal.hotseat import Hotseat
from leuthen.terminal.page import Page
from leuthen.terminal.person import Person
from leuthen.terminal.plan_file import KeptPlan
from leuthen.terminal.staffing import DROPPED
from leuthen.terminal.viewer_logs import ViewerLogs
from tests.seats import Script
from tests.terminal.typist import Typist, hotseat_at
from tests.toy import Toy


@pytest.fixture
def rules() -> Ruleset:
    return load("frederick")


def war(rules: Ruleset, *lines: str) -> tuple[Table, str]:
    """A war in which a person leads Prussia with these lines, until he has no more; a planner leads Austria."""
    table, typist = Table(rules, rules.new_game("campaign", {})), Typist(*lines)
    seats = Person(hotseat_at(table, typist, 0), 0), make_bot("planner", "frederick", 1, 0)
    Game(table, seats, Key.from_seed(1).dice()).play()
    return table, typist.screen.getvalue()


def test_the_staff_has_a_plan_with_odds_and_rules(rules: Ruleset) -> None:
    _, said = war(rules, "auto", "staff")
    plan = said.rpartition("  1  ")[2]
    assert plan.startswith("Frederick")
    assert "SP to " in plan
    assert "(O" in plan


def test_a_mission_that_the_player_gives_is_carried_out(rules: Ruleset) -> None:
    """Frederick goes to Glatz because he was told to; left alone he goes elsewhere."""
    given, said = war(rules, "auto", "staff Frederick hold Glatz", "carry-on")
    assert "Frederick" in said
    assert "to stand at Glatz" in said
    assert "as you ordered" in said
    alone, _ = war(rules, "auto", "carry-on")
    assert _army(given) == "Glatz" != _army(alone)


def test_a_mission_that_the_player_gives_stands_when_the_staff_plans_anew(rules: Ruleset) -> None:
    _, said = war(rules, "auto", "staff Frederick hold Glatz", "carry-on", "staff")
    assert said.count("as you ordered") == 2
    assert "as you ordered" in said.rpartition("The staff asks: the turn of the plan is over.")[2]


def _army(table: Table) -> str:
    """Where Frederick stands."""
    data = table.state.data
    here = next(s.hex for s in table.state.stacks_of(0) if any(data.leaders[n].name == "Frederick" for n in s.leaders))
    fort = data.fortresses.get(here)
    return fort.name if fort else ""


def test_the_staff_stops_where_its_turn_ends_and_asks(rules: Ruleset) -> None:
    table, said = war(rules, "auto", "carry-on")
    assert "The staff: " in said
    assert "The staff asks: the turn of the plan is over." in said
    state = table.state
    assert (state.year, state.turn, state.phasing) == (1756, 10, 0), "nothing of the next turn was ordered"


@pytest.mark.parametrize(
    ("mission", "why"),
    [
        ("staff Fredrick hold Glatz", "Did you mean Frederick"),
        ("staff Zieten hold Glatz", "Zieten is not on the map"),
        ("staff Browne hold Prague", "Browne is not yours"),
        ("staff Frederick dance Glatz", "«dance» is no mission: besiege"),
        ("staff Frederick hold Atlantis", "«Atlantis» is no"),
        ("staff Frederick besiege Glatz", "nothing to besiege at Glatz"),
        ("staff Frederick besiege Dresden", "Dresden is neutral ground"),
        ("staff drop Frederick now", "«now» is one word too many"),
    ],
)
def test_a_mission_that_cannot_be_is_refused_and_orders_by_hand_go_on(rules: Ruleset, mission: str, why: str) -> None:
    table, said = war(rules, "auto", mission, "pass")
    assert why in said
    assert table.actions > 1


def test_the_staffs_order_for_an_army_is_advised_with_two_reasons(
    rules: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intent, "garrison_of", lambda s, here: 4)
    given = "staff Frederick hold Glatz", "advise", "pass", "advise", "shift 1733 inside +2", "advise"
    _, said = war(rules, "auto", *given)
    depots, garrison, march = [part.split("\n")[:3] for part in said.split("The staff would order: ")[1:]]
    assert depots[1].strip().startswith("A depot is begun before a fortress"), "no mission asks for it"
    assert garrison[1].strip().startswith("Fortresses get men by worth"), "it is not for the army that stands there"
    assert march[0].startswith("march Frederick")
    assert [line.strip() for line in march[1:]] == ["Frederick is to stand at Glatz (O5.13).", "4 MP away."]


def sitting(table: Table, is_resumed: bool, *lines: str) -> str:
    """A person leads Prussia in a game with an id, until he has no more to say; what was on the screen."""
    typist = Typist(*lines)
    page = Page(Console(file=typist.screen, width=100))
    hotseat = Hotseat(table, typist, page, (0,), ViewerLogs(table.ruleset) if is_resumed else None, "a game")
    Game(table, (Person(hotseat, 0), make_bot("planner", "frederick", 1, 0)), Key.from_seed(1).dice()).play()
    return typist.screen.getvalue()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folder."""
    monkeypatch.setattr("platformdirs.user_data_path", lambda name: tmp_path / name)
    return tmp_path / "leuthen" / "staff"


def test_the_plan_of_the_staff_is_there_when_the_game_is_resumed(rules: Ruleset, home: Path) -> None:
    table = Table(rules, rules.new_game("campaign", {}))
    said = sitting(table, False, "auto", "staff Frederick hold Glatz", "quit")
    assert "Your staff keeps its plan, with 1 mission that you gave" in said
    assert [file.stat().st_mode & 0o077 for file in home.iterdir()] == [0], "nobody else may read it"
    assert "as you ordered" in sitting(table, True, "staff", "quit")
    assert "as you ordered" not in sitting(table, False, "staff", "quit"), "another game of the same name begins anew"


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda kept: kept.replace(b'"actions":', b'"actions":9'), "the game has gone back behind it"),
        (lambda kept: kept[:-9], "is damaged"),
        (lambda kept: msgspec.json.encode(KeptPlan(0, b"{}")), "version 0"),
    ],
)
def test_a_plan_that_is_of_no_use_is_dropped_and_that_is_said(
    rules: Ruleset, home: Path, spoil: Callable[[bytes], bytes], why: str
) -> None:
    table = Table(rules, rules.new_game("campaign", {}))
    sitting(table, False, "auto", "staff Frederick hold Glatz", "quit")
    (file,) = home.iterdir()
    file.write_bytes(spoil(file.read_bytes()))
    said = sitting(table, True, "staff", "staff")
    assert said.count(DROPPED) == 1
    assert why in said.replace("\n", " ")
    assert "as you ordered" not in said


def test_a_plan_that_cannot_be_kept_is_lost_and_that_is_said(rules: Ruleset, home: Path) -> None:
    home.parent.mkdir()
    home.write_text("a file where the folder should be")
    said = sitting(Table(rules, rules.new_game("campaign", {})), False, "auto", "staff Frederick hold Glatz", "quit")
    assert "The plan is dropped, with 1 mission that you gave" in said


def test_a_mission_is_completed_from_its_script(rules: Ruleset) -> None:
    table, typist = Table(rules, rules.new_game("campaign", {})), Typist("auto")
    person = Person(hotseat_at(table, typist, 0), 0)
    Game(table, (person, make_bot("planner", "frederick", 1, 0)), Key.from_seed(1).dice()).play()
    assert person._complete("staff Fr") == ["Frederick"]
    assert person._complete("staff Frederick besiege K") == ["Königgrätz"]
    assert person._complete("sta") == ["staff", "standing"]


def test_a_mission_may_be_dropped(rules: Ruleset) -> None:
    _, said = war(rules, "auto", "staff Frederick hold Glatz", "staff drop Frederick")
    assert said.rpartition("as you ordered")[2].count("No army has anything to do.") == 1


@pytest.mark.usefixtures("shelf")
def test_a_game_without_generals_has_no_staff(toy: Toy) -> None:
    typist = Typist("staff", "carry-on")
    table = Table(toy, toy.new_game("parley", {"rounds": "1"}))
    Game(table, (Person(hotseat_at(table, typist, 0), 0), Script()), Key.from_seed(1).dice()).play()
    assert typist.screen.getvalue().count("the captain does not know the rule set toy") == 2


def test_the_staff_of_the_campaigns_carries_on_until_a_battle_begins() -> None:
    rules = load("campaigns")
    table, typist = Table(rules, rules.new_game("1757", {})), Typist("staff Frederick besiege Prague", "carry-on")
    seats = Person(hotseat_at(table, typist, 0), 0), make_bot("planner", "campaigns", 1, 0)
    Game(table, seats, Key.from_seed(1).dice()).play()
    said = typist.screen.getvalue()
    assert "Frederick, Keith with 40 TP to take Prague by siege" in said
    assert "as you ordered" in said
    assert "The staff asks: Declaration (R12.2) was not foreseen." in said
