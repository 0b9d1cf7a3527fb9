import pytest

from leuthen.load import RULESETS, load_with
from tests.golden.ledger import current_entry, entries, last_entry


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_ledger_has_the_current_rules_and_data(ruleset: str) -> None:
    now, written = current_entry(ruleset), last_entry(ruleset)
    assert now[:4] == written[:4], (
        f"{ruleset} differs from the ledger (version, data, results of games). "
        "If that is intended: `make golden WHY=…`."
    )


def test_the_data_of_every_release_are_available() -> None:
    missing = [entry for entry in entries() if load_with(entry.ruleset, entry.data).digest != entry.data]
    assert missing == [], "games continue with their first data (docs/decisions/versions.md)"


def test_each_ledger_entry_has_a_reason() -> None:
    assert all(entry.why.strip() for entry in entries())
