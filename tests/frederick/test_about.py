import pytest

from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.engine.ruleset import as_viewer
from leuthen.load import load
from leuthen.rulesets.frederick.knowledge.view import make_view
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.screen.scene import make_about
from leuthen.screen.values import About
from tests.frederick.handmade import game_data, some_state


def about(place: str, viewer: int = PRUSSIAN, state: State | None = None) -> About:
    return make_about(game_data(), make_view(state or some_state(), as_viewer(viewer)), place)


def test_a_fortress_under_siege() -> None:
    page = about("prague")
    assert (page.place, page.title) == ("1125", "Prague, today Praha · Sterbohol, today Sterboholy · 1125")
    assert "Clear; Bohemia, land of Austria" in page.lines
    fort = (
        "Fortress Prague: of the Austrian side, garrisoned, 10 VP (one of the five great fortresses), besieged, 1 roll"
    )
    assert any(line.startswith(fort) for line in page.lines)
    assert "Depot of Prussia (O10.4)" in page.lines
    assert "Browne 2-1-2: 2–12 SP, inside; besieged" in page.lines
    assert any(line.startswith("Schwerin 2-2-1: 7 SP; out of supply for 1 turn; besieging") for line in page.lines)


def test_what_is_hidden_stays_so() -> None:
    assert "Daun 1-2-3: strength not known" in about("Kolin").lines
    assert "Daun 1-2-3, Serbelloni 0-0-1, Nadasdy 2-2-1: 20 SP" in "\n".join(about("Kolin", AUSTRIAN).lines)
    assert "Depot of Austria, under construction (O10.4)" in about("1129", AUSTRIAN).lines
    assert not [line for line in about("1129").lines if line.startswith("Depot")]


def test_names_of_then_and_now() -> None:
    assert about("Wroc") == about("Breslau") == about("1733")
    assert about("Breslau").title.startswith("Breslau, today Wroclaw")
    assert about("Amöneburg").title == "Marburg · Amöneburg · Emsdorf · 1510"
    assert about("1126").title == "1126"


def test_the_ground() -> None:
    assert about("1127").lines[0].endswith("land of Austria")
    assert any("zone of control" in line for line in about("1127").lines)
    assert "Neutral: whoever enters violates Russia (C3.3)" in about("3742").lines
    assert about("Elbing").lines[0] == "Clear; Poland, open to everybody (C9.1)"
    board = game_data().board
    water = next(here for here, kind in board.terrain.items() if kind == "water")
    assert about(f"{water // 48:02d}{water % 48:02d}").lines == ("Water: nobody enters (O5.4)",)
    mountain = next(here for here in board.terrain if board.mountains >> here & 1 and board.in_play(here))
    assert about(f"{mountain // 48:02d}{mountain % 48:02d}").lines[0].startswith("Mountain: −2")


def test_hexsides_with_their_price() -> None:
    assert "To 1635: river Oder, 2 MP" in about("1634").lines
    assert any("pass" in line and line.endswith("MP") for line in about("1423").lines)
    everything = [line for row in range(1, 38) for column in range(1, 43) for line in lines_of(row, column)]
    assert any(line.endswith("ridge without a pass, barred (O5.4)") for line in everything)
    assert any(line.endswith("water, barred (O5.4)") for line in everything)


def lines_of(row: int, column: int) -> tuple[str, ...]:
    try:
        return about(f"{row:02d}{column:02d}").lines
    except Invalid:
        return ()


@pytest.mark.parametrize("place", ["9999", "Atlantis", "", "1", "16a3"])
def test_what_is_no_place(place: str) -> None:
    with pytest.raises(Invalid):
        about(place)


def test_what_may_be_several() -> None:
    with pytest.raises(Ambiguous, match="Frankfurt"):
        about("frankfurt")


def test_it_is_reached_through_the_door() -> None:
    game = load("frederick")
    assert game.presenter.about(game.view(game.new_game("campaign", {}), 0), "Dresden").place == "1623"
