import re
from random import Random

import pytest

from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.engine.ruleset import as_viewer
from leuthen.load import load, read_map
from leuthen.play.dice import Key
from leuthen.play.loop import Game
from leuthen.play.table import Table
from leuthen.rulesets.frederick.knowledge.view import make_view
from leuthen.rulesets.frederick.knowledge.worlds import draw_world
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN
from leuthen.rulesets.frederick.model.state import State
from leuthen.terminal.char_map import LEGEND, draw_map
from leuthen.terminal.person import Person
from tests.frederick.handmade import game_data, some_state
from tests.seats import Script
from tests.terminal.typist import Typist, hotseat_at


def sheet(place: str = "Prague", radius: int = 5, viewer: int = PRUSSIAN, state: State | None = None) -> str:
    presenter = load("frederick").presenter
    view = make_view(state or some_state(), as_viewer(viewer))
    here = presenter.about(view, place).place
    return draw_map(read_map("frederick"), presenter.setting(), presenter.scene(view), here, radius)


def cell(page: str, name: str) -> tuple[str, str]:
    lines = page.splitlines()
    number = next(n for n, line in enumerate(lines) if name in line and "," not in line and "·" not in line)
    at = lines[number].index(name)
    return lines[number][at : at + 7].rstrip(), lines[number + 1][at : at + 7].rstrip()


def test_stacks_as_the_viewer_knows_them() -> None:
    page = sheet()
    assert cell(page, "1126") == ("1126", "P24")
    assert cell(page, "1125") == ("1125D*A", "(<13)P7")
    assert cell(page, "1128") == ("1128", "A?")
    assert cell(page, "1230") == ("1230 *A", "(?)")
    other = sheet(viewer=AUSTRIAN)
    assert cell(other, "1126") == ("1126", "P?")
    assert cell(other, "1128") == ("1128", "A20")
    assert cell(other, "1129") == ("1129d", "")
    assert cell(page, "1129") == ("1129", "")


def test_more_places() -> None:
    assert cell(sheet("Minden", 3), "2209") == ("2209", "Al")
    assert cell(sheet("Russian base", 2), "3742") == ("3742D*o", "(20)")
    assert cell(sheet("1228", 2), "1228") == ("1228D", "")
    assert cell(sheet("1623", 2), "1623") == ("1623 *P", "(5)")


def test_what_lies_on_hexsides() -> None:
    page = sheet("1321", 2)
    row = next(line for line in page.splitlines() if "1321^" in line and "#1322^" in line)
    assert row
    assert "=1220" in page
    assert "~1325" in sheet("1325", 2)


def test_water_and_land_outside_the_theatre() -> None:
    page = sheet("Stralsund", 3)
    assert ":::::::" in page
    assert "......." in page


def test_rows_stand_half_a_hex_apart_and_north_is_up() -> None:
    lines = sheet("1125", 1).splitlines()
    rows = [
        next(n for n, line in enumerate(lines) if name in line and "·" not in line) for name in ("1225", "1125", "1025")
    ]
    assert rows == sorted(rows)
    assert lines[rows[0]].index("1225") - lines[rows[1]].index("1125") == 4


def test_legend_and_names() -> None:
    page = sheet()
    assert all(line in page for line in LEGEND)
    assert "1125 Prague" in page
    assert "1128 Kolin" in page


@pytest.mark.parametrize("radius", [0, 1, 5, 12, 99])
@pytest.mark.parametrize("place", ["0101", "Vienna", "Memel", "Königsberg", "Strasburg", "4241"])
def test_anywhere_on_the_board(place: str, radius: int) -> None:
    assert len(sheet(place, radius).splitlines()) > 5


def test_the_usual_radius_fits_the_terminal() -> None:
    assert max(map(len, sheet("Dresden", 5).splitlines())) <= 100


@pytest.mark.parametrize("seed", range(5))
def test_a_map_tells_nothing_that_is_hidden(seed: int) -> None:
    view = make_view(some_state(), PRUSSIAN)
    assert sheet(state=draw_world(game_data(), view, Random(seed))) == sheet()


def test_a_force_on_the_march_stands_in_its_hex() -> None:
    state = some_state()
    stacks = dict(state.stacks)
    force = next(stack for stack in stacks.values() if stack.strength == 24)
    del stacks[force.key]
    assert cell(sheet(state=some_state(stacks=stacks, moving=force)), "1126") == ("1126", "P24")


def test_unknown_places() -> None:
    for place in ("Atlantis", "9999", "16x3", ""):
        with pytest.raises(Invalid):
            sheet(place)
    with pytest.raises(Ambiguous):
        sheet("Frankfurt")


@pytest.mark.parametrize(("line", "radius"), [("map Prag", 5), ("map Prag 3", 3), ("map 1125 99", 12)])
def test_the_map_around_a_place(line: str, radius: int) -> None:
    rules = load("frederick")
    typist = Typist(line)
    table = Table(rules, rules.new_game("campaign", {}))
    Game(table, (Person(hotseat_at(table, typist, 0), 0), Script()), Key.from_seed(1).dice()).play()
    shown = typist.screen.getvalue()[len(typist.screens[0]) :].splitlines()
    assert shown[0].startswith("1125 Prague · 1756")
    hexes = [name for row in shown[1:] if "," not in row for name in re.findall(r"\d{4}", row)]
    assert max(int(name[:2]) for name in hexes) == 11 + radius
