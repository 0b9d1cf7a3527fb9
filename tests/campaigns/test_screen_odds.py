from fractions import Fraction

import pytest

from bench.checks import SIEGES, TURNS, besieged
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import as_side
from leuthen.rulesets.campaigns import odds as battles
from leuthen.rulesets.campaigns.model.actions import Hold, Withdraw
from leuthen.rulesets.campaigns.model.data import GameOptions
from leuthen.rulesets.campaigns.model.pieces import Unit
from leuthen.rulesets.campaigns.model.state import Draft, State
from leuthen.rulesets.campaigns.odds import (
    attrition_odds,
    battle_odds,
    first_faces,
    forced_odds,
    recovery_odds,
    rest_odds,
    siege_odds,
)
from leuthen.rulesets.campaigns.rules.r11_siege import LONG
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Leaving
from leuthen.rulesets.campaigns.rules.r18_setup import blank
from leuthen.rulesets.campaigns.screen.odds import TOPICS
from leuthen.screen.values import Odds
from leuthen.wargame.board import parse_hex
from leuthen.wargame.strength import LeaderId, bag
from tests.campaigns.kit import play, rules
from tests.campaigns.positions import act, at_reaction


@pytest.mark.parametrize(("kind", "modifier", "given"), SIEGES)
def test_sieges_fall_as_the_table_says(kind: str, modifier: int, given: tuple[int, ...]) -> None:
    state, here, side = besieged(rules(), kind, modifier)
    found = siege_odds(state, here, as_side(side)).by_turn
    for turn, percent in zip(TURNS, given, strict=True):
        computed = 100 * float(found[turn - 1])
        if turn < LONG:
            assert abs(computed - percent) < 1.2
        else:  # the table knows no long siege (R11.5)
            assert computed >= percent - 1.2


def number(name: str) -> LeaderId:
    return rules().data.leader_named(name)


def facing(*there: tuple[str, int], einhorn: bool = True) -> State:
    draft = Draft(blank(rules().data, "1757", GameOptions(einhorn=einhorn)))
    for name, points in there:
        nation = rules().data.leaders[number(name)].nation
        draft.put(Unit(number(name), parse_hex("1819"), tp=bag(nation, points), sp=2))
    draft.frames = ()
    return draft.freeze()


def test_forced_marches_have_the_chances_of_the_rule() -> None:
    state = facing(("Frederick", 33), ("Charles", 65))
    chances = {name: sum(forced_odds(state, number(name))[:2]) for name in ("Frederick", "Charles")}
    assert chances == {"Frederick": Fraction(5, 6), "Charles": Fraction(2, 6)}


def test_recovery_counts_two_dice_at_the_morale() -> None:
    state = facing(("Frederick", 33), ("Charles", 65))
    troops, courage = recovery_odds(state, number("Frederick"))
    assert troops == Fraction(33, 36)  # morale 10
    assert courage == Fraction(4, 6) * troops  # command 4


def test_attrition_has_the_mean_of_the_variant() -> None:
    state = facing(("Frederick", 100), ("Charles", 65))
    unit = state.units[number("Frederick")]
    found = attrition_odds(state, [unit])
    assert sum(value * chance for value, chance in found) == Fraction(35, 6)
    assert sum(chance for _, chance in found) == 1


def test_a_battle_is_fought_as_the_specification_saw_it() -> None:
    state = facing(("Frederick", 33), ("Charles", 65))
    odds = battle_odds(state, parse_hex("1819"), 0)
    assert odds.strengths == (33, 65)
    assert odds.wins[0] > Fraction(7, 10)  # Leuthen: 85 %
    assert sum(odds.wins) <= 1
    for losses in odds.losses:
        assert sum(chance for _, chance in losses) == 1


def test_who_breaks_alone_in_the_base_game_leaves_the_battle_alone() -> None:
    state = facing(("Frederick", 20), ("Bevern", 20), ("Charles", 20), ("Nadasdy", 20), einhorn=False)
    odds = battle_odds(state, parse_hex("1819"), 0)
    assert odds.fought == battles.BATTLES
    assert sum(odds.wins) <= 1


def test_the_first_dice_show_all_that_three_of_them_may() -> None:
    throws = [tuple(first_faces(number)) for number in range(battles.BATTLES)]
    for left_out in range(4):
        assert len({tuple(face for n, face in enumerate(throw) if n != left_out) for throw in throws}) == 6**3


def test_the_same_question_has_the_same_answer() -> None:
    state = facing(("Finck", 30), ("Lacy", 30))
    assert battle_odds(state, parse_hex("1819"), 0) == battle_odds(state, parse_hex("1819"), 0)


def test_who_leaves_a_battle_does_not_win_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battles, "BATTLES", 20)
    for state, one, *_ in play(0):
        if isinstance(state.frames[-1], Leaving):
            fights = rest_odds(state, as_side(one.actor), Hold())
            assert rest_odds(state, as_side(one.actor), Withdraw()).wins[one.actor] <= fights.wins[one.actor]
            return
    raise AssertionError("no battle")


def odds(text: str, state: State, side: int = 0) -> Odds:
    return rules().presenter.odds(rules().view(state, side), text)


def test_each_topic_can_be_asked_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battles, "BATTLES", 10)
    state = facing(("Frederick", 33), ("Charles", 65))
    siege, _, besieger = besieged(rules(), "fortress", 0)
    asked = {
        "attack": odds("attack 1819", state),
        "defend": odds("defend 1819", state),
        "siege": odds("siege Breslau", siege, besieger),
        "react": odds("react Charles 1819", state),
        "force": odds("force Frederick", state),
        "attrition": odds("attrition Frederick", state),
        "recover": odds("recover Frederick", state),
        "capture": odds("capture Frederick", state),
    }
    assert set(asked) == set(TOPICS)
    for sheet in asked.values():
        assert sheet.rule
        for case in sheet.cases[:1]:
            assert sum(Fraction(part.odds) for part in case.results[-2:]) <= 1
    assert "Frederick" in asked["force"].title


@pytest.mark.parametrize("text", ["attack 1720", "siege 1819", "react Frederick Tilsit", "force Nobody", "moon", "r"])
def test_what_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        odds(text, facing(("Frederick", 33), ("Charles", 65)))


def test_without_a_hex_the_question_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battles, "BATTLES", 10)
    reaction = at_reaction()
    expected = odds("react Daun 2941", reaction, 1)
    assert odds("react Daun", reaction, 1) == expected
    assert odds("react", reaction, 1) == expected
    meeting = act(reaction, 1, "hold").state
    meeting = act(meeting, 0, "go 2941-3041").state
    meeting = act(meeting, 1, "hold").state
    assert odds("attack", meeting) == odds("attack 3041", meeting)
    with pytest.raises(Invalid):
        odds("attack", facing(("Frederick", 33), ("Charles", 65)))
