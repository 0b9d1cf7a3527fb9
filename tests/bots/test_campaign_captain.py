from itertools import islice
from math import inf

import pytest

from leuthen.engine.decision import Done
from leuthen.engine.refusal import Illegal
from leuthen.engine.ruleset import as_side, as_viewer
from leuthen.load import load
from leuthen.rulesets.campaigns.bot.captain import Captain
from leuthen.rulesets.campaigns.bot.goals import outlook_of
from leuthen.rulesets.campaigns.bot.marching import Prospects
from leuthen.rulesets.campaigns.bot.situation import Corps, Memory, Situation, battle
from leuthen.rulesets.campaigns.knowledge import View, make_view
from leuthen.rulesets.campaigns.model.actions import GARRISON, Assign, Bring, Force, Transfer, Withdraw
from leuthen.rulesets.campaigns.model.data import AUSTRIA, COALITION, PRUSSIAN
from leuthen.rulesets.campaigns.model.state import Draft, State
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders
from leuthen.rulesets.campaigns.rules.r08_forced_march import ForcedMarches
from leuthen.rulesets.campaigns.rules.r12_battle import Battle, Declaring
from leuthen.rulesets.campaigns.rules.r12_fight import Account, Combatant
from leuthen.rulesets.campaigns.rules.r15_arrivals import Recruits
from leuthen.rulesets.campaigns.rules.r17_campaign import Council
from leuthen.wargame.board import Hex, parse_hex
from leuthen.wargame.missions import goal_on_the_way, lines_of, reasons_for
from leuthen.wargame.strength import of
from tests.bots.campaign_positions import Position, captain, end_of, give_order, mission, order, situation
from tests.bots.wars import War
from tests.campaigns.positions import rules

KOENIGGRAETZ, TRAUTENAU, OLMUETZ = map(parse_hex, ("1230", "1430", "1034"))
FOUR, ONE = Orders(PRUSSIAN, 4), Orders(PRUSSIAN, 1)


def between_two_cities(where: str) -> State:
    position = Position()
    position.place("1128", COALITION, AUSTRIA, 1)
    position.place("1327", COALITION, AUSTRIA, 1)
    position.army(where, "Frederick", 19)
    return position.at(FOUR)


def test_the_captain_keeps_a_goal_that_is_slightly_worse() -> None:
    before, after = between_two_cities("1229"), between_two_cities("1230")
    other = captain(after)
    give_order(after, other)
    assert other.mind.plan.missions[0].place == parse_hex("1128")
    general = captain(before)
    for state in (before, after):
        give_order(state, general)
        assert general.mind.plan.missions[0].place == parse_hex("1327")


def test_the_plan_stays_the_same_between_marches() -> None:
    position = Position()
    position.place("1230", COALITION, AUSTRIA, 1)
    frederick = position.army("1432", "Frederick", 19)
    general = captain(state := position.at(FOUR))
    give_order(state, general)
    thought = general.thought
    position.place("1230", PRUSSIAN)
    changed = position.at(ForcedMarches(PRUSSIAN, (frederick,)))
    give_order(changed, general)
    assert general.thought == thought
    give_order(position.at(FOUR), general)
    assert general.thought != thought


def test_a_failed_mission_is_not_retried_for_some_turns() -> None:
    position = Position()
    position.place("1230", COALITION, AUSTRIA, 1)
    frederick = position.army("1432", "Frederick", 19)
    general = captain(state := position.at(FOUR))
    give_order(state, general)
    assert not general.mind.notes
    position.values["turn"] = 12
    give_order(position.at(FOUR), general)
    assert general.mind.notes == {f"{frederick} take {KOENIGGRAETZ}": 175716}


def mission_lines(staff: Captain, view: View) -> list[str]:
    return lines_of(staff.missions(view).assignments())


def test_the_staff_describes_its_plan_and_takes_missions() -> None:
    position = Position()
    position.place("1230", COALITION, AUSTRIA, 1)
    position.place("1034", COALITION, AUSTRIA, 1)
    frederick = position.army("1331", "Frederick", 19)
    staff = captain(state := position.at(FOUR))
    view = make_view(state, PRUSSIAN)
    (line,) = mission_lines(staff, view)
    assert line.startswith("Frederick with 19 TP to take Königgrätz by siege: 1 TP are inside")
    assert "(R11.1)" in line
    staff.set_mission(view, "Frederick besiege Olmütz")
    (line,) = mission_lines(staff, view)
    assert "Olmütz" in line
    assert ", as you ordered" in line
    answer = give_order(state, staff)
    away = state.data.board.distances(parse_hex("1034"))
    assert away[end_of(answer)] < away[parse_hex("1331")]
    assert not staff.doubt(view, answer)
    position.place("1034", PRUSSIAN)
    give_order(state := position.at(FOUR), staff)
    assert mission(staff, frederick).place == KOENIGGRAETZ
    staff.set_mission(make_view(state, PRUSSIAN), "Frederick hold")
    staff.set_mission(make_view(state, PRUSSIAN), "drop Frederick")
    assert "as you ordered" not in mission_lines(staff, make_view(state, PRUSSIAN))[0]


