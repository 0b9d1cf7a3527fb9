from collections.abc import Iterator
from itertools import islice

import msgspec
import pytest

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.engine.ruleset import SIDES
from leuthen.rulesets.campaigns.bot.belief import estimate_state, estimates, expected_total
from leuthen.rulesets.campaigns.bot.captain import Captain
from leuthen.rulesets.campaigns.bot.goals import errand_of
from leuthen.rulesets.campaigns.bot.marching import Prospects, halts
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.bot.weights import CADET, CAPTAIN, BotWeights
from leuthen.rulesets.campaigns.knowledge import make_view
from leuthen.rulesets.campaigns.model.actions import (
    Absorb,
    Agree,
    Assign,
    Attack,
    Claim,
    Halt,
    Hold,
    Leave,
    Lose,
    March,
    Move,
    Name,
    Ransom,
    React,
    Refuse,
    Retreat,
    Sortie,
    Starve,
    Withdraw,
)
from leuthen.rulesets.campaigns.model.data import AUSTRIA, FRANCE, HANOVER, PRUSSIA, RUSSIA
from leuthen.rulesets.campaigns.model.pieces import Captive, Sight
from leuthen.rulesets.campaigns.model.state import Draft, State
from leuthen.rulesets.campaigns.rules.r03_turn import Arranging
from leuthen.rulesets.campaigns.rules.r04_command.activation import Activation
from leuthen.rulesets.campaigns.rules.r04_command.command import Command, Orders
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r06_meeting import Meeting
from leuthen.rulesets.campaigns.rules.r07_reaction import Reacting, ReactionWindow
from leuthen.rulesets.campaigns.rules.r09_steps import Feeding, Toll
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Battle, Leaving
from leuthen.rulesets.campaigns.rules.r12_battle.fight import Account, Combatant
from leuthen.rulesets.campaigns.rules.r12_battle.retreat import Retreating
from leuthen.rulesets.campaigns.rules.r14_prisoners import Consenting, LeaderClaim, Naming, Ransoming
from leuthen.rulesets.campaigns.rules.r15_arrivals import FreedMen
from leuthen.wargame.board import NOWHERE, Hex, StackKey, hex_name, parse_hex, stack_key
from leuthen.wargame.bot.ranking import NO_GOAL, Goal
from leuthen.wargame.strength import LeaderId, PowerId, bag
from tests.bots.fields import COALITION, PRUSSIAN, Field, asked, end_of, fresh, mission, order, situation
from tests.campaigns.positions import play, rules

HIDDEN = {"hidden": "yes"}


def positions(seed: int) -> Iterator[State]:
    for number, (state, *_) in enumerate(islice(play(seed, options=HIDDEN), 600)):
        if number % 60 == 59:
            yield state


@pytest.mark.parametrize("seed", range(3))
def test_what_he_imagines_looks_the_same(seed: int) -> None:
    for state in positions(seed):
        for side in SIDES:
            view = make_view(state, side)
            assert make_view(estimate_state(state.data, view), side) == view


def test_his_own_men_are_the_true_ones() -> None:
    for state in positions(7):
        thought = estimate_state(state.data, make_view(state, COALITION))
        own = [number for number in state.units if state.side(number) == COALITION]
        assert own
        assert {number: thought.units[number] for number in own} == {number: state.units[number] for number in own}


def test_estimates_keep_within_the_bands() -> None:
    for state in positions(11):
        view = make_view(state, PRUSSIAN)
        guesses = estimates(state.data, view)
        hidden = [force for force in view.stacks if force.side == COALITION and force.most]
        assert hidden
        for force in hidden:
            assert force.least <= guesses[force.key] <= force.most


def hidden_field() -> State:
    field = Field()
    field.army("1733", "Frederick", 30)
    field.army("1125", "Browne", 12)
    field.army("0733", "Buccow", 12)
    field.place("1034", COALITION, AUSTRIA, 3)
    field.army("0232", "Hadik", 7)
    field.values["sights"] = {stack_key(parse_hex("0232"), COALITION, False): Sight(7, 7, 1)}
    return field.at(hidden=True)


