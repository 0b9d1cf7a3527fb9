from itertools import islice

import pytest

from leuthen.engine.decision import Done
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import as_side, as_viewer
from leuthen.load import load
from leuthen.rulesets.campaigns.bot.captain import Captain
from leuthen.rulesets.campaigns.bot.goals import armies_of, outlook_of
from leuthen.rulesets.campaigns.bot.marching import Prospects
from leuthen.rulesets.campaigns.bot.odds import Corps, battle
from leuthen.rulesets.campaigns.bot.situation import Memory, Situation, is_astray
from leuthen.rulesets.campaigns.bot.weights import CADET, CAPTAIN, BotWeights
from leuthen.rulesets.campaigns.knowledge import View, make_view
from leuthen.rulesets.campaigns.model.actions import GARRISON, Assign, Bring, Force, March, Transfer, Withdraw
from leuthen.rulesets.campaigns.model.data import AUSTRIA, COALITION, FRANCE, NATIONS, PRUSSIA, PRUSSIAN
from leuthen.rulesets.campaigns.model.state import Draft, State
from leuthen.rulesets.campaigns.rules.r03_turn import Arranging
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders
from leuthen.rulesets.campaigns.rules.r08_forced_march import ForcedMarches
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Battle, Declaring
from leuthen.rulesets.campaigns.rules.r12_battle.fight import Account, Combatant
from leuthen.rulesets.campaigns.rules.r15_arrivals import Recruits
from leuthen.rulesets.campaigns.rules.r17_winter import Council
from leuthen.simulate.game import GameTask, Match, play_one
from leuthen.wargame.board import Hex, parse_hex
from leuthen.wargame.bot.ranking import best_first
from leuthen.wargame.missions import goal_on_the_way, lines_of, reasons_for
from leuthen.wargame.strength import PowerId, of
from tests.bots.decisions import War
from tests.bots.fields import Field, asked, end_of, fresh, mission, situation
from tests.campaigns.positions import rules
from tests.prove.sample import EVERY
from tests.rows import rows

KOENIGGRAETZ, TRAUTENAU, OLMUETZ = map(parse_hex, ("1230", "1430", "1034"))
FOUR, ONE = Orders(PRUSSIAN, 4), Orders(PRUSSIAN, 1)


def test_a_siege_is_a_mission_with_its_reasons() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 1)
    frederick = field.army("1432", "Frederick", 19)
    general = fresh(state := field.at(FOUR))
    asked(state, general)
    found = mission(general, frederick)
    assert (found.kind, found.place, found.army) == ("besiege", KOENIGGRAETZ, (frederick,))
    assert found.reason.goal == "take Königgrätz by siege"
    assert found.reason.rule == "R11.1"
    assert "1 TP are inside, 19 TP besiege" in found.reason.premises


def test_a_battle_is_a_mission_with_its_odds() -> None:
    field = Field()
    frederick = field.army("1432", "Frederick", 40)
    field.army("1430", "Serbelloni", 20)
    general = fresh(state := field.at(FOUR))
    asked(state, general)
    found = mission(general, frederick)
    assert found.kind == "hunt"
    assert found.reason.odds is not None
    assert found.reason.odds > 0.8


def between_two_cities(where: str) -> State:
    field = Field()
    field.place("1128", COALITION, AUSTRIA, 1)
    field.place("1327", COALITION, AUSTRIA, 1)
    field.army(where, "Frederick", 19)
    return field.at(FOUR)


def test_what_was_begun_goes_on_though_a_little_less_good() -> None:
    before, after = between_two_cities("1229"), between_two_cities("1230")
    other = fresh(after)
    asked(after, other)
    assert other.mind.plan.missions[0].place == parse_hex("1128")
    general = fresh(before)
    for state in (before, after):
        asked(state, general)
        assert general.mind.plan.missions[0].place == parse_hex("1327")


def test_between_two_marches_the_plan_is_as_it_was() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 1)
    frederick = field.army("1432", "Frederick", 19)
    general = fresh(state := field.at(FOUR))
    asked(state, general)
    thought = general.thought
    field.place("1230", PRUSSIAN)
    changed = field.at(ForcedMarches(PRUSSIAN, (frederick,)))
    asked(changed, general)
    assert general.thought == thought
    asked(field.at(FOUR), general)
    assert general.thought != thought


