from leuthen.rulesets.frederick.model.actions import Free, Lose, Offer, Place, Remove, Sack, Shelter
from leuthen.rulesets.frederick.model.data import AUSTRIA, FRANCE, HANOVER, PRUSSIA
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, CAPTIVE, PRUSSIAN
from leuthen.rulesets.frederick.model.stacks import make_stack
from leuthen.rulesets.frederick.rules.c08_redeployment import Reinforcing, Sacking
from leuthen.rulesets.frederick.rules.c11_prisoners import Freeing, LeaderOffers
from leuthen.rulesets.frederick.rules.o06_force_march import ForceLoss
from leuthen.rulesets.frederick.rules.o09_retreat import Retreating
from leuthen.rulesets.frederick.rules.o10_supply import DepotPhase
from leuthen.wargame.strength import bag
from tests.bots.positions import War, order
from tests.frederick.handmade import hexagon, leader


def test_the_worst_leader_is_sacked() -> None:
    war = War()
    war.prussians("1733", 20, "Frederick", "Ferdinand", "Brunswick")
    assert order(war.at(Sacking(PRUSSIA))) == Sack(leader("Brunswick"))


def test_the_worst_captive_is_offered() -> None:
    war = War()
    held = tuple(leader(name) for name in ("Browne", "Serbelloni"))
    roster = tuple(CAPTIVE if n in held else status for n, status in enumerate(war.values["roster"]))
    state = war.at(LeaderOffers(1), captives=(held, (leader("Keith"),)), roster=roster)
    assert order(state) == Offer(leader("Serbelloni"))


def test_freed_men_go_where_the_enemy_is() -> None:
    war = War()
    war.austrians("1531", 20, "Daun")
    state = war.at(Freeing(PRUSSIAN, 2), prisoners=(bag(AUSTRIA, 2), bag(PRUSSIA, 2)))
    action = order(state)
    assert isinstance(action, Free)
    assert action.points == 2
    assert state.data.board.distances(hexagon("1531"))[action.hex] <= 6


def test_a_force_march_costs_the_ally_a_man() -> None:
    war = War()
    war.values["allegiance"] = (PRUSSIAN, AUSTRIAN, AUSTRIAN, PRUSSIAN, 2, 2, 2, 2)
    force = make_stack(
        war.state(), hexagon("2217"), PRUSSIAN, False, bag(PRUSSIA, 9) + bag(HANOVER, 3), (leader("Frederick"),)
    )
    assert order(war.at(ForceLoss(PRUSSIAN), moving=force)) == Lose(force.key, HANOVER, 1)


def test_a_retreat_ends_inside_a_fortress_that_feeds_all() -> None:
    war = War()
    war.austrians("1531", 20, "Daun")
    battle = hexagon("1531")
    there = make_stack(war.state(), hexagon("1733"), PRUSSIAN, False, bag(PRUSSIA, 8), (leader("Keith"),))
    left = (battle, hexagon("1632"), hexagon("1733"))
    assert order(war.at(Retreating(PRUSSIAN, battle, 2, left), moving=there)) == Shelter(True)


def test_idle_depots_are_removed_when_there_are_many() -> None:
    war = War()
    war.prussians("1733", 20, "Frederick")
    for where in ("2024", "2325", "2525", "2724", "2827"):
        war.depot(where)
    assert isinstance(order(war.at(DepotPhase(PRUSSIAN, True))), Remove)


def test_new_men_fill_garrisons_and_join_the_army() -> None:
    war = War()
    state = war.at(Reinforcing(PRUSSIAN), waiting=bag(PRUSSIA, 20))
    action = order(state)
    assert isinstance(action, Place)
    assert action.power == PRUSSIA
    assert not action.inside
    assert action.power != FRANCE
