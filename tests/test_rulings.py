"""Rulings within a version: a game keeps those that it began with until both sides agree to newer ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from leuthen import load
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import CHANCE, Ruleset
from leuthen.load import RULESETS
from leuthen.play.record import Writer, read
from leuthen.play.replay import Replay, carry_out
from leuthen.play.table import Table, header_of
from tests.toy import Toy

TO_MOVE = (("prussia", "bid 1"), ("austria", "bid 2"), ("chance", "die 1"))


@pytest.fixture
def ruled() -> Toy:
    """The toy with its ruling: a step north may go 3."""
    return Toy(rulings=True)


@pytest.fixture
def table(ruled: Toy, tmp_path: Path) -> Iterator[Table]:
    """A game that began before the ruling; the Prussian side moves."""
    header = header_of(ruled, "parley", {"rulings": "0"}, ("human", "human"))
    with Writer.create(tmp_path / "game", header, durable=False) as record:
        table = Table(ruled, ruled.new_game("parley", header.options), record=record)
        for line in TO_MOVE:
            carry_out(table, *line)
        yield table


def may_go_3(table: Table) -> bool:
    try:
        table.ruleset.apply(table.state, 0, table.ruleset.parse_action(table.state, 0, "step north 3"))
    except Illegal:
        return False
    return True


def test_a_new_game_has_the_newest_and_its_record_says_so(ruled: Toy) -> None:
    assert ruled.ruling_of(ruled.new_game("parley", {})) == 1
    assert "option rulings 1" in header_of(ruled, "parley", {}, ("human", "human")).lines()


def test_a_game_keeps_its_own_until_both_agree(table: Table) -> None:
    assert not may_go_3(table)
    table.adopt(1, 1)
    assert may_go_3(table)


def test_the_record_goes_from_the_one_to_the_other(table: Table, ruled: Toy, tmp_path: Path) -> None:
    carry_out(table, "prussia", "step north 2")
    table.adopt(1, 1)
    carry_out(table, "prussia", "step north 3")
    again = Replay(ruled, read(tmp_path / "game")).run()
    assert again.state == table.state
    assert [entry.text for entry in read(tmp_path / "game").entries][-3:] == [
        "step north 2",
        "adopt-rulings 1",
        "step north 3",
    ]


def test_what_the_newer_ruling_allows_is_refused_before_it(table: Table) -> None:
    with pytest.raises(Illegal, match="too far"):
        carry_out(table, "prussia", "step north 3")


@pytest.mark.parametrize(("number", "why"), [(2, "no ruling number 2"), (0, "played by already")])
def test_only_newer_rulings_are_agreed_on(table: Table, number: int, why: str) -> None:
    before = table.state
    with pytest.raises(Invalid, match=why):
        table.adopt(1, number)
    assert table.state is before


def test_a_takeback_leaves_what_was_agreed(table: Table) -> None:
    carry_out(table, "prussia", "step north 2")
    table.adopt(1, 1)
    carry_out(table, "prussia", "step north 3")
    table.take_back(1, 4)
    assert table.ruleset.ruling_of(table.state) == 1
    assert table.state.steps[0] == 3
    table.take_back(1, 3)
    assert table.ruleset.ruling_of(table.state) == 1
    assert may_go_3(table)


def test_a_game_without_the_option_has_no_rulings(toy: Toy) -> None:
    table = Table(toy, toy.new_game("parley", {}))
    with pytest.raises(Invalid, match="no ruling"):
        table.adopt(0, 1)


@pytest.mark.parametrize("name", RULESETS)
def test_every_rule_set_can_move_a_game_to_newer_rulings(name: str) -> None:
    """Nothing else of the position changes; the records name the option from the beginning."""
    ruleset: Ruleset = load.load(name)
    assert ruleset.options["rulings"][-1] == "0"
    assert list(ruleset.options["rulings"]) == sorted(ruleset.options["rulings"], key=int, reverse=True)
    state = ruleset.new_game(next(iter(ruleset.scenarios)), {})
    moved = ruleset.adopt(state, 7)
    assert ruleset.ruling_of(moved) == 7
    assert ruleset.ruling_of(state) == int(ruleset.options["rulings"][0])
    assert ruleset.dump(ruleset.adopt(moved, ruleset.ruling_of(state))) == ruleset.dump(state)
    assert ruleset.pending(moved) == ruleset.pending(state)
    assert all(actor.actor == CHANCE or ruleset.legal_actions(moved, actor.actor) for actor in ruleset.pending(moved))


PAGES = {"frederick": "rulings.md", "campaigns": "rulings-campaigns.md"}


@pytest.mark.parametrize("name", RULESETS)
def test_every_ruling_within_the_version_stands_on_its_page(name: str) -> None:
    version, newest = load.load(name).version, load.load(name).options["rulings"][0]
    page = (Path(__file__).parents[1] / "docs" / PAGES[name]).read_text()
    _, _, section = page.partition(f"## Rulings within version {version}\n")
    assert section, "the page has no such section"
    rows = [line.split("|")[1].strip() for line in section.partition("\n## ")[0].splitlines() if line.startswith("|")]
    assert rows[2:] == [str(number) for number in range(1, int(newest) + 1)]