def test_a_failed_mission_is_left_alone_for_some_turns() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 1)
    frederick = field.army("1432", "Frederick", 19)
    general = fresh(state := field.at(FOUR))
    asked(state, general)
    assert not general.mind.notes
    field.values["turn"] = 12
    asked(field.at(FOUR), general)
    assert general.mind.notes == {f"{frederick} take {KOENIGGRAETZ}": 175716}


def leading(state: State, weights: BotWeights) -> Captain:
    general = Captain(state.data, PRUSSIAN, 1, weights)
    asked(state, general)
    return general


def test_he_goes_for_an_army_that_could_relieve_before_he_besieges() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 1)
    field.place("1034", COALITION, AUSTRIA, 1)
    frederick, _ = field.army("1432", "Frederick", 24), field.army("1128", "Daun", 26)
    state = field.at(FOUR)
    assert mission(leading(state, CAPTAIN), frederick).place == parse_hex("1128")
    assert (
        mission(leading(state, CAPTAIN._replace(enemy_strength_factor=CADET.enemy_strength_factor)), frederick).place
        == KOENIGGRAETZ
    )


def test_he_comes_to_help_from_farther_away() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 1)
    field.place("1434", PRUSSIAN, PRUSSIA, 3)
    frederick, _ = field.army("1727", "Frederick", 24), field.army("1434", "Daun", 14)
    state = field.at(FOUR)
    assert mission(leading(state, CAPTAIN), frederick).kind == "relieve"
    assert mission(leading(state, CAPTAIN._replace(delay_factor=CADET.delay_factor)), frederick).kind == "besiege"


def test_the_french_leave_pomerania_to_others() -> None:
    field = Field(COALITION)
    field.place("3123", PRUSSIAN, PRUSSIA, 1)
    field.place("2210", PRUSSIAN, PRUSSIA, 1)
    broglie = field.army("2821", "Broglie", 19)
    state = field.at(Orders(COALITION, 3))
    general = Captain(state.data, COALITION, 1)
    asked(state, general, COALITION)
    assert state.leader(broglie).nation == FRANCE
    assert mission(general, broglie).place == parse_hex("2210")


# The player's staff


def told(staff: Captain, view: View) -> list[str]:
    return lines_of(staff.missions(view).assignments())


def test_the_staff_tells_its_plan_and_takes_orders() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 1)
    field.place("1034", COALITION, AUSTRIA, 1)
    frederick = field.army("1331", "Frederick", 19)
    staff = fresh(state := field.at(FOUR))
    view = make_view(state, PRUSSIAN)
    (line,) = told(staff, view)
    assert line.startswith("Frederick with 19 TP to take Königgrätz by siege: 1 TP are inside")
    assert "(R11.1)" in line
    staff.set_mission(view, "Frederick besiege Olmütz")
    (line,) = told(staff, view)
    assert "Olmütz" in line
    assert ", as you ordered" in line
    answer = asked(state, staff)
    away = state.data.board.distances(parse_hex("1034"))
    assert away[end_of(answer)] < away[parse_hex("1331")]
    assert not staff.doubt(view, answer)
    field.place("1034", PRUSSIAN)
    asked(state := field.at(FOUR), staff)
    assert mission(staff, frederick).place == KOENIGGRAETZ
    staff.set_mission(make_view(state, PRUSSIAN), "Frederick hold")
    staff.set_mission(make_view(state, PRUSSIAN), "drop Frederick")
    assert "as you ordered" not in told(staff, make_view(state, PRUSSIAN))[0]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("Frederick dance Prague", '"dance" is not a valid mission'),
        ("Daun besiege Prague", "Daun is not yours"),
        ("Henry hold", "Henry is not on the map"),
        ("Frederick besiege Berlin", "there is nothing to take at Berlin"),
        ("Frederick besiege Nowhere", "Nowhere"),
        ("Nobody hold", "Nobody"),
    ],
)
def test_a_mission_that_cannot_be_is_refused_and_nothing_changes(words: str, why: str) -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 1)
    field.army("1432", "Frederick", 19)
    field.army("0232", "Daun", 10)
    staff = fresh(state := field.at(FOUR))
    view = make_view(state, PRUSSIAN)
    before = told(staff, view), staff.thought
    with pytest.raises((Invalid, Illegal), match=why):
        staff.set_mission(view, words)
    assert (told(staff, view), staff.thought) == before


