from leuthen.engine.decision import Done
from leuthen.rulesets.campaigns.bot.marching import Prospects
from leuthen.rulesets.campaigns.model.actions import (
    Agree,
    Assign,
    Build,
    Claim,
    Create,
    Lose,
    March,
    Name,
    Propose,
    Quarter,
    Ransom,
    Refuse,
    Starve,
)
from leuthen.rulesets.campaigns.model.data import AUSTRIA, FRANCE, HANOVER, PRUSSIA
from leuthen.rulesets.campaigns.model.forces import by_seniority
from leuthen.rulesets.campaigns.model.pieces import Captive
from leuthen.rulesets.campaigns.model.state import State
from leuthen.rulesets.campaigns.rules.r03_turn import Arranging
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders
from leuthen.rulesets.campaigns.rules.r09_steps import Feeding, SupplyStep, Toll
from leuthen.rulesets.campaigns.rules.r14_prisoners import Consenting, LeaderClaim, Naming, Proposing, Ransoming
from leuthen.rulesets.campaigns.rules.r15_arrivals import FreedMen
from leuthen.rulesets.campaigns.rules.r17_winter import Quartering
from leuthen.wargame.board import NOWHERE, parse_hex
from leuthen.wargame.bot.ranking import Goal
from leuthen.wargame.strength import LeaderId, bag
from tests.bots.fields import COALITION, PRUSSIAN, Field, end_of, order, situation

KOENIGGRAETZ, GLATZ, TRAUTENAU = map(parse_hex, ("1230", "1432", "1430"))
FOUR = Orders(PRUSSIAN, 4)


# Supply and winter


def test_a_depot_is_made_beyond_the_others() -> None:
    field = Field()
    field.place("1230", PRUSSIAN, PRUSSIA, 2)
    wagon = field.wagon("1230", PRUSSIA)
    state = field.at(SupplyStep(PRUSSIAN))
    assert order(state) == Build(wagon)


def test_a_wagon_is_made_where_an_army_is() -> None:
    field = Field()
    breslau = field.place("1733", PRUSSIAN, PRUSSIA, 3, depot=True)
    state = field.at(SupplyStep(PRUSSIAN))
    assert order(state) == Done()
    field.army("1733", "Frederick", 30)
    assert order(field.at(SupplyStep(PRUSSIAN))) == Create(breslau)


def test_wagons_go_along_with_an_army_that_needs_them() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 1)
    wagon = field.wagon("1531", PRUSSIA)
    field.army("1531", "Frederick", 40, sp=4)
    state = field.at(FOUR)
    answer = order(state)
    assert isinstance(answer, March)
    assert wagon in answer.companions


def test_a_large_army_does_not_like_to_be_without_supply() -> None:
    field = Field()
    field.place("1733", PRUSSIAN, PRUSSIA, 3, depot=True)
    number = field.army("1633", "Frederick", 40)
    state = field.at(FOUR)
    units, near, far = [state.units[number]], parse_hex("1633"), parse_hex("1430")
    nowhere = Goal("none", NOWHERE, 0.0)
    s = situation(state)
    prospects = Prospects(s, units, nowhere, {})
    assert prospects.score(near) > prospects.score(far)


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


def test_a_force_winters_where_most_can_be_taken() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 1)
    field.army("2130", "Frederick", 19)
    state = field.at(Quartering(PRUSSIAN))
    answer = order(state)
    assert isinstance(answer, Quarter)
    away = state.data.board.distances(KOENIGGRAETZ)
    assert away[answer.hex] <= 3


def test_freed_men_come_where_an_army_is_near_and_no_enemy() -> None:
    field = Field()
    field.army("1632", "Frederick", 30)
    field.army("2107", "Chevert", 20)
    state = field.at(FreedMen(PRUSSIA, 3))
    answer = order(state)
    assert isinstance(answer, Assign)
    assert state.data.board.distances(parse_hex("1632"))[answer.hex] <= 1


def test_in_winter_an_army_stands_by_a_place() -> None:
    field = Field(turn=15)
    number = field.army("1430", "Frederick", 19)
    state = field.at(FOUR)
    units, nowhere = [state.units[number]], Goal("none", NOWHERE, 0.0)
    s = situation(state)
    prospects = Prospects(s, units, nowhere, {})
    assert prospects.score(GLATZ) > prospects.score(TRAUTENAU)


# Men and leaders


def test_the_senior_is_not_emptied_for_the_ablest() -> None:
    field = Field()
    field.army("1430", "Charles", 12)
    field.army("1430", "Browne", 24)
    field.army("1034", "Daun", 5)
    state = field.at(Arranging(COALITION))
    assert order(state, COALITION) == Done()


def shares(state: State, points: dict[LeaderId, int]) -> tuple[int, ...]:
    return tuple(points[number] for number in by_seniority(state, points))


def test_the_least_able_leader_loses_most() -> None:
    field = Field()
    keith, wedell = field.army("1430", "Keith", 10), field.army("1430", "Wedell", 10)
    state = field.at(Toll(PRUSSIAN, (keith, wedell), 3))
    assert order(state) == Lose((1, 2))
    assert order(field.at(Toll(PRUSSIAN, (keith, wedell), 3), einhorn=False)) == Lose((0, 3))


def test_a_leader_without_men_goes_to_the_army() -> None:
    field = Field()
    zieten = field.army("1733", "Zieten", 0)
    field.army("1631", "Bevern", 19)
    state = field.at(Orders(PRUSSIAN, 2))
    assert order(state) == March(zieten, (), False, (parse_hex("1632"), parse_hex("1631")))


def test_an_army_takes_leaders_without_men_along() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 1)
    field.army("1432", "Frederick", 19)
    zieten = field.army("1432", "Zieten", 0)
    state = field.at(FOUR)
    answer = order(state)
    assert isinstance(answer, March)
    assert answer.companions == (zieten,)


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


def test_prisoners_are_exchanged_by_consent() -> None:
    field = captured(6)
    assert order(field.at(Proposing(6), einhorn=False)) == Propose(6)
    assert order(field.at(Consenting(COALITION, 6), einhorn=False), COALITION) == Agree()


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
