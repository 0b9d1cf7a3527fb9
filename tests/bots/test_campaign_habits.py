from itertools import islice

import pytest

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.engine.ruleset import SIDES
from leuthen.rulesets.campaigns.bot.goals import errand_of
from leuthen.rulesets.campaigns.bot.marching import halts
from leuthen.rulesets.campaigns.bot.situation import Situation, estimate_state, estimates, expected_total
from leuthen.rulesets.campaigns.bot.weights import CADET, CAPTAIN, BotWeights
from leuthen.rulesets.campaigns.knowledge import make_view
from leuthen.rulesets.campaigns.model.actions import (
    Agree,
    Assign,
    Attack,
    Claim,
    Halt,
    Hold,
    Leave,
    Lose,
    Move,
    Name,
    Ransom,
    React,
    Refuse,
    Retreat,
    Starve,
    Withdraw,
)
from leuthen.rulesets.campaigns.model.data import AUSTRIA, FRANCE, HANOVER, PRUSSIA, RUSSIA
from leuthen.rulesets.campaigns.model.pieces import Captive, Sight
from leuthen.rulesets.campaigns.model.state import Draft, State
from leuthen.rulesets.campaigns.rules.r03_turn import Arranging
from leuthen.rulesets.campaigns.rules.r04_command.activation import Activation
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r06_meeting import Meeting
from leuthen.rulesets.campaigns.rules.r07_reaction import Reacting, ReactionWindow
from leuthen.rulesets.campaigns.rules.r09_supply import Feeding, Toll
from leuthen.rulesets.campaigns.rules.r12_battle import Battle, Leaving, Retreating
from leuthen.rulesets.campaigns.rules.r12_fight import Account, Combatant
from leuthen.rulesets.campaigns.rules.r14_prisoners import Consenting, LeaderClaim, Naming, Ransoming
from leuthen.rulesets.campaigns.rules.r15_arrivals import FreedMen
from leuthen.wargame.board import Hex, StackKey, hex_name, parse_hex, stack_key
from leuthen.wargame.strength import LeaderId, PowerId, bag
from tests.bots.campaign_positions import COALITION, PRUSSIAN, Position, order
from tests.campaigns.positions import play, rules

HIDDEN = {"hidden": "yes"}


@pytest.fixture(scope="module")
def states() -> list[State]:
    return [step.state for step in islice(play(11, options=HIDDEN), 59, 600, 60)]


def test_an_estimated_state_has_the_same_view(states: list[State]) -> None:
    for state in states:
        for side in SIDES:
            view = make_view(state, side)
            assert make_view(estimate_state(state.data, view), side) == view


def test_estimates_stay_within_the_bands(states: list[State]) -> None:
    for state in states:
        view = make_view(state, PRUSSIAN)
        strengths = estimates(state.data, view)
        hidden = [force for force in view.stacks if force.side == COALITION and force.most]
        assert hidden
        for force in hidden:
            assert force.least <= strengths[force.key] <= force.most


def hidden_field() -> State:
    position = Position()
    position.army("1733", "Frederick", 30)
    position.army("1125", "Browne", 12)
    position.army("0733", "Buccow", 12)
    position.place("1034", COALITION, AUSTRIA, 3)
    position.army("0232", "Hadik", 7)
    position.values["sights"] = {stack_key(parse_hex("0232"), COALITION, False): Sight(7, 7, 1)}
    return position.at(hidden=True)


def key(where: str, *, inside: bool = False) -> StackKey:
    return stack_key(parse_hex(where), COALITION, inside)


def test_able_leaders_are_estimated_above_garrisons() -> None:
    state = hidden_field()
    strengths = estimates(state.data, make_view(state, PRUSSIAN))
    assert strengths[key("1125")] > strengths[key("0733")] > strengths[key("1034", inside=True)]
    assert strengths[key("0232")] == 7


def test_arrivals_and_losses_change_the_estimate() -> None:
    state = rules().new_game("1757", HIDDEN)

    def total(nation: PowerId, **values: object) -> float:
        draft = Draft(state)
        for name, value in values.items():
            setattr(draft, name, value)
        return expected_total(state.data, make_view(draft.freeze(), PRUSSIAN), nation)

    assert total(RUSSIA, turn=4) < total(RUSSIA, turn=5)
    assert total(AUSTRIA, killed=(40, 0)) < total(AUSTRIA)