def key(where: str, *, inside: bool = False) -> StackKey:
    return stack_key(parse_hex(where), COALITION, inside)


def test_able_leaders_are_taken_to_be_strong_and_garrisons_weak() -> None:
    state = hidden_field()
    guesses = estimates(state.data, make_view(state, PRUSSIAN))
    assert guesses[key("1125")] > guesses[key("0733")] > guesses[key("1034", inside=True)]
    assert guesses[key("0232")] == 7


def test_men_who_came_make_an_enemy_stronger_and_battles_weaker() -> None:
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


def test_not_with_fewer_men_than_the_rules_ask_for() -> None:
    field = Field()
    field.place("1125", COALITION, AUSTRIA, 5)
    field.army("1128", "Frederick", 4)
    field.army("1227", "Keith", 19)
    goals = situation(field.at(FOUR)).plan
    assert goals[field.data.leader_named("Keith")].hex == parse_hex("1125")


def test_an_army_stands_before_the_place_that_the_enemy_is_after() -> None:
    field = Field()
    number = field.army("1632", "Keith", 20)
    field.army("1331", "Daun", 30)
    assert situation(field.at(FOUR)).plan[number][:2] == ("guard", KOENIGGRAETZ)


def test_he_attacks_whom_he_should_beat_and_nobody_else() -> None:
    field = Field()
    number = field.army("1430", "Frederick", 30)
    field.army("1430", "Serbelloni", 15)
    state = field.at(Activation(PRUSSIAN, (number,)), Meeting(PRUSSIAN, number, (number,)))
    assert order(state) == Attack()
    field.army("1430", "Daun", 60)
    assert order(field.at(Activation(PRUSSIAN, (number,)), Meeting(PRUSSIAN, number, (number,)))) == Hold()


def test_who_is_besieged_by_fewer_falls_upon_them() -> None:
    field = Field()
    field.place("1432", PRUSSIAN, PRUSSIA, 2)
    number = field.army("1432", "Frederick", 25, inside=True)
    field.army("1432", "Serbelloni", 14)
    state = field.at(FOUR)
    assert order(state) == Sortie(number)


def test_a_beaten_army_goes_into_a_fort() -> None:
    field = Field()
    glatz = field.place("1432", PRUSSIAN, PRUSSIA, 2)
    field.army("1532", "Keith", 7)
    field.army("1532", "Daun", 40)
    state = field.at(Retreating(PRUSSIAN, parse_hex("1532")))
    answer = order(state)
    assert isinstance(answer, Retreat)
    assert answer.inside
    assert answer.path[-1] == glatz


def test_a_beaten_general_stays_in_his_fort() -> None:
    field = Field()
    field.place("1432", PRUSSIAN, PRUSSIA, 2)
    field.place("1230", PRUSSIAN, PRUSSIA, 2)
    field.army("1432", "Frederick", 12, inside=True, daunted=5, shaken=5)
    assert order(field.at(FOUR)) == Done()


def test_a_general_waits_for_his_chief() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 5)
    field.army("1432", "Frederick", 15)
    field.army("1432", "Keith", 12)
    state = field.at(Command((4,)), Orders(PRUSSIAN, 3))
    assert order(state) == Done()


def test_a_wagon_goes_to_an_army_that_has_nothing_left() -> None:
    field = Field()
    wagon = field.wagon("1733", PRUSSIA)
    field.army("1430", "Frederick", 40)
    state = field.at(Orders(PRUSSIAN, 1))
    answer = order(state)
    assert isinstance(answer, March)
    assert answer.leader == wagon
    away = state.data.board.distances(TRAUTENAU)
    assert away[end_of(answer)] < away[parse_hex("1733")]


def test_who_may_not_march_hungry_keeps_what_the_way_back_costs() -> None:
    field = Field()
    field.place("1733", PRUSSIAN, PRUSSIA, 3, depot=True)
    moritz, keith = field.army("1633", "Moritz", 25, sp=1), field.army("1632", "Keith", 25, sp=1)
    state = field.at(FOUR)
    nowhere = Goal("none", NOWHERE, 0.0)
    s = situation(state)
    bound, free = (Prospects(s, [state.units[n]], nowhere, {}).score(TRAUTENAU) for n in (moritz, keith))
    assert bound < free - 1


