"""What the campaign chapters say when they refuse something: the rule, the reason, the numbers."""

from __future__ import annotations

from random import Random

import pytest

from leuthen.engine.choice import STOP, Action
from leuthen.engine.decision import Done
from leuthen.rulesets.frederick.model.actions import Attack, Clear, Free, Lose, Offer, Place, PlaceDepot, Sack, Seal
from leuthen.rulesets.frederick.model.data import AUSTRIA, FRANCE, HANOVER, PRUSSIA, SAXONY, GameOptions
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, CAPTIVE, PRUSSIAN, WAITING
from leuthen.rulesets.frederick.rules.c07_commitment import CommitmentRoll
from leuthen.rulesets.frederick.rules.c08_placing import counts_down, is_leader, is_power
from leuthen.rulesets.frederick.rules.c08_redeployment import Redeploying, Reinforcing, Sacking
from leuthen.rulesets.frederick.rules.c11_prisoners import Freeing, LeaderOffers, LeaderReturn
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.strength import LeaderId, PowerId, bag
from tests.frederick.grand_kit import Scene, game_data, hexagon, leader, opening


def place(
    power: PowerId, where: str, points: int, *who: str, inside: bool = False, start: int = -1, of: int | None = None
) -> Place:
    leaders = tuple(leader(name) for name in who)
    return Place(power, hexagon(where), inside, leaders, bag(PowerId(power if of is None else of), points), start)


def says(scene: Scene, action: Action, text: str, side: int | None = None) -> None:
    refusal = scene.why_not(action, side)
    assert refusal is not None
    assert refusal.text == text


@pytest.mark.parametrize(("token", "leader_too", "power_too"), [
    (0, True, True), (-1, False, False), (7, True, True), (8, True, False), (71, True, False), (72, False, False),
    (999, False, False), ("Keith", False, False),
])  # fmt: skip
def test_which_tokens_are_leaders_and_powers(token: int | str, leader_too: bool, power_too: bool) -> None:
    pos = Scene().pos
    assert is_leader(token, pos) == leader_too
    assert is_power(token, pos) == power_too


def test_what_is_left_is_told() -> None:
    assert counts_down(7)(3) == "4 left"


def test_the_set_up() -> None:
    scene = opening()
    says(scene, Attack(Hex(5)), "«attack» is not for the set-up (C2.4)", PRUSSIAN)
    says(scene, Clear(), "nothing is left for «clear» (C2.6)", PRUSSIAN)
    says(scene, Seal(), "everything must be placed: 43 SP, 6 leaders, 1 depots left (C2.6)", PRUSSIAN)
    says(scene, PlaceDepot(hexagon("1623")), "1623 is in saxony: the depot may not stand there (C2.1)", PRUSSIAN)
    says(scene, PlaceDepot(Hex(5)), "the depot stands on a land hex in play (C2.1)", PRUSSIAN)
    water = next(h for h, kind in game_data().board.terrain.items() if kind == "water")
    says(scene, PlaceDepot(water), "the depot stands on a land hex in play (C2.1)", PRUSSIAN)
    nowhere = "forces deploy on fortress hexes, the Prussians also on their depot"
    says(scene, place(PRUSSIA, "2423", 1), f"{nowhere} (C2.1)", PRUSSIAN)
    says(scene, place(AUSTRIA, "2423", 1), f"{nowhere} (C2.2)", AUSTRIAN)
    says(scene, place(PRUSSIA, "1623", 1), "Dresden is not in Brandenburg-Prussia or Silesia (C2.1)", PRUSSIAN)
    says(scene, place(AUSTRIA, "1733", 1), "Breslau is not in Austria (C2.2)", AUSTRIAN)
    says(scene, place(AUSTRIA, "1125", 33), "only 32 SP are left to place (C2.6)", AUSTRIAN)
    says(scene, place(AUSTRIA, "1125", 0), "at least 1 SP are expected (C2.6)", AUSTRIAN)
    says(scene, place(AUSTRIA, "1125", 1, "Daun"), "Daun is not to be placed now (C2.6)", AUSTRIAN)
    twice = place(AUSTRIA, "1125", 1, "Lacy", "Browne")
    says(scene, twice, "name Browne before Lacy (C2.6)", AUSTRIAN)
    says(scene, Place(AUSTRIA, Hex(5), False, (LeaderId(99),)), "there is no such leader (O2.2)", AUSTRIAN)
    assert scene.legal(AUSTRIAN).options(("place", AUSTRIA)).values[-1] == STOP