KOENIGGRAETZ, GLATZ, TRAUTENAU = map(parse_hex, ("1230", "1432", "1430"))
FOUR = Orders(PRUSSIAN, 4)


def test_the_captain_attacks_only_a_weaker_enemy() -> None:
    position = Position()
    number = position.army("1430", "Frederick", 30)
    position.army("1430", "Serbelloni", 15)
    state = position.at(Activation(PRUSSIAN, (number,)), Meeting(PRUSSIAN, number, (number,)))
    assert order(state) == Attack()
    position.army("1430", "Daun", 60)
    assert order(position.at(Activation(PRUSSIAN, (number,)), Meeting(PRUSSIAN, number, (number,)))) == Hold()


def test_a_besieger_keeps_his_last_supply_point() -> None:
    position = Position()
    position.place("1230", COALITION, AUSTRIA, 1)
    position.army("1230", "Frederick", 25, sp=1)
    state = position.at(Feeding(PRUSSIAN, KOENIGGRAETZ, False, 1))
    assert order(state) == Starve()


def test_freed_troops_appear_near_an_army() -> None:
    position = Position()
    position.army("1632", "Frederick", 30)
    position.army("2107", "Chevert", 20)
    state = position.at(FreedMen(PRUSSIA, 3))
    answer = order(state)
    assert isinstance(answer, Assign)
    assert state.data.board.distances(parse_hex("1632"))[answer.hex] <= 1


def test_a_senior_leader_keeps_his_troops() -> None:
    position = Position()
    position.army("1430", "Charles", 12)
    position.army("1430", "Browne", 24)
    position.army("1034", "Daun", 5)
    state = position.at(Arranging(COALITION))
    assert order(state, COALITION) == Done()


def test_the_least_able_leader_loses_most() -> None:
    position = Position()
    keith, wedell = position.army("1430", "Keith", 10), position.army("1430", "Wedell", 10)
    state = position.at(Toll(PRUSSIAN, 3, (keith, wedell)))
    assert order(state) == Lose((1, 2))
    assert order(position.at(Toll(PRUSSIAN, 3, (keith, wedell)), einhorn=False)) == Lose((0, 3))


def with_prisoners(held: int) -> Position:
    position = Position()
    position.army("1733", "Frederick", 30)
    position.army("1034", "Daun", 30)
    position.values["prisoners"] = (bag(AUSTRIA, held), bag(PRUSSIA, held) + bag(HANOVER, held))
    return position


def test_troops_of_the_fighting_nation_return_first() -> None:
    position = with_prisoners(6)
    position.place("0703", COALITION, FRANCE, 1)
    position.army("0703", "Chevert", 40)
    position.values["prisoners"] = (bag(AUSTRIA, 6) + bag(FRANCE, 6), 0)
    state = position.at(Naming(COALITION, 6))
    assert order(state, COALITION) == Name(bag(FRANCE, 6))


def test_a_much_stronger_side_refuses_an_exchange() -> None:
    position = with_prisoners(6)
    position.army("1034", "Daun", 70)
    assert order(position.at(Consenting(COALITION, 6), einhorn=False), COALITION) == Refuse()


def test_an_able_captive_is_claimed_and_not_released() -> None:
    position = with_prisoners(6)
    henry, dohna = position.data.leader_named("Henry"), position.data.leader_named("Dohna")
    position.values["captives"] = ((), (Captive(henry, False), Captive(dohna, False)))
    assert order(position.at(Ransoming(PRUSSIAN), einhorn=False)) == Ransom(henry)
    assert order(position.at(LeaderClaim(PRUSSIAN, 1), einhorn=False)) == Claim(henry)
    assert order(position.at(Consenting(COALITION, 5, henry), einhorn=False), COALITION) == Refuse()
    assert order(position.at(Consenting(COALITION, 5, dohna), einhorn=False), COALITION) == Agree()


CHEMNITZ = parse_hex("1522")
TWO, ONE = Orders(PRUSSIAN, 2), Orders(PRUSSIAN, 1)


