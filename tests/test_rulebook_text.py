import pytest

from leuthen.load import RULESETS, read_rulebook
from leuthen.rulebook import Rulebook
from tests.conftest import RULEBOOK

BOOK = Rulebook({"t.md": RULEBOOK, "u.md": "# U Late\n\nNo rule.\n\n## Part\n\n**U1.1a** (R) Later.\n"})


def test_rules_are_cut_whole() -> None:
    assert [rule.number for rule in BOOK.rules] == ["T1", "T3.2", "T3.3", "U1.1a"]
    assert BOOK.rules[1].text.startswith("**T3.2** (S) A step")
    assert BOOK.rules[1].text.endswith("| north | 2 |")
    assert BOOK.rules[0].text == "**T1** (S) Each side seals a bid of 1 to 3."
    assert [rule.chapter for rule in BOOK.rules] == ["T1 Bids", "T3 Moves", "T3 Moves", "U Late"]
    assert BOOK.chapters == ("T1 Bids", "T3 Moves", "U Late")


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("T3.2", ["T3.2"]),
        ("t3.2", ["T3.2"]),
        ("T3", ["T3.2", "T3.3"]),
        ("T1", ["T1"]),
        ("u1.1a", ["U1.1a"]),
        ("T9", []),
        ("side", ["T1", "T3.3"]),
        ("SIDE peeks", ["T3.3"]),
        ("unheard", []),
        ("", []),
        ("  ", []),
    ],
)
def test_rules_are_found(query: str, numbers: list[str]) -> None:
    assert [rule.number for rule in BOOK.find(query)] == numbers


@pytest.mark.parametrize("name", RULESETS)
def test_no_number_stands_twice(name: str) -> None:
    numbers = [rule.number for rule in Rulebook(read_rulebook(name)).rules]
    assert len(numbers) > 100
    assert len(set(numbers)) == len(numbers)