def test_a_besieger_keeps_his_last_sp() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 1)
    field.army("1230", "Frederick", 25, sp=1)
    state = field.at(Feeding(PRUSSIAN, KOENIGGRAETZ, False, 1))
    assert order(state) == Starve()


def test_freed_men_come_where_an_army_is_near_and_no_enemy() -> None:
    field = Field()
    field.army("1632", "Frederick", 30)
    field.army("2107", "Chevert", 20)
    state = field.at(FreedMen(PRUSSIA, 3))
    answer = order(state)
    assert isinstance(answer, Assign)
    assert state.data.board.distances(parse_hex("1632"))[answer.hex] <= 1


def test_the_senior_is_not_emptied_for_the_ablest() -> None:
    field = Field()
    field.army("1430", "Charles", 12)
    field.army("1430", "Browne", 24)
    field.army("1034", "Daun", 5)
    state = field.at(Arranging(COALITION))
    assert order(state, COALITION) == Done()


def test_the_least_able_leader_loses_most() -> None:
    field = Field()
    keith, wedell = field.army("1430", "Keith", 10), field.army("1430", "Wedell", 10)
    state = field.at(Toll(PRUSSIAN, (keith, wedell), 3))
    assert order(state) == Lose((1, 2))
    assert order(field.at(Toll(PRUSSIAN, (keith, wedell), 3), einhorn=False)) == Lose((0, 3))


def captured(held: int) -> Field:
    field = Field()
    field.army("1733", "Frederick", 30)
    field.army("1034", "Daun", 30)
    field.values["prisoners"] = (bag(AUSTRIA, held), bag(PRUSSIA, held) + bag(HANOVER, held))
    return field


def test_men_of_the_nation_that_fights_come_back_first() -> None:
    field = captured(6)
    field.place("0703", COALITION, FRANCE, 1)
    field.army("0703", "Chevert", 40)
    field.values["prisoners"] = (bag(AUSTRIA, 6) + bag(FRANCE, 6), 0)
    state = field.at(Naming(COALITION, 6))
    assert order(state, COALITION) == Name(bag(FRANCE, 6))


def test_who_is_far_stronger_lets_nobody_go() -> None:
    field = captured(6)
    field.army("1034", "Daun", 70)
    assert order(field.at(Consenting(COALITION, 6), einhorn=False), COALITION) == Refuse()


def test_an_able_leader_is_asked_back_and_not_let_go() -> None:
    field = captured(6)
    henry, dohna = field.data.leader_named("Henry"), field.data.leader_named("Dohna")
    field.values["captives"] = ((), (Captive(henry, False), Captive(dohna, False)))
    assert order(field.at(Ransoming(PRUSSIAN), einhorn=False)) == Ransom(henry)
    assert order(field.at(LeaderClaim(PRUSSIAN, 1), einhorn=False)) == Claim(henry)
    assert order(field.at(Consenting(COALITION, 5, henry), einhorn=False), COALITION) == Refuse()
    assert order(field.at(Consenting(COALITION, 5, dohna), einhorn=False), COALITION) == Agree()


CHEMNITZ = parse_hex("1522")
TWO, ONE = Orders(PRUSSIAN, 2), Orders(PRUSSIAN, 1)


def under_way(field: Field, leader: LeaderId, here: str) -> State:
    group, origin = (leader,), parse_hex(here)
    return field.at(Activation(PRUSSIAN, group), Meeting(PRUSSIAN, leader, group),
                    Marching(PRUSSIAN, leader, group, 3, origin=origin, gone=True))  # fmt: skip