def test_a_goal_names_the_place_that_its_army_goes_to_now() -> None:
    field = Field()
    field.army("1331", "Frederick", 19)
    field.army("1528", "Daun", 8)
    staff = fresh(state := field.at(FOUR))
    view = make_view(state, PRUSSIAN)
    staff.set_mission(view, "Frederick hunt 1528")
    missions = staff.missions(view)
    (one,) = missions.assignments()
    goals = [goal_on_the_way(missions, one, parse_hex(end)) for end in ("1121", "1528", "1331")]
    goal = "beat the enemy at 1528 Reichenberg"
    assert goals == [f"{goal}, now on the way to 1121 Eger", goal, goal]
    assert reasons_for(staff, view, "march Frederick 1331-1231-1121")[0] == f"Frederick is to {goals[0]} (R6.1)."


def test_a_mission_of_an_army_outlives_a_corps_of_it() -> None:
    field = Field()
    field.place("1034", COALITION, AUSTRIA, 1)
    field.army("1034", "Daun", 8)
    frederick, henry = field.army("1331", "Frederick", 19), field.army("1331", "Henry", 10)
    staff = fresh(state := field.at(FOUR))
    view = make_view(state, PRUSSIAN)
    staff.set_mission(view, "Frederick hunt Olmütz")
    assert mission(staff, frederick).army == (frederick, henry)
    (line,) = told(staff, view)
    assert line.startswith(
        "Frederick, Henry with 29 TP to beat the enemy at Olmütz: 8 enemy TP are there, 29 TP attack"
    )
    assert "a battle costs about " in line
    staff.set_mission(view, "Henry hold")
    assert (mission(staff, frederick).army, mission(staff, henry).kind) == ((frederick,), "hold")
    staff.set_mission(view, "Frederick hunt Olmütz")
    thinned = field.at(FOUR, ONE)
    draft = Draft(thinned)
    draft.remove(henry)
    asked_again = make_view(draft.freeze(), PRUSSIAN)
    assert [one.mission.army for one in staff.missions(asked_again).assignments() if one.mission.signed] == [
        (frederick,)
    ]
    with pytest.raises(Illegal, match="Henry is not on the map"):
        staff.set_mission(asked_again, "Henry hold")


def test_the_staff_asks_about_what_it_did_not_foresee() -> None:
    field = Field()
    frederick, daun = field.army("1630", "Frederick", 30, sp=3), field.army("1630", "Daun", 30)
    hosts = Combatant(frederick, (Account(frederick, 30),), 30), Combatant(daun, (Account(daun, 30),), 30)
    for attacker, asks in ((COALITION, True), (PRUSSIAN, False)):
        state = field.at(Battle(parse_hex("1630"), attacker, "march", hosts=hosts), Declaring(PRUSSIAN))
        staff, view = fresh(state), make_view(state, PRUSSIAN)
        assert ("is not part of the plan" in staff.doubt(view, Done())) == asks
        assert staff.doubt(view, Withdraw()), "a battle that is broken off was not planned"
        assert staff.topic(view) == "the battle"


def test_small_corps_belong_to_the_army_about_them() -> None:
    field = Field()
    frederick, moritz = field.army("1432", "Frederick", 30), field.army("1432", "Moritz", 2)
    bevern = field.army("1432", "Bevern", 12)
    state = field.at(FOUR)
    armies = armies_of(Situation(state.data, make_view(state, PRUSSIAN), weights=CAPTAIN))
    assert [army.numbers for army in armies] == [(frederick, moritz), (bevern,)]
    assert armies[0].whole.strength == 32


def test_a_lone_corps_joins_the_next_army() -> None:
    field = Field()
    field.army("1432", "Frederick", 30)
    moritz = field.army("1733", "Moritz", 3)
    general = fresh(state := field.at(Orders(PRUSSIAN, 2)))
    asked(state, general)
    assert (mission(general, moritz).kind, mission(general, moritz).place) == ("join", parse_hex("1432"))


