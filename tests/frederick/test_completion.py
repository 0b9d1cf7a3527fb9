from leuthen.load import load
from leuthen.rulesets.frederick.model.pieces import PRUSSIAN
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from tests.frederick.handmade import some_state

GAME = load("frederick")


def complete(text: str, state: State | None = None) -> list[str]:
    march = some_state(frames=(MarchPhase(PRUSSIAN, 3),), spent={})
    return list(GAME.complete(state or march, PRUSSIAN, text))


def test_first_the_words_of_orders() -> None:
    assert complete("") == ["done", "march", "shift"]
    assert complete("m") == ["march"]
    assert complete("besiege ") == []


def test_leaders_then_strength_and_path() -> None:
    assert complete("march ") == ["Frederick", "Schwerin", "Keith", "Maurice", "Cumberland"]
    assert complete("march fr") == ["Frederick"]
    after = complete("march Frederick ")
    assert after[:3] == ["Keith", "Maurice", "+20"]
    assert "1126-1226" in after
    later = complete("march Frederick Keith +4 ")
    assert later[0] == "Maurice"
    assert "1126-1226" in later


def test_a_path_goes_on_hex_by_hex() -> None:
    assert "1126-1226" in complete("march Frederick +4 1126-")
    longer = complete("march Frederick +4 1126-1226-")
    assert longer
    assert all(word.startswith("1126-1226-") for word in longer)
    assert complete("march Frederick +4 1126-12") == [
        word for word in complete("march Frederick +4 ") if word[5:7] == "12"
    ]


def test_a_fortress_and_which_way() -> None:
    assert complete("shift Dres") == ["Dresden"]
    assert complete("shift 1623 ") == ["out"]
    assert complete("shift 1623 out ") == ["+5", "+4", "+3", "+2", "+1"]


def test_the_rest_of_a_name() -> None:
    from leuthen.rulesets.frederick.model.pieces import AUSTRIAN

    state = some_state(frames=(MarchPhase(AUSTRIAN, 3),), spent={})
    assert list(GAME.complete(state, AUSTRIAN, "march de ")) == ["Broglie"]
    assert list(GAME.complete(state, AUSTRIAN, "march de B")) == ["Broglie"]


def test_nonsense_is_completed_by_nothing() -> None:
    for text in ("march Napoleon ", "march Frederick +x ", "shift 9999 ", "x y z", "march  ", "place ", "envoys 1 2 3"):
        assert isinstance(complete(text), list)
