from tests.campaigns.kit import rules


def test_what_may_follow_is_told_from_the_legal_actions() -> None:
    state = rules().new_game("1757", {})
    assert rules().complete(state, 0, "rem") == ["remove"]
    assert "1733" in rules().complete(state, 0, "remove 17")
    assert rules().complete(state, 0, "nonsense ") == []


def test_a_clause_that_attacks_goes_on_without_a_goal() -> None:
    view, standing = rules().view(rules().new_game("1757", {}), 0), rules().standing
    assert standing is not None
    assert set(standing.complete(view, "react Bevern attack ")) == {"against", "at", "within", "of", "odds"}
