import math
from pathlib import Path
from random import Random
from typing import Final

import msgspec
import pytest

from leuthen import load as registry
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import OTHER, SIDES, Outcome, Side
from leuthen.load import RULESETS, UnreadableFile, ruleset, value_features_of, value_file, value_of
from leuthen.rulesets.campaigns.bot.situation import THEATRES as COUNTRIES
from leuthen.rulesets.campaigns.model.data import NATIONS
from leuthen.rulesets.campaigns.model.state import state_of
from leuthen.rulesets.campaigns.rules.r16_victory import score
from leuthen.rulesets.frederick.model.data import POWERS
from leuthen.rulesets.frederick.rules.c12_victory import victory_points
from leuthen.wargame.bot.value import Fit, Model, logistic, read_model, weighted_sum, write_model
from leuthen.wargame.war import THEATRES
from tools.train import (
    Row,
    calibration_error,
    count_leads,
    cross_validate,
    describe_fit,
    fit_rows,
    forecast,
    led_by_captains,
)

RULES: Final = ruleset("frederick")
FEATURES: Final = ("one", "other")
MODEL: Final = Model(
    "toy", FEATURES, {"war": Fit((0.0, 0.0), (1.0, 1.0), (1.0, 2.0, 3.0), (4.0, 5.0, 6.0))}, {"games": 71}
)


def test_a_model_survives_its_file() -> None:
    model = read_model(write_model(MODEL), "toy", FEATURES)
    assert msgspec.structs.replace(model, digest="") == MODEL


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [(b"3.0", b"3.5", "was changed"), (b"71", b"81", "was changed"), (b"{", b"", "no learned value")],
)
def test_a_changed_model_is_refused(old: bytes, new: bytes, error: str) -> None:
    data = write_model(MODEL)
    assert old in data
    with pytest.raises(Invalid, match=f"{error}.*make train"):
        read_model(data.replace(old, new, 1), "toy", FEATURES)


def test_a_model_with_other_features_is_refused() -> None:
    for name, features in (("other", FEATURES), ("toy", FEATURES[:1])):
        with pytest.raises(Invalid, match=r"other features.*make train"):
            read_model(write_model(MODEL), name, features)


def test_a_missing_value_file_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plugin = RULESETS["frederick"]
    monkeypatch.setattr(plugin, "value", None)
    with pytest.raises(Invalid, match="no learned value"):
        value_file("frederick")
    value_of.cache_clear()
    monkeypatch.setattr(plugin, "value", tmp_path / "value.json")
    with pytest.raises(UnreadableFile, match=r"value\.json"):
        value_of("frederick")


STARTS: Final = [(name, scenario) for name in RULESETS for scenario in registry.load(name).scenarios]


@pytest.mark.parametrize(("name", "scenario"), STARTS)
def test_every_first_position_has_all_features(name: str, scenario: str) -> None:
    names, extract = value_features_of(name)
    state = registry.load(name).new_game(scenario, {})
    assert len(extract(state).features) == len(names)
    assert 0 < value_of(name).chance(state) < 1


def test_troops_raise_the_value_of_their_side() -> None:
    value, state = value_of("frederick"), RULES.new_game("from-1758", {})
    before = value.chance(state), value.lead(state)
    for side, sign in ((0, -1), (1, 1)):
        lost = {key: stack for key, stack in state.stacks.items() if stack.side != side or stack.inside}
        robbed = RULES.state_of({**{name: getattr(state, name) for name in state.FIELDS}, "stacks": lost})
        assert sign * (value.chance(robbed) - before[0]) > 0.05
        assert sign * (value.lead(robbed) - before[1]) > 5


def test_the_value_of_an_ended_game_is_its_result() -> None:
    value, state = value_of("frederick"), RULES.new_game("bohemia", {})
    values = {name: getattr(state, name) for name in state.FIELDS}
    worth: list[tuple[Side | None, float]] = [(0, 1.0), (1, 0.0), (None, 0.5)]
    for winner, scored in worth:
        ended = RULES.state_of({**values, "outcome": Outcome(winner, "draw", "C13.1", 1757)})
        assert value.chance(ended) == scored