def test_the_senior_keeps_his_men_beside_the_ablest() -> None:
    field = Field()
    field.army("1430", "Charles", 12)
    field.army("1430", "Browne", 18)
    field.army("1430", "Hadik", 0)
    field.army("1034", "Daun", 5)
    state = field.at(Arranging(COALITION))
    assert asked(state, Captain(state.data, COALITION, 1), COALITION) == Done()


def council(armies: dict[str, tuple[str, int]], spare: int) -> State:
    field = Field(COALITION)
    for name, (where, points) in armies.items():
        field.army(where, name, points)
        field.place(where, COALITION, depot=True)
    field.place("1034", COALITION, AUSTRIA, spare, depot=True)
    return field.at(Council(AUSTRIA))


def test_in_winter_the_armies_get_the_men_whom_nobody_leads() -> None:
    state = council({"Daun": ("1125", 12), "Browne": ("1230", 4)}, 40)
    daun, browne = map(state.data.leader_named, ("Daun", "Browne"))
    general = fresh(state, COALITION)
    while isinstance(action := asked(state, general, COALITION), Transfer):
        assert action.giver == GARRISON + OLMUETZ
        state = rules().apply(state, COALITION, action).state
    left = of(state.garrisons[OLMUETZ], AUSTRIA)
    assert (state.units[daun].strength, state.units[browne].strength, left) == (40, 13, 3)


def test_a_leader_is_brought_for_men_whom_nobody_could_lead() -> None:
    armies = {"Browne": ("1125", 40)}
    few, many = council(armies, 6), council(armies, 30)
    assert not isinstance(asked(few, fresh(few, COALITION), COALITION), Bring)
    found = asked(many, fresh(many, COALITION), COALITION)
    assert isinstance(found, Bring)
    assert found.hex == OLMUETZ


def test_new_men_are_not_left_alone_in_a_city() -> None:
    field = Field(COALITION)
    field.army("1228", "Daun", 20)
    state = field.at(Recruits(AUSTRIA, 10))
    found = asked(state, fresh(state, COALITION), COALITION)
    assert isinstance(found, Assign)
    assert state.data.kind_at(found.hex).inside


def test_he_falls_upon_an_enemy_who_thinks_himself_out_of_reach() -> None:
    field = Field()
    field.army("1430", "Serbelloni", 12)
    frederick = field.army("1632", "Frederick", 30)
    state = field.at(ForcedMarches(PRUSSIAN, (frederick,)))
    assert asked(state, fresh(state)) == Force(frederick)
    field.army("1430", "Daun", 60)
    state = field.at(ForcedMarches(PRUSSIAN, (frederick,)))
    assert asked(state, fresh(state)) == Done()


def test_a_wagon_leaves_a_place_before_it_is_shut_in() -> None:
    field = Field()
    wagon = field.wagon("1733", PRUSSIA)
    field.place("1733", PRUSSIAN, PRUSSIA, 3)
    field.army("1931", "Frederick", 10)
    field.army("1634", "Daun", 9)
    assert asked(field.at(ONE), fresh(field.at(ONE))) == Done()
    field.army("1634", "Browne", 30)
    answer = asked(state := field.at(ONE), fresh(state))
    assert isinstance(answer, March)
    assert (answer.leader, end_of(answer)) == (wagon, parse_hex("1931"))


def test_nobody_leaves_his_wagons_alone() -> None:
    field = Field()
    field.place("1230", COALITION, AUSTRIA, 1)
    wagon = field.wagon("1431", PRUSSIA)
    field.army("1431", "Frederick", 19)
    answer = asked(field.at(FOUR), fresh(field.at(FOUR)))
    assert isinstance(answer, March)
    assert wagon in answer.companions


RULES = load("campaigns")