def on_the_march(position: Position, leader: LeaderId, here: str) -> State:
    group, origin = (leader,), parse_hex(here)
    return position.at(Activation(PRUSSIAN, group), Meeting(PRUSSIAN, leader, group),
                    Marching(PRUSSIAN, leader, group, 3, origin=origin, gone=True))  # fmt: skip


def halt_at_glatz(tp: int, weights: BotWeights) -> Action:
    position = Position()
    position.place("1432", PRUSSIAN, PRUSSIA, 3)
    position.army("1430", "Daun", 60)
    state = on_the_march(position, position.army("1432", "Keith", tp), "1432")
    frame = state.frames[-1]
    assert isinstance(frame, Marching)
    s = Situation(state.data, make_view(state, PRUSSIAN), weights=weights)
    return next(halts(s, frame.walk(s.pos)))


def test_only_a_large_army_avoids_being_shut_in() -> None:
    assert halt_at_glatz(20, CADET) == Halt(True)
    assert halt_at_glatz(20, CAPTAIN) == Halt(False)
    assert halt_at_glatz(5, CAPTAIN) == Halt(True)


def test_a_beaten_army_avoids_a_trap() -> None:
    position = Position()
    position.place("1432", PRUSSIAN, PRUSSIA, 2)
    position.army("1532", "Keith", 8)
    position.army("1532", "Daun", 40)
    state = position.at(Retreating(PRUSSIAN, parse_hex("1532")))
    answer, cadet_answer = order(state), order(state, PRUSSIAN, CADET)
    assert isinstance(answer, Retreat)
    assert isinstance(cadet_answer, Retreat)
    assert (answer.inside, cadet_answer.inside) == (False, True)


def test_a_reacting_army_avoids_a_trap() -> None:
    position = Position()
    position.place("1432", PRUSSIAN, PRUSSIA, 2)
    keith = position.army("1432", "Keith", 20)
    position.army("1431", "Daun", 60)
    state = position.at(Reacting(PRUSSIAN, parse_hex("1431"), (keith,)))
    answer, cadet_answer = order(state), order(state, PRUSSIAN, CADET)
    assert isinstance(answer, Move)
    assert isinstance(cadet_answer, Move)
    assert (answer.inside, cadet_answer.inside) == (False, True)


def errand_for(position: Position, leader: LeaderId) -> tuple[str, Hex]:
    state = position.at(TWO)
    s = Situation(state.data, make_view(state, PRUSSIAN), weights=CAPTAIN)
    return errand_of(s, s.pos.units[leader], ())[:2]


def test_a_corps_garrisons_a_valuable_empty_place() -> None:
    position = Position()
    for here in position.data.strongholds:
        if here != CHEMNITZ:
            position.place(hex_name(here), PRUSSIAN, PRUSSIA, 1)
    position.army("1015", "Daun", 20)
    moritz = position.army("1623", "Moritz", 2)
    assert errand_for(position, moritz) == ("guard", CHEMNITZ)
    there = position.army("1522", "Moritz", 2)
    state = on_the_march(position, there, "1623")
    assert order(state) == Leave(there, 1)


def test_a_reacting_army_takes_its_wagons() -> None:
    position = Position()
    keith, wagon = position.army("1630", "Keith", 10), position.wagon("1630", PRUSSIA)
    daun = position.army("1530", "Daun", 40)
    state = position.at(ReactionWindow(PRUSSIAN, parse_hex("1530"), daun, parse_hex("1430")))
    assert order(state) == React(keith, (wagon,))
    assert order(state, PRUSSIAN, CADET) == React(keith)


def test_the_captain_fights_on_at_poor_odds() -> None:
    position = Position()
    for points, answers in ((13, (Withdraw(), Hold())), (11, (Withdraw(), Withdraw()))):
        moritz, daun = position.army("1630", "Moritz", points), position.army("1630", "Daun", 40)
        hosts = Combatant(moritz, (Account(moritz, points),), points), Combatant(daun, (Account(daun, 40),), 40)
        state = position.at(Battle(parse_hex("1630"), PRUSSIAN, "march", hosts=hosts), Leaving(PRUSSIAN))
        assert (order(state, PRUSSIAN, CADET), order(state)) == answers
