import pytest

from tests.campaigns.kit import rules
from tests.campaigns.positions import position

GIVEN = (
    "first",
    "chit prussia-3",
    "Keith 2940 10",
    "Henry 2940 10",
    "Zieten 2940 5 moved",
    "Schwerin 2940 5",
    "Daun 1125 9",
)


def test_nobody_is_listed_as_refused_who_leads_or_may_come() -> None:
    legal = rules().legal_actions(position(*GIVEN), 0)
    keith = rules().data.leader_named("Keith")
    refused = [refusal.text for _, refusal in legal.options(["march", keith]).refused]
    assert refused == ["Zieten has moved (R4.2)"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("march Keith Keith 2940-2941", "Keith leads the group (R4.3)"),
        ("march Keith Henry Henry 2940-2941", "Henry is named already (R4.3)"),
    ],
)
def test_a_name_too_many_is_refused_by_what_is_so(line: str, why: str) -> None:
    state = position(*GIVEN)
    refusal = rules().legal_actions(state, 0).why_not(rules().parse_action(state, 0, line))
    assert refusal is not None
    assert refusal.text == why


def test_the_wagon_of_a_besieged_place_is_shown_inside() -> None:
    """And where its side is not besieged, beside the place as before (R9.3)."""
    given = ("first", "P1 Breslau 4", "garrison Breslau 2 Prussia", "Keith 2940 10")
    besieged, free = position(*given, "Daun Breslau 20"), position(*given, "Daun 1125 20")
    for state, is_inside in ((free, False), (besieged, True)):
        view = rules().view(state, 0)
        scene = rules().presenter.scene(view)
        piece = scene.pieces["1733-0f"]
        where = "inside 1733 Breslau" if is_inside else "at 1733 Breslau"
        assert (piece.strength, piece.inside) == ("W4", is_inside)
        assert where in piece.spoken
        assert any(f"4 of 4 SP, {where}" in entry.text for entry in scene.musters[0].entries)