@pytest.mark.parametrize(
    ("scenario", "side", "options"),
    [("1756", PRUSSIAN, {"hidden": "yes"}), ("1757", COALITION, {})]
    + ([("1758", PRUSSIAN, {}), ("1759", COALITION, {}), ("1758", COALITION, {"hidden": "yes"})] if EVERY else []),
)
def test_he_beats_the_random_bot(scenario: str, side: int, options: dict[str, str]) -> None:
    bots = ("captain", "random") if side == PRUSSIAN else ("random", "captain")
    line = play_one(RULES, GameTask(Match(RULES.name, "", scenario, options, bots, "random beaten"), 0))
    assert line["winner"] == RULES.sides[side]


@pytest.mark.parametrize("options", [{"rules": "base"}, {"need25": "yes"}, {"hidden": "yes"}])
def test_he_plays_by_every_option(options: dict[str, str]) -> None:
    match = Match(RULES.name, "", "prague", options, ("captain", "captain"), "options")
    assert play_one(RULES, GameTask(match, 0))["how"]


@pytest.mark.parametrize(
    ("attacker", "defender", "wins"),
    [
        (Corps(30, 2, 1, 8, False, False), Corps(30, 2, 1, 8, False, False), (0.40, 0.56)),
        (Corps(60, 2, 1, 8, False, False), Corps(30, 2, 1, 8, False, False), (0.65, 0.85)),
        (Corps(33, 4, 3, 10, False, False), Corps(65, 1, 0, 8, False, False), (0.75, 0.95)),
        (Corps(64, 4, 3, 10, False, False), Corps(62, 1, 0, 8, False, False), (0.85, 1.00)),
    ],
)
def test_the_odds_of_battles_are_about_those_of_the_check_table(
    attacker: Corps, defender: Corps, wins: tuple[float, float]
) -> None:
    state = RULES.new_game("1757", {})
    odds = battle(state, attacker, defender, (False, False))
    assert wins[0] <= odds.attacker_wins <= wins[1]


WAR = War("campaigns", "1757", (1757, 4), {"hidden": "yes"})
DECISIONS = 240
APART = 3


def test_an_outlook_is_what_a_captain_without_memory_finds() -> None:
    memory, kept, made = Memory(WAR.rules.data.board), 0, 0
    for state, side in islice(WAR.positions(5), 0, DECISIONS, APART):
        view = make_view(state, as_viewer(side))
        s = Situation(state.data, view, memory)
        before = [outlook for _, outlook in memory.outlooks.values()]
        found, forgetful = outlook_of(s), Memory(s.board)
        forgetful.ways, forgetful.odds = memory.ways, memory.odds
        anew = outlook_of(Situation(state.data, view, forgetful))
        assert (found.facts, found.targets) == (anew.facts, anew.targets)
        is_kept = any(found is one for one in before)
        kept, made = kept + is_kept, made + (not is_kept)
    assert min(kept, made) > 10


def test_no_end_of_a_march_left_out_is_better() -> None:
    spared = 0
    for state, side in islice(WAR.positions(6), 0, DECISIONS, 5 * APART):
        s = situation(state, as_side(side))
        for unit in s.generals:
            goal, ends = s.plan[unit.number], (unit.hex, *s.board.neighbours[unit.hex])
            prospects = Prospects(s, [unit], goal, dict.fromkeys(ends, 3))
            scores = {here: prospects.score(here) for here in ends}
            bounds = [(prospects.at_best(here), here) for here in ends]
            ranking = [(value, here) for here, value in sorted(scores.items(), key=lambda one: (-one[1], one[0]))]
            judged = Judged(scores)
            ranked = best_first(bounds, judged.__getitem__)
            assert next(ranked) == ranking[0]
            spared += len(ends) - judged.looked_at
            assert list(ranked) == ranking[1:]
    assert spared > 50


class Judged(dict[Hex, float]):
    looked_at = 0

    def __getitem__(self, here: Hex) -> float:
        self.looked_at += 1
        return super().__getitem__(here)


DATA = RULES.new_game("1757", {}).data


@pytest.mark.parametrize(("nation", "place", "astray"), rows("campaign-captain-countries"))
def test_every_nation_has_its_country(nation: str, place: str, astray: bool) -> None:
    here = next(here for here, one in DATA.strongholds.items() if one.name == place)
    assert is_astray(DATA, PowerId(NATIONS.index(nation)), here) is astray
