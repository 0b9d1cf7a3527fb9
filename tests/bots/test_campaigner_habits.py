from leuthen.engine.decision import Done
from leuthen.rulesets.campaigns.model.actions import (
    Attack,
    Besiege,
    Declare,
    Force,
    Hold,
    Leave,
    March,
    React,
    Retreat,
    Sortie,
    Withdraw,
)
from leuthen.rulesets.campaigns.model.data import AUSTRIA, PRUSSIA
from leuthen.rulesets.campaigns.rules.r04_command.activation import Activation
from leuthen.rulesets.campaigns.rules.r04_command.command import Command, Orders
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r06_meeting import Meeting
from leuthen.rulesets.campaigns.rules.r07_reaction import ReactionWindow
from leuthen.rulesets.campaigns.rules.r08_forced_march import ForcedMarches
from leuthen.rulesets.campaigns.rules.r11_siege import SiegeStep
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Battle, Declaring, Leaving
from leuthen.rulesets.campaigns.rules.r12_battle.fight import Account, Combatant
from leuthen.rulesets.campaigns.rules.r12_battle.retreat import Retreating
from leuthen.wargame.board import parse_hex
from tests.bots.fields import COALITION, PRUSSIAN, Field, end_of, order, situation
from tests.campaigns.kit import rules

KOENIGGRAETZ, GLATZ, TRAUTENAU = map(parse_hex, ("1230", "1432", "1430"))
FOUR = Orders(PRUSSIAN, 4)


# Sieges


def test_who_stands_before_a_place_besieges_it() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 1)
    field.army("1230", "Frederick", 15)
    state = field.at(SiegeStep(PRUSSIAN))
    assert order(state) == Besiege(KOENIGGRAETZ)


def test_an_army_marches_on_a_place_that_it_can_take() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 1)
    number = field.army("1432", "Frederick", 19)
    assert situation(field.at(FOUR)).plan[number].hex == KOENIGGRAETZ


def test_besiegers_stay() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 1)
    field.place("1034", COALITION, AUSTRIA, 1)
    field.army("1230", "Frederick", 19)
    assert order(field.at(FOUR)) == Done()


def test_not_with_fewer_men_than_the_rules_ask_for() -> None:
    field = Field()
    field.place("1125", COALITION, AUSTRIA, 5)
    field.army("1128", "Frederick", 4)
    field.army("1227", "Keith", 19)
    goals = situation(field.at(FOUR)).plan
    assert goals[field.data.leader_named("Keith")].hex == parse_hex("1125")


def test_two_armies_share_the_work() -> None:
    field = Field()
    field.place("1230", COALITION)
    field.place("1128", COALITION)
    field.army("1330", "Frederick", 10)
    field.army("1329", "Keith", 10)
    state = field.at(FOUR)
    assert len({goal.hex for goal in situation(state).plan.values()}) == 2


# Enemies


def test_an_army_hunts_an_enemy_that_it_should_beat() -> None:
    field = Field()
    frederick = field.army("1632", "Frederick", 30)
    field.army("1128", "Serbelloni", 15)
    assert situation(field.at(FOUR)).plan[frederick][:2] == ("hunt", parse_hex("1128"))


def test_an_army_relieves_a_place() -> None:
    field = Field()
    field.place("1128", PRUSSIAN, PRUSSIA, 2)
    frederick = field.army("1632", "Frederick", 30)
    field.army("1128", "Serbelloni", 12)
    assert situation(field.at(FOUR)).plan[frederick][:2] == ("hunt", parse_hex("1128"))


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


def test_he_concentrates_in_a_battle() -> None:
    field = Field()
    frederick, daun = field.army("1630", "Frederick", 30, sp=3), field.army("1630", "Daun", 30)
    hosts = Combatant(frederick, (Account(frederick, 30),), 30), Combatant(daun, (Account(daun, 30),), 30)
    battle = Battle(parse_hex("1630"), PRUSSIAN, "march", hosts=hosts)
    state = field.at(battle, Declaring(PRUSSIAN))
    assert order(state) == Declare(True, False)


def test_a_battle_that_is_lost_is_broken_off() -> None:
    field = Field()
    keith, daun = field.army("1630", "Wedell", 8), field.army("1630", "Daun", 40)
    hosts = Combatant(keith, (Account(keith, 12),), 12, 4), Combatant(daun, (Account(daun, 40),), 40)
    state = field.at(Battle(parse_hex("1630"), PRUSSIAN, "march", hosts=hosts), Leaving(PRUSSIAN))
    assert order(state) == Withdraw()


def reacting(mover: str, tp: int, mine: int) -> Field:
    field = Field()
    field.army("1530", mover, tp)
    field.army("1630", "Frederick", mine)
    return field


def window(field: Field, mover: str) -> ReactionWindow:
    return ReactionWindow(PRUSSIAN, parse_hex("1530"), field.data.leader_named(mover), TRAUTENAU)


def test_he_falls_upon_a_weak_enemy_who_comes_near() -> None:
    field = reacting("Serbelloni", 12, 30)
    state = field.at(window(field, "Serbelloni"))
    assert order(state) == React(field.data.leader_named("Frederick"))


def test_he_slips_away_from_a_strong_one() -> None:
    field = reacting("Daun", 40, 10)
    state = field.at(window(field, "Daun"))
    assert isinstance(order(state), React)


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


# Marches


def test_a_general_waits_for_his_chief() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 5)
    field.army("1432", "Frederick", 15)
    field.army("1432", "Keith", 12)
    state = field.at(Command((4,)), Orders(PRUSSIAN, 3))
    assert order(state) == Done()


def test_who_leaves_a_place_leaves_a_garrison() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 1)
    number = field.army("1432", "Frederick", 25)
    state = field.at(FOUR)
    first = order(state)
    assert isinstance(first, March)
    assert first.path == ()
    state = rules().apply(state, PRUSSIAN, first).state
    state = rules().apply(state, PRUSSIAN, order(state)).state  # takes bread along
    assert order(state) == Leave(number, 3)


def test_a_forced_march_where_it_brings_him_to_an_empty_place() -> None:
    field = Field()
    field.place("1230", COALITION)
    number = field.army("1330", "Frederick", 10)
    state = field.at(ForcedMarches(PRUSSIAN, (number,)))
    assert order(state) == Force(number)


def test_on_the_march_he_goes_on_to_his_goal() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 1)
    number = field.army("1430", "Frederick", 19)
    state = field.at(Activation(PRUSSIAN, (number,)), Meeting(PRUSSIAN, number, (number,)),
                     Marching(PRUSSIAN, number, (number,), 4, origin=GLATZ, gone=True))  # fmt: skip
    assert end_of(order(state)) == KOENIGGRAETZ