def halt_at_glatz(tp: int, weights: BotWeights) -> Action:
    field = Field()
    field.place("1432", PRUSSIAN, PRUSSIA, 3)
    field.army("1430", "Daun", 60)
    state = under_way(field, field.army("1432", "Keith", tp), "1432")
    frame = state.frames[-1]
    assert isinstance(frame, Marching)
    s = Situation(state.data, make_view(state, PRUSSIAN), weights=weights)
    return next(halts(s, frame.walk(s.pos)))


def test_an_army_avoids_being_shut_in_and_a_corps_does_not() -> None:
    assert halt_at_glatz(20, CADET) == Halt(True)
    assert halt_at_glatz(20, CAPTAIN) == Halt(False)
    assert halt_at_glatz(5, CAPTAIN) == Halt(True)


def test_a_beaten_army_does_not_flee_into_a_trap() -> None:
    field = Field()
    field.place("1432", PRUSSIAN, PRUSSIA, 2)
    field.army("1532", "Keith", 8)
    field.army("1532", "Daun", 40)
    state = field.at(Retreating(PRUSSIAN, parse_hex("1532")))
    answer, cadets = asked(state, fresh(state)), order(state, PRUSSIAN, CADET)
    assert isinstance(answer, Retreat)
    assert isinstance(cadets, Retreat)
    assert (answer.inside, cadets.inside) == (False, True)


def test_who_slips_away_does_not_slip_into_a_trap() -> None:
    field = Field()
    field.place("1432", PRUSSIAN, PRUSSIA, 2)
    keith = field.army("1432", "Keith", 20)
    field.army("1431", "Daun", 60)
    state = field.at(Reacting(PRUSSIAN, parse_hex("1431"), (keith,)))
    answer, cadets = asked(state, fresh(state)), order(state, PRUSSIAN, CADET)
    assert isinstance(answer, Move)
    assert isinstance(cadets, Move)
    assert (answer.inside, cadets.inside) == (False, True)


def test_a_demoralized_army_leaves_its_fort_before_it_is_shut_in() -> None:
    field = Field()
    schweidnitz = field.place("1631", PRUSSIAN, PRUSSIA, 2)
    field.place("1432", PRUSSIAN, PRUSSIA, 2)
    field.army("1432", "Frederick", 12, inside=True, daunted=5, shaken=5)
    state = field.at(FOUR)
    assert asked(state, fresh(state)) == Done()
    field.army("1329", "Daun", 40)
    state = field.at(FOUR)
    assert end_of(asked(state, fresh(state))) == schweidnitz


def test_an_army_inside_is_shut_in_by_one_that_cannot_outnumber_it() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 1)
    field.place("1327", COALITION, AUSTRIA, 1)
    field.army("1230", "Daun", 30, inside=True, daunted=5, shaken=5)
    frederick = field.army("1329", "Frederick", 25, sp=3)
    general = fresh(state := field.at(FOUR))
    asked(state, general)
    assert (mission(general, frederick).kind, mission(general, frederick).place) == ("besiege", KOENIGGRAETZ)


def errand(field: Field, leader: LeaderId) -> tuple[str, Hex]:
    state = field.at(TWO)
    s = Situation(state.data, make_view(state, PRUSSIAN), weights=CAPTAIN)
    return errand_of(s, s.pos.units[leader], ())[:2]


def test_a_small_corps_leaves_a_man_in_a_dear_empty_place() -> None:
    field = Field()
    for here in field.data.strongholds:
        if here != CHEMNITZ:
            field.place(hex_name(here), PRUSSIAN, PRUSSIA, 1)
    field.army("1015", "Daun", 20)
    moritz = field.army("1623", "Moritz", 2)
    assert errand(field, moritz) == ("guard", CHEMNITZ)
    there = field.army("1522", "Moritz", 2)
    state = under_way(field, there, "1623")
    assert asked(state, fresh(state)) == Leave(there, 1)


def test_no_corps_is_sent_to_a_place_that_counts_for_nothing() -> None:
    field = Field()
    field.place("1604", COALITION)
    assert errand(field, field.army("1605", "Moritz", 2)) == NO_GOAL[:2]


