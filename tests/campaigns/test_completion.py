"""What may follow in a line that is being typed."""

from __future__ import annotations

from tests.campaigns.kit import rules


def test_what_may_follow_is_told_from_the_legal_actions() -> None:
    state = rules().new_game("1757", {})
    assert rules().complete(state, 0, "rem") == ["remove"]
    assert "1733" in rules().complete(state, 0, "remove 17")
    assert rules().complete(state, 0, "nonsense ") == []
