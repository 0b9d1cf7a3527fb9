import msgspec

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.rulesets.campaigns.bot.captain import Captain
from leuthen.rulesets.campaigns.bot.goals import errand_of
from leuthen.rulesets.campaigns.bot.marching import halts
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.bot.weights import CADET, CAPTAIN, BotWeights
from leuthen.rulesets.campaigns.knowledge import make_view
from leuthen.rulesets.campaigns.model.actions import Absorb, Halt, Hold, Leave, March, Move, React, Retreat, Withdraw
from leuthen.rulesets.campaigns.model.data import AUSTRIA, PRUSSIA
from leuthen.rulesets.campaigns.model.state import State
from leuthen.rulesets.campaigns.rules.r04_command.activation import Activation
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r06_meeting import Meeting
from leuthen.rulesets.campaigns.rules.r07_reaction import Reacting, ReactionWindow
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Battle, Leaving
from leuthen.rulesets.campaigns.rules.r12_battle.fight import Account, Combatant
from leuthen.rulesets.campaigns.rules.r12_battle.retreat import Retreating
from leuthen.wargame.board import Hex, hex_name, parse_hex
from leuthen.wargame.bot.ranking import NO_GOAL
from leuthen.wargame.strength import LeaderId
from tests.bots.fields import COALITION, PRUSSIAN, Field, asked, end_of, fresh, mission, order
from tests.campaigns.kit import rules

KOENIGGRAETZ, GLATZ, CHEMNITZ = map(parse_hex, ("1230", "1432", "1522"))
FOUR, TWO, ONE = Orders(PRUSSIAN, 4), Orders(PRUSSIAN, 2), Orders(PRUSSIAN, 1)


def under_way(field: Field, leader: LeaderId, here: str) -> State:
    group, origin = (leader,), parse_hex(here)
    return field.at(Activation(PRUSSIAN, group), Meeting(PRUSSIAN, leader, group),
                    Marching(PRUSSIAN, leader, group, 3, origin=origin, gone=True))  # fmt: skip


# Armies inside


def halt_at_glatz(tp: int, weights: BotWeights) -> Action:
    field = Field()
    field.place("1432", PRUSSIAN, PRUSSIA, 3)
    field.army("1430", "Daun", 60)
    state = under_way(field, field.army("1432", "Keith", tp), "1432")
    frame = state.frames[-1]
    assert isinstance(frame, Marching)
    s = Situation(state.data, make_view(state, PRUSSIAN), weights=weights)
    return next(halts(s, frame.walk(s.pos)))


def test_an_army_does_not_go_where_it_would_be_shut_in_and_a_corps_does() -> None:
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


# Empty places


def errand(field: Field, leader: LeaderId) -> tuple[str, Hex]:
    state = field.at(TWO)
    s = Situation(state.data, make_view(state, PRUSSIAN), weights=CAPTAIN)
    return errand_of(s, s.pos.units[leader], ())[:2]


def test_a_small_corps_leaves_a_man_in_an_empty_place_whose_loss_would_cost_much() -> None:
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


# Bread


def test_an_army_that_cannot_leave_its_fort_for_want_of_bread_takes_some_first() -> None:
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


# Wagons


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


def test_an_army_without_work_goes_back_to_its_bread_before_it_is_hungry() -> None:
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


# Battles


def test_a_battle_that_is_all_but_lost_is_still_fought() -> None:
    field = Field()
    for points, answers in ((13, (Withdraw(), Hold())), (11, (Withdraw(), Withdraw()))):
        moritz, daun = field.army("1630", "Moritz", points), field.army("1630", "Daun", 40)
        hosts = Combatant(moritz, (Account(moritz, points),), points), Combatant(daun, (Account(daun, 40),), 40)
        state = field.at(Battle(parse_hex("1630"), PRUSSIAN, "march", hosts=hosts), Leaving(PRUSSIAN))
        assert (order(state, PRUSSIAN, CADET), asked(state, fresh(state))) == answers
