import pytest

from leuthen.load import load
from leuthen.screen.values import ScenarioCard


@pytest.mark.parametrize(
    ("ruleset", "name", "expected"),
    [
        ("frederick", "campaign", ("war", 7, 118, None)),
        ("frederick", "from-1762", ("year", 1, 18, -5)),
        ("frederick", "1759", ("year", 1, 18, -20)),
        ("frederick", "kunersdorf-maxen", ("evening", 1, 9, 30)),
        ("campaigns", "campaign", ("war", 7, 118, 0)),
        ("campaigns", "1756", ("year", 1, 10, 25)),
        ("campaigns", "olmutz", ("evening", 1, 6, 30)),
    ],
)
def test_a_scenario_has_its_kind(ruleset: str, name: str, expected: tuple[str, int, int, int | None]) -> None:
    cards: dict[str, ScenarioCard] = {card.name: card for card in load(ruleset).presenter.setting().scenarios}
    card = cards[name]
    assert (card.kind, card.years, card.turns, card.par) == expected
    assert list(cards) == list(load(ruleset).scenarios)