def test_an_army_short_of_bread_takes_some_before_it_leaves() -> None:
    field = Field(COALITION)
    field.place("1733", PRUSSIAN, PRUSSIA, 1)
    field.place("1634", COALITION, AUSTRIA, 2)
    daun = field.army("1634", "Daun", 25)
    state = field.at(Orders(COALITION, 2))
    general = fresh(state, COALITION)
    first = asked(state, general, COALITION)
    assert first == March(daun)
    state = rules().apply(state, COALITION, first).state
    load = asked(state, general, COALITION)
    assert load == Absorb(LeaderId(-1), 2)
    state = rules().apply(state, COALITION, load).state
    assert end_of(asked(state, general, COALITION)) == parse_hex("1733")


def test_wagons_do_not_stay_in_a_place_that_may_be_shut_in() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 1)
    field.place("1432", PRUSSIAN, PRUSSIA, 3)
    wagon = field.wagon("1432", PRUSSIA)
    field.army("1432", "Frederick", 15)
    alone = asked(state := field.at(FOUR), fresh(state))
    field.army("1631", "Daun", 30)
    threatened = asked(state := field.at(FOUR), fresh(state))
    assert isinstance(alone, March)
    assert isinstance(threatened, March)
    assert (wagon in alone.companions, wagon in threatened.companions) == (False, True)


def test_a_wagon_alone_goes_away_from_an_enemy_who_may_come() -> None:
    field = Field()
    wagon = field.wagon("1631", PRUSSIA)
    field.army("1127", "Daun", 30)
    state = field.at(ONE)
    answer = asked(state, fresh(state))
    assert isinstance(answer, March)
    assert answer.leader == wagon
    away = state.data.board.distances(parse_hex("1127"))
    assert away[end_of(answer)] > away[parse_hex("1631")]


def test_nobody_marches_off_from_wagons_that_cannot_come_along() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 1)
    field.army("1431", "Frederick", 19)
    assert end_of(asked(field.at(FOUR), fresh(field.at(FOUR)))) >= 0
    wagon = field.wagon("1431", PRUSSIA)
    field.values["units"][wagon] = msgspec.structs.replace(field.values["units"][wagon], moved=True)
    field.army("1034", "Daun", 12)
    assert end_of(asked(field.at(FOUR), fresh(field.at(FOUR)))) < 0
    field.army("1431", "Bevern", 3, moved=True)
    assert end_of(asked(field.at(FOUR), fresh(field.at(FOUR)))) >= 0


def test_an_idle_army_goes_back_to_its_bread_in_time() -> None:
    field = Field()
    field.place("1631", PRUSSIAN, PRUSSIA, 2, depot=True)
    field.army("1331", "Frederick", 40, sp=2)
    state = field.at(FOUR)
    slow = Captain(state.data, PRUSSIAN, 1, CAPTAIN._replace(min_march_gain=CADET.min_march_gain))
    assert end_of(asked(state, fresh(state))) == parse_hex("1430")
    assert asked(state, slow) == Done()


def test_who_slips_away_takes_his_wagons_along() -> None:
    field = Field()
    keith, wagon = field.army("1630", "Keith", 10), field.wagon("1630", PRUSSIA)
    daun = field.army("1530", "Daun", 40)
    state = field.at(ReactionWindow(PRUSSIAN, parse_hex("1530"), daun, parse_hex("1430")))
    assert asked(state, fresh(state)) == React(keith, (wagon,))
    assert order(state, PRUSSIAN, CADET) == React(keith)


def test_a_battle_that_is_all_but_lost_is_still_fought() -> None:
    field = Field()
    for points, answers in ((13, (Withdraw(), Hold())), (11, (Withdraw(), Withdraw()))):
        moritz, daun = field.army("1630", "Moritz", points), field.army("1630", "Daun", 40)
        hosts = Combatant(moritz, (Account(moritz, points),), points), Combatant(daun, (Account(daun, 40),), 40)
        state = field.at(Battle(parse_hex("1630"), PRUSSIAN, "march", hosts=hosts), Leaving(PRUSSIAN))
        assert (order(state, PRUSSIAN, CADET), asked(state, fresh(state))) == answers