def test_the_set_up_on_a_depot_in_the_field() -> None:
    scene = opening().do(PlaceDepot(hexagon("2423")), side=PRUSSIAN)
    inside = place(PRUSSIA, "2423", 1, inside=True)
    says(scene, inside, "there is no friendly fortress to go inside (C2.6)", PRUSSIAN)
    says(scene, PlaceDepot(hexagon("2422")), "nothing is left for «depot-at» (C2.6)", PRUSSIAN)
    scene.do(place(PRUSSIA, "2423", 43), side=PRUSSIAN)
    says(scene, place(PRUSSIA, "2423", 0), "somebody has to be named: a leader, or strength points (C2.6)", PRUSSIAN)


def test_losses() -> None:
    scene = Scene(1761).sides(france=AUSTRIAN).put("0703", AUSTRIAN, FRANCE, 20, inside=True)
    scene.put("1125", AUSTRIAN, AUSTRIA, 9).begin(CommitmentRoll(FRANCE)).roll(1)
    says(scene, Done(), "«done» is not for now: 2 SP are still to be lost (C7.5)")
    says(scene, Lose(-1, FRANCE, 1), "a stack with SP of France is expected (C7.5)")
    says(scene, Lose(scene.key("1125", AUSTRIAN), FRANCE, 1), "no SP of France of yours at 1125 (C7.5)")
    key = scene.key("0703", AUSTRIAN, True)
    says(scene, Lose(key, AUSTRIA, 1), "the SP lost must be those of France (C7.5)")
    says(scene, Lose(key, FRANCE, 3), "3 SP: from 1 to 2 can go here (C7.5)")
    refusal = scene.why_not(Lose(scene.key("1125", AUSTRIAN), FRANCE, 1))
    assert refusal is not None
    assert refusal.place == hexagon("1125")
    assert scene.legal().options(("lose", key, FRANCE)).prices == ("1 left", "0 left")


def test_sacking() -> None:
    scene = Scene().put("2422", PRUSSIAN, PRUSSIA, 5, "Keith", "Maurice").begin(Sacking(PRUSSIA))
    says(scene, Done(), "«done» is not for now: a leader must be sacked (C8.3)")
    says(scene, Sack(LeaderId(-1)), "there is no such leader (O2.2)")
    says(scene, Sack(leader("Daun")), "Daun is no leader of Prussia (C8.3)")
    says(scene, Sack(leader("Henry")), "Henry is not on the map (C8.3)")


def redeploying(**more: object) -> Scene:
    options = GameOptions(besieged_redeployment="barred" if more.get("barred") else "allowed")
    scene = Scene(options=options).sides(france=AUSTRIAN, hanover=PRUSSIAN, saxony=PRUSSIAN)
    scene.put("1224", PRUSSIAN, PRUSSIA, 20, "Frederick").put("1733", PRUSSIAN, PRUSSIA, 3, inside=True)
    scene.put("2422", PRUSSIAN, PRUSSIA, 1, inside=True).put("1733", AUSTRIAN, AUSTRIA, 30, "Browne")
    return scene.put("2411", PRUSSIAN, HANOVER, 2)


def test_redeployment() -> None:
    scene = redeploying().begin(Redeploying(PRUSSIAN))
    start = scene.key("1224", PRUSSIAN)
    says(scene, Attack(Hex(5)), "«attack» is not for the Re-deployment Phase (C8.6)")
    says(scene, place(PowerId(99), "2422", 1, start=start, of=0), "there is no such power (C1.1)")
    says(scene, place(FRANCE, "2422", 1, start=start), "France is not on your side (C8.6)")
    no_place = "has no SP on a friendly fortress hex to re-deploy to (C8.6)"
    says(scene, place(SAXONY, "1623", 1, start=start), f"Saxony {no_place}")
    scene.do(Place(HANOVER, hexagon("2107"), False, (), bag(HANOVER, 2), scene.key("2411", PRUSSIAN)))
    says(scene, place(HANOVER, "2210", 1, start=start), "Hanover has nobody who could still be moved (C8.6)")
    says(scene, place(PRUSSIA, "2422", 1), "no stack of yours is there (C8.6)")
    says(scene, place(PRUSSIA, "2422", 1, start=scene.key("1733", AUSTRIAN)), "no stack of yours is there (C8.6)")
    gone = scene.key("2107", PRUSSIAN)
    says(scene, place(PRUSSIA, "2422", 1, start=gone), "nobody of Prussia is there who could still be moved (C8.6)")
    says(scene, place(PRUSSIA, "2422", 21, start=start), "only 20 SP are there that have not been moved yet (C8.6)")
    says(scene, place(PRUSSIA, "2422", 0, start=start), "at least 1 SP are expected (C8.6)")
    says(scene, place(PRUSSIA, "2423", 1, start=start), "they go to fortress hexes only (C8.6)")
    says(scene, place(PRUSSIA, "1125", 1, start=start), "Prague is not yours (C8.10)")
    says(scene, place(PRUSSIA, "1432", 1, start=start), "no SP of Prussia are at Glatz (C8.6)")
    here = "the fortress is besieged: whoever arrives goes inside (C8.7)"
    says(scene, place(PRUSSIA, "1733", 1, start=start), here)
    inside = scene.key("2422", PRUSSIAN, True)
    says(scene, place(PRUSSIA, "2422", 1, start=inside, inside=True), "they are there already (C8.6)")