def test_a_goal_names_the_next_place_on_the_way() -> None:
    position = Position()
    position.army("1331", "Frederick", 19)
    position.army("1528", "Daun", 8)
    staff = captain(state := position.at(FOUR))
    view = make_view(state, PRUSSIAN)
    staff.set_mission(view, "Frederick hunt 1528")
    missions = staff.missions(view)
    (one,) = missions.assignments()
    goals = [goal_on_the_way(missions, one, parse_hex(end)) for end in ("1121", "1528", "1331")]
    goal = "beat the enemy at 1528 Reichenberg"
    assert goals == [f"{goal}, now on the way to 1121 Eger", goal, goal]
    assert reasons_for(staff, view, "march Frederick 1331-1231-1121")[0] == f"Frederick is to {goals[0]} (R6.1)."


def test_a_mission_survives_the_loss_of_a_corps() -> None:
    position = Position()
    position.place("1034", COALITION, AUSTRIA, 1)
    position.army("1034", "Daun", 8)
    frederick, henry = position.army("1331", "Frederick", 19), position.army("1331", "Henry", 10)
    staff = captain(state := position.at(FOUR))
    view = make_view(state, PRUSSIAN)
    staff.set_mission(view, "Frederick hunt Olmütz")
    assert mission(staff, frederick).army == (frederick, henry)
    (line,) = mission_lines(staff, view)
    assert line.startswith(
        "Frederick, Henry with 29 TP to beat the enemy at Olmütz: 8 enemy TP are there, 29 TP attack"
    )
    assert "a battle costs about " in line
    staff.set_mission(view, "Henry hold")
    assert (mission(staff, frederick).army, mission(staff, henry).kind) == ((frederick,), "hold")
    staff.set_mission(view, "Frederick hunt Olmütz")
    thinned = position.at(FOUR, ONE)
    draft = Draft(thinned)
    draft.remove(henry)
    later_view = make_view(draft.freeze(), PRUSSIAN)
    assert [one.mission.army for one in staff.missions(later_view).assignments() if one.mission.signed] == [
        (frederick,)
    ]
    with pytest.raises(Illegal, match="Henry is not on the map"):
        staff.set_mission(later_view, "Henry hold")


def test_the_staff_questions_unplanned_answers() -> None:
    position = Position()
    frederick, daun = position.army("1630", "Frederick", 30, sp=3), position.army("1630", "Daun", 30)
    hosts = Combatant(frederick, (Account(frederick, 30),), 30), Combatant(daun, (Account(daun, 30),), 30)
    for attacker, is_questioned in ((COALITION, True), (PRUSSIAN, False)):
        state = position.at(Battle(parse_hex("1630"), attacker, "march", hosts=hosts), Declaring(PRUSSIAN))
        staff, view = captain(state), make_view(state, PRUSSIAN)
        assert ("is not part of the plan" in staff.doubt(view, Done())) == is_questioned
        assert staff.doubt(view, Withdraw()), "a battle that is broken off was not planned"
        assert staff.topic(view) == "the battle"


def council(armies: dict[str, tuple[str, int]], spare: int) -> State:
    position = Position(COALITION)
    for name, (where, points) in armies.items():
        position.army(where, name, points)
        position.place(where, COALITION, depot=True)
    position.place("1034", COALITION, AUSTRIA, spare, depot=True)
    return position.at(Council(AUSTRIA))


def test_in_winter_armies_take_troops_without_a_leader() -> None:
    state = council({"Daun": ("1125", 12), "Browne": ("1230", 4)}, 40)
    daun, browne = map(state.data.leader_named, ("Daun", "Browne"))
    general = captain(state, COALITION)
    while isinstance(action := give_order(state, general, COALITION), Transfer):
        assert action.giver == GARRISON + OLMUETZ
        state = rules().apply(state, COALITION, action).state
    left = of(state.garrisons[OLMUETZ], AUSTRIA)
    assert (state.units[daun].strength, state.units[browne].strength, left) == (40, 13, 3)