def test_the_regression_recovers_the_true_weights() -> None:
    rng, rows = Random(5), list[Row]()
    for game in range(4000):
        one, other, idle = rng.gauss(0, 1), rng.gauss(10, 3), rng.gauss(0, 1)
        score = float(rng.random() < logistic(1.2 * one - 0.5 * (other - 10)))
        rows.append(Row(game, "war", (one, other, idle, 2.0), score, 3 * one + 7, 1.0))
    fit = fit_rows(rows)
    assert fit.chance[0] == pytest.approx(1.1, abs=0.15)
    assert fit.chance[1] == pytest.approx(-1.37, abs=0.15)
    assert fit.chance[2] == pytest.approx(0.0, abs=0.1)
    assert fit.lead[0] == pytest.approx(3.0, abs=0.1)
    assert fit.chance[3] == fit.lead[3] == 0.0
    assert fit.lead[4] == pytest.approx(7.0, abs=0.1)
    forecasts = cross_validate(rows).told
    assert calibration_error(forecasts) < 0.03
    assert [row for row, p in forecasts if p == forecast(fit, row)] == []
    assert "4000 positions of 4000 games" in describe_fit("war", forecasts)


def test_the_model_excludes_the_strength_of_the_bots() -> None:
    rng, rows = Random(7), list[Row]()
    for game in range(4000):
        years, one = rng.uniform(0, 2), rng.gauss(0, 1)
        bots = rng.choice(("captain", "planner")), rng.choice(("captain", "planner"))
        led = count_leads(bots, years)
        odds = one + led[2] - 0.5 * led[3] + 0.3 * led[0]
        rows.append(Row(game, "war", (years, one, *led), float(rng.random() < logistic(odds)), odds, 1.0))
    fit = fit_rows(rows)
    bare = led_by_captains(fit)
    for years, one in ((0.1, 0.0), (1.5, -1.0)):
        both = (years, one, *count_leads(("captain", "captain"), years))
        found = weighted_sum(bare.chance, bare.standardize((years, one)))
        assert found == pytest.approx(weighted_sum(fit.chance, fit.standardize(both)), abs=1e-3)
        assert weighted_sum(bare.lead, bare.standardize((years, one))) == pytest.approx(
            one + 0.5 * years + 0.3, abs=0.1
        )
        assert found == pytest.approx(one + 0.5 * years + 0.3, abs=0.4)


def test_feature_values_match_their_names() -> None:
    names, extract = value_features_of("frederick")
    state = RULES.new_game("from-1758", {})
    features = dict(zip(names, extract(state).features, strict=True))
    mine, theirs = victory_points(state)
    assert features["vp"] * 10 == mine - theirs
    assert features["score"] * 10 == mine - theirs - (state.plan.par or 0)
    assert features["years left"] == pytest.approx(4 + 17 / 18)
    men = sum(one.strength for one in state.stacks.values())
    assert sum(features[f"men of {power}"] for power in POWERS) * 10 == pytest.approx(men)
    assert sum(features[f"vp in {theatre}"] for theatre in THEATRES) == pytest.approx(features["vp"])
    assert features["side of france"] == -1
    assert features["side of hanover"] == 1
    assert features["side of saxony"] == 0


CAMPAIGNS: Final = ruleset("campaigns")


def test_campaign_feature_values_match_their_names() -> None:
    names, extract = value_features_of("campaigns")
    state = CAMPAIGNS.new_game("1758", {})
    assert extract(state).fit == "year"
    assert extract(CAMPAIGNS.new_game("campaign", {})).fit == "campaign"
    features = dict(zip(names, extract(state).features, strict=True))
    census = state.census
    men = [sum((*census.field[side].values(), *census.inside[side].values())) for side in SIDES]
    assert features["score"] * 10 == score(state)
    assert features["years left"] == features["of 1758"] == pytest.approx(17 / 18)
    assert features["of 1757"] == 0
    assert sum(features[f"tp of {nation}"] for nation in NATIONS) * 10 == pytest.approx(sum(men))
    assert sum(features[f"tp in {theatre}"] for theatre in COUNTRIES) * 10 == pytest.approx(men[0] - men[1])
    assert features["tp, ratio"] == pytest.approx(math.log((men[0] + 1) / (men[1] + 1)))
    assert (features["france at war"], features["hanover at war"]) == (-1, 1)
    assert dict(zip(names, extract(CAMPAIGNS.new_game("prague", {})).features, strict=True))["france at war"] == 0


def test_troops_and_places_raise_the_value_of_their_side() -> None:
    value, state = value_of("campaigns"), CAMPAIGNS.new_game("1758", {})
    before = value.chance(state), value.lead(state)
    values = {name: getattr(state, name) for name in state.FIELDS}
    for side, sign in ((0, -1), (1, 1)):
        robbed = {number: msgspec.structs.replace(unit, tp=0) if state.side(number) == side else unit
                  for number, unit in state.units.items()}  # fmt: skip
        beaten = state_of(state.data, {**values, "units": robbed})
        assert sign * (value.chance(beaten) - before[0]) > 0.05
        lost = dict.fromkeys(state.owners, OTHER[side])
        conquered = state_of(state.data, {**values, "owners": lost})
        assert sign * (value.lead(conquered) - before[1]) > 5