def test_redeployment_of_all() -> None:
    scene = Scene().put("2422", PRUSSIAN, PRUSSIA, 1, inside=True).begin(Redeploying(PRUSSIAN))
    key = scene.key("2422", PRUSSIAN, True)
    scene.do(Place(PRUSSIA, hexagon("2422"), False, (), bag(PRUSSIA, 1), key))
    says(scene, place(PRUSSIA, "2422", 1, start=key), "nobody is left who could be re-deployed (C8.6)")


def test_redeployment_with_the_besieged_barred() -> None:
    scene = redeploying(barred=True).begin(Redeploying(PRUSSIAN))
    start = scene.key("1224", PRUSSIAN)
    says(scene, place(PRUSSIA, "1733", 1, start=start, inside=True), "Breslau is besieged (C8.7)")
    shut = scene.key("1733", PRUSSIAN, True)
    says(scene, place(PRUSSIA, "2422", 1, start=shut), "1733 is besieged and sends nobody (C8.7)")


def test_a_besieged_garrison_that_is_its_own_only_place() -> None:
    scene = Scene().put("1733", PRUSSIAN, PRUSSIA, 3, inside=True).put("1733", AUSTRIAN, AUSTRIA, 9)
    scene.put("1224", PRUSSIAN, PRUSSIA, 2).begin(Redeploying(PRUSSIAN))
    key = scene.key("1733", PRUSSIAN, True)
    assert scene.legal().options(("place", PRUSSIA)).values == (scene.key("1224", PRUSSIAN),)
    says(scene, place(PRUSSIA, "1733", 1, start=key), "nobody of Prussia is there who could still be moved (C8.6)")


def test_reinforcements() -> None:
    scene = redeploying()
    scene.draft.waiting = bag(PRUSSIA, 3) + bag(SAXONY, 2) + bag(FRANCE, 2)
    scene.draft.set_roster(leader("Henry"), WAITING)
    for home in ("1623", "1821"):
        scene.put(home, AUSTRIAN, AUSTRIA, 1, inside=True)
    scene.begin(Reinforcing(PRUSSIAN))
    says(scene, Done(), "new SP and leaders must be placed as long as there is a place for them (C8.7)")
    says(scene, Attack(Hex(5)), "«attack» is not for now: new SP and leaders are placed (C8.7)")
    says(scene, place(PowerId(99), "2422", 1, of=0), "there is no such power (C1.1)")
    says(scene, place(FRANCE, "2422", 1), "France is not on your side (C8.7)")
    says(scene, place(HANOVER, "2413", 1), "nobody of Hanover waits who may be placed (C8.7)")
    says(scene, place(SAXONY, "1623", 1), "Saxony has no fortress to arrive at: they wait a year (C8.8)")
    says(scene, place(PRUSSIA, "2422", 4), "only 3 SP wait to be placed (C8.7)")
    says(scene, place(PRUSSIA, "2422", 0), "at least 1 SP are expected (C8.7)")
    says(scene, place(PRUSSIA, "2422", 1, "Zieten"), "Zieten is not to be placed now (C8.7)")
    besieged = "the fortress is besieged: whoever arrives goes inside (C8.7)"
    says(scene, place(PRUSSIA, "1733", 1), besieged)
    scene.do(place(PRUSSIA, "2422", 3, "Henry"))
    says(scene, place(PRUSSIA, "2422", 1), "nobody waits who could be placed (C8.8)")
    says(scene, Attack(Hex(5)), "«attack» is not for now: new SP and leaders are placed (C8.7)")


def test_only_a_leader_waits() -> None:
    scene = redeploying()
    scene.draft.set_roster(leader("Henry"), WAITING)
    scene.begin(Reinforcing(PRUSSIAN))
    assert scene.legal().options(("place", PRUSSIA)).values == (leader("Henry"),)
    says(scene, place(PRUSSIA, "2422", 0), "somebody has to be named: a leader, or strength points (C8.7)")
    assert scene.legal().options(("place", PRUSSIA, leader("Henry"), STOP)).values == (0,)
    assert scene.why_not(place(PRUSSIA, "2422", 0, "Henry")) is None