def test_a_leader_is_brought_for_troops_without_one() -> None:
    armies = {"Browne": ("1125", 40)}
    few, many = council(armies, 6), council(armies, 30)
    assert not isinstance(order(few, COALITION), Bring)
    found = order(many, COALITION)
    assert isinstance(found, Bring)
    assert found.hex == OLMUETZ


def test_new_troops_do_not_stay_alone_in_a_city() -> None:
    position = Position(COALITION)
    position.army("1228", "Daun", 20)
    state = position.at(Recruits(AUSTRIA, 10))
    found = order(state, COALITION)
    assert isinstance(found, Assign)
    assert state.data.kind_at(found.hex).inside


def test_the_captain_force_marches_against_a_weak_enemy() -> None:
    position = Position()
    position.army("1430", "Serbelloni", 12)
    frederick = position.army("1632", "Frederick", 30)
    state = position.at(ForcedMarches(PRUSSIAN, (frederick,)))
    assert order(state) == Force(frederick)
    position.army("1430", "Daun", 60)
    state = position.at(ForcedMarches(PRUSSIAN, (frederick,)))
    assert order(state) == Done()


RULES = load("campaigns")


@pytest.mark.parametrize(
    ("attacker", "defender", "wins"),
    [
        (Corps(30, 2, 1, 8, False, False), Corps(30, 2, 1, 8, False, False), (0.40, 0.56)),
        (Corps(60, 2, 1, 8, False, False), Corps(30, 2, 1, 8, False, False), (0.65, 0.85)),
        (Corps(33, 4, 3, 10, False, False), Corps(65, 1, 0, 8, False, False), (0.75, 0.95)),
        (Corps(64, 4, 3, 10, False, False), Corps(62, 1, 0, 8, False, False), (0.85, 1.00)),
    ],
)
def test_battle_odds_are_close_to_the_check_table(attacker: Corps, defender: Corps, wins: tuple[float, float]) -> None:
    state = RULES.new_game("1757", {})
    odds = battle(state, attacker, defender, (False, False))
    assert wins[0] <= odds.attacker_wins <= wins[1]


WAR = War("campaigns", "1757", (1757, 4), {"hidden": "yes"})
DECISIONS = 240
SAMPLE_STEP = 3


def test_a_stored_outlook_equals_a_new_one() -> None:
    memory, reused, made = Memory(WAR.rules.data.board), 0, 0
    for state, side in islice(WAR.positions(5), 0, DECISIONS, SAMPLE_STEP):
        view = make_view(state, as_viewer(side))
        s = Situation(state.data, view, memory)
        before = [outlook for _, outlook in memory.outlooks.values()]
        found, forgetful = outlook_of(s), Memory(s.board)
        forgetful.ways, forgetful.odds = memory.ways, memory.odds
        recomputed = outlook_of(Situation(state.data, view, forgetful))
        key = s.side, s.weights
        facts, facts_again = memory.outlooks[key][0], forgetful.outlooks[key][0]
        assert (facts, found.targets) == (facts_again, recomputed.targets)
        is_reused = any(found is one for one in before)
        reused, made = reused + is_reused, made + (not is_reused)
    assert min(reused, made) > 10


def test_the_ranking_of_marches_omits_no_better_end(monkeypatch: pytest.MonkeyPatch) -> None:
    skipped = 0
    for state, side in islice(WAR.positions(6), 0, DECISIONS, 5 * SAMPLE_STEP):
        s = situation(state, as_side(side))
        for unit in s.generals:
            goal, ends = s.plan[unit.number], (unit.hex, *s.board.neighbours[unit.hex])
            prospects = Prospects(s, [unit], goal, dict.fromkeys(ends, 3))
            scores = {here: prospects.score(here) for here in ends}
            ranking = [(value, here) for here, value in sorted(scores.items(), key=lambda one: (-one[1], one[0]))]
            counting = CountingScores(scores)
            monkeypatch.setattr(prospects, "score", counting.__getitem__)
            ranked = prospects.better(ends, 0, -inf)
            assert next(ranked) == ranking[0]
            skipped += len(ends) - counting.lookups
            assert list(ranked) == ranking[1:]
    assert skipped > 50


class CountingScores(dict[Hex, float]):
    lookups = 0

    def __getitem__(self, here: Hex) -> float:
        self.lookups += 1
        return super().__getitem__(here)
