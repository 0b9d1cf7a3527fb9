from leuthen.engine.ruleset import as_side
from leuthen.rulesets.frederick.knowledge.view import View, make_view
from leuthen.rulesets.frederick.model.names import SIDE_NAMES
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN
from leuthen.rulesets.frederick.rules.c04_sequence import (
    GAME_TURN,
    PLAYER_TURN,
    WINTER,
    Campaign,
    GameTurn,
    GrandStrategy,
    NextYear,
    PlayerTurn,
    War,
)
from leuthen.rulesets.frederick.rules.c08_redeployment import STEPS, RedeploymentPhase
from leuthen.rulesets.frederick.rules.o09_combat import CombatPhase
from leuthen.rulesets.frederick.screen.scene import make_stages, phase_of
from leuthen.screen.values import Stage
from tests.frederick.handmade import some_state
from tests.laws.games import games


def in_turn(side: int, done: int, turn: int = 4) -> View:
    part = 2 + (side == AUSTRIAN)
    frames = (
        War(True),
        Campaign(True),
        GameTurn(part),
        PlayerTurn(as_side(side), done),
        PLAYER_TURN[done - 1](as_side(side)),
    )
    return make_view(some_state(frames=frames, turn=turn, phasing=side), PRUSSIAN)


def in_winter(year: int, done: int, *more: object) -> View:
    frames = (NextYear(), GrandStrategy(done), *more)
    return make_view(some_state(frames=frames, year=year, turn=18, phasing=2), PRUSSIAN)


def names(stages: tuple[Stage, ...]) -> list[str]:
    return [stage.name for stage in stages]


EIGHT = ["Reinforcement", "Morale Recovery", "Depots", "March", "Force March", "Combat", "Siege", "Attrition"]


def test_a_turn_has_two_player_turns_of_eight_phases() -> None:
    stages = make_stages(in_turn(PRUSSIAN, 4, turn=5))
    assert names(stages) == EIGHT + EIGHT
    assert [stage.group for stage in stages] == 8 * ["Prussian player turn"] + 8 * ["Austrian player turn"]
    assert [stage.side for stage in stages[:8]] == [0, 0, 0, 0, 1, 0, 0, 1]


def test_prisoners_are_exchanged_on_even_turns() -> None:
    assert names(make_stages(in_turn(PRUSSIAN, 1, turn=6)))[0] == "Prisoner exchange"


def test_past_now_and_next() -> None:
    stages = make_stages(in_turn(AUSTRIAN, 4))
    assert [stage.when for stage in stages] == 12 * ["past"] + ["now"] + 4 * ["next"]
    now = stages[12]
    assert (now.name, now.side, now.rule) == ("March", AUSTRIAN, "O5.13")
    assert GAME_TURN  # the list that it is made from


def test_the_phase_says_who_acts_and_what_is_asked_within_it() -> None:
    view = in_turn(PRUSSIAN, 6)
    assert phase_of(view, make_stages(view)) == "Force March of the Austrian side"
    frames = (*view.frames[:-2], PlayerTurn(PRUSSIAN, 8), CombatPhase(PRUSSIAN, PRUSSIAN))
    fighting = make_view(some_state(frames=frames, phasing=PRUSSIAN), PRUSSIAN)
    assert phase_of(fighting, make_stages(fighting)) == f"Combat of the {SIDE_NAMES[0]}"


def test_the_winter_after_1756_has_diplomacy_and_no_check() -> None:
    stages = make_stages(in_winter(1756, 5))
    assert names(stages)[:2] == ["Attrition at the year's end", "Diplomacy Phase"]
    assert "Victory check" not in names(stages)
    assert names(stages)[-1] == "Initiation"
    assert [stage.when for stage in stages[:3]] == ["past", "now", "next"]
    assert len(WINTER) == 9


def test_later_winters_have_the_check_and_no_diplomacy() -> None:
    stages = names(make_stages(in_winter(1758, 2)))
    assert "Victory check" in stages
    assert "Diplomacy Phase" not in stages
    assert "End of the war" not in stages


def test_after_the_last_year_there_is_peace() -> None:
    stages = names(make_stages(in_winter(1762, 3)))
    assert stages == ["Attrition at the year's end", "Victory check", "End of the war"]


def test_redeployment_step_by_step() -> None:
    stages = make_stages(in_winter(1757, 8, RedeploymentPhase(3)))
    steps = [(stage.name, stage.side, stage.when) for stage in stages][-len(STEPS) - 2 : -2]
    assert steps == [
        ("New leaders", 2, "past"),
        ("Re-deployment", AUSTRIAN, "past"),
        ("Re-deployment", PRUSSIAN, "now"),
        ("Reinforcements", AUSTRIAN, "next"),
        ("Reinforcements", PRUSSIAN, "next"),
    ]


def test_in_every_game_one_stage_is_now() -> None:
    for moment in games("frederick", 1, often=150):
        stages = make_stages(make_view(moment.state, 0))
        now = [index for index, stage in enumerate(stages) if stage.when == "now"]
        assert len(now) == 1
        assert {stage.when for stage in stages[: now[0]]} <= {"past"}
        assert {stage.when for stage in stages[now[0] + 1 :]} <= {"next"}