def exchange() -> Scene:
    scene = Scene(1758, 4, prisoners=(bag(AUSTRIA, 9), bag(PRUSSIA, 4) + bag(HANOVER, 2) + bag(SAXONY, 2)))
    scene.sides(hanover=PRUSSIAN, saxony=PRUSSIAN).put("1733", PRUSSIAN, PRUSSIA, 3, inside=True)
    scene.put("2422", PRUSSIAN, PRUSSIA, 1, inside=True).put("2422", AUSTRIAN, AUSTRIA, 9)
    scene.put("2413", PRUSSIAN, HANOVER, 2, inside=True).put("2413", AUSTRIAN, AUSTRIA, 9)
    return scene.put("1623", PRUSSIAN, SAXONY, 11, inside=True)


def test_freed_prisoners() -> None:
    scene = exchange().begin(Freeing(PRUSSIAN, 3))
    says(scene, Done(), "«done» is not for now: 3 SP are to be freed (C11.1)")
    says(scene, Free(PowerId(99), 1, Hex(5)), "there is no such power (C1.1)")
    says(scene, Free(AUSTRIA, 1, Hex(5)), "no men of Austria of yours are prisoners (C11.1)")
    says(scene, Free(FRANCE, 1, Hex(5)), "no men of France of yours are prisoners (C11.1)")
    says(scene, Free(HANOVER, 1, Hex(5)), "the men of Hanover have no place to return to (C11.1)")
    says(scene, Free(SAXONY, 1, Hex(5)), "Saxony already has as many SP as it may (C7.5)")
    says(scene, Free(PRUSSIA, 4, Hex(5)), "4 SP: from 1 to 3 return (C11.1)")
    says(scene, Free(PRUSSIA, 3, Hex(5)), "freed prisoners return to fortresses (C11.1)")
    says(scene, Free(PRUSSIA, 3, hexagon("1125")), "Prague is not yours (C11.1)")
    says(scene, Free(PRUSSIA, 3, hexagon("2422")), "Berlin is besieged (C11.1)")
    says(scene, Free(PRUSSIA, 3, hexagon("1432")), "no SP of Prussia are at Glatz (C11.1)")
    options = scene.legal().options(("free", PRUSSIA))
    assert options.prices == ("2 left", "1 left", "0 left")
    refused = {hex_name(int(here)) for here, _ in scene.legal().options(("free", PRUSSIA, 1)).refused}
    assert len(refused) == 32


def test_freed_leaders() -> None:
    scene = exchange()
    held = tuple(leader(name) for name in ("Daun", "Lacy", "Soubise"))
    scene.draft.captives = (held, (leader("Keith"), leader("Maurice")))
    for number in (*held, leader("Keith"), leader("Maurice")):
        scene.draft.set_roster(number, CAPTIVE)
    scene.put("1125", AUSTRIAN, AUSTRIA, 2, inside=True).sides(france=AUSTRIAN)
    scene.put("0703", AUSTRIAN, FRANCE, 2, inside=True).put("0703", PRUSSIAN, PRUSSIA, 2).begin(LeaderOffers(2))
    says(scene, Done(), "«done» is not for now: captive leaders must be offered (C11.1)")
    says(scene, Offer(leader("Keith")), "he is not your prisoner (C11.1)")
    says(scene, Offer(leader("Soubise")), "Soubise has no place to return to (C11.1)")
    scene.do(Offer(leader("Daun")))
    says(scene, Offer(leader("Daun")), "Daun is offered already (C11.1)")
    scene.do(Offer(leader("Lacy")), Offer(leader("Keith")), Offer(leader("Maurice")))
    assert scene.frame == LeaderReturn(PRUSSIAN, (leader("Keith"), leader("Maurice")))
    says(scene, Done(), "«done» is not for now: freed leaders return (C11.1)")
    here = hexagon("1733")
    says(scene, Free(PRUSSIA, 0, here, leader("Daun")), "he is not among those who are exchanged (C11.1)")
    says(scene, Free(AUSTRIA, 0, here, leader("Keith")), "that is not his power (C11.1)")
    says(scene, Free(PRUSSIA, 1, here, leader("Keith")), "leaders return without SP (C11.1)")
    says(scene, Free(PRUSSIA, 0, hexagon("2422"), leader("Keith")), "Berlin is besieged (C11.1)")


def test_iteration_goes_through_nobody_each_alone_and_the_first_few() -> None:
    names = ("Frederick", "Keith", "Ferdinand", "Maurice")
    scene = Scene().put("1224", PRUSSIAN, PRUSSIA, 9, *names).put("1733", PRUSSIAN, PRUSSIA, 1, inside=True)
    scene.begin(Redeploying(PRUSSIAN))
    start = scene.key("1224", PRUSSIAN)
    pool = tuple(sorted(leader(name) for name in names))
    found = {action.leaders for action in scene.legal() if isinstance(action, Place) and action.start == start}
    assert found == {(), *((number,) for number in pool), pool[:2], pool[:3], pool}
    drawn = {scene.legal().sample(Random(seed)) for seed in range(300)}
    assert any(isinstance(action, Place) and action.leaders == pool[1:3] for action in drawn)
