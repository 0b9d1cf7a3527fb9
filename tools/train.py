"""Fit the learned value of a rule set, playing missing games first: `make train`.

The model has two ridge regressions, fitted by Newton's method: a logistic one for the score and a linear one for the
final lead. Fivefold cross-validation by game measures its forecasts. The bots that lead the sides are features of the
fit, because they affect the score; the model forecasts games of two captains.
"""

from __future__ import annotations

import argparse
import datetime
import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from leuthen import cli
from leuthen.load import DEFAULT, load, value_features_of, value_file
from leuthen.wargame.bot.value import WIDEST, Fit, Model, logistic, weighted_sum, write_model
from tools.selfplay import Series, War, play_wars, unpack_state

FOLDS: Final = 5
"""Number of folds for cross-validation."""
RIDGES: Final = (30.0, 100.0)
"""Candidate ridge penalties, in positions; the one of least out-of-fold log-loss is used."""
STEPS: Final = 12
"""Maximum number of Newton steps."""
BANDS: Final = 10
"""Bands of the calibration table."""
HOME: Final = Path(__file__).parents[1]
BOT: Final = "captain"
SEED: Final = "train"
YEARS: Final = 0
"""Index of the feature for the remaining years."""
Numbers: TypeAlias = NDArray[np.float64]


class Link(NamedTuple):
    """Inverse link of a regression: the mean of a linear predictor, and the slope at that mean."""

    mean: Callable[[Numbers], Numbers]
    slope: Callable[[Numbers], Numbers]


LOGISTIC: Final = Link(lambda odds: (1 + np.tanh(odds / 2)) / 2, lambda p: p * (1 - p))
LINEAR: Final = Link(lambda number: number, np.ones_like)


class Row(NamedTuple):
    """A position as a training sample: game, fit, features, the game's score and lead, and weight.

    The last features describe the bots (`leading`).
    """

    game: int
    fit: str
    features: Sequence[float]
    score: float
    lead: float
    weight: float


def main(words: Sequence[str] | None = None) -> None:
    """Play missing games, fit the model, write it, and print its quality."""
    parser = argparse.ArgumentParser(prog="make train", description=__doc__)
    parser.add_argument("--ruleset", type=cli.ruleset, default=DEFAULT)
    parser.add_argument("--games", type=cli.positive, default=2000)
    parser.add_argument("--seed", default=SEED)
    cli.add_all(parser, *cli.RESUMING)
    parser.add_argument("--into", type=Path, help="write the model to this file instead of the active one")
    args = parser.parse_args(words)
    file = args.keep or HOME / f"{args.ruleset}-games.jsonl"
    rows = rows_of(args.ruleset, play_wars(Series(args.ruleset, args.seed, args.games), args.jobs, args.on, file))
    model, page = train_model(args.ruleset, rows, command_of(args.ruleset, args.games, args.seed))
    (args.into or value_file(args.ruleset)).write_bytes(write_model(model))
    print(page)


def command_of(ruleset: str, games: int, seed: str) -> str:
    """Return the command that reproduces a model."""
    words = f"--ruleset {ruleset} --games {games}" + (f" --seed {seed}" if seed != SEED else "")
    return f'make train ARGS="{words}"'


def rows_of(name: str, wars: Sequence[War]) -> list[Row]:
    """Return the positions of the wars as samples. All wars have the same total weight."""
    rules, see = load(name), value_features_of(name)[1]
    rows = []
    for war in track(wars, description="positions"):
        for text in war.positions:
            seen = see(rules.restore(unpack_state(text)))
            found = [*seen.features, *count_leads(war.bots, seen.features[YEARS])]
            rows.append(Row(war.game, seen.fit, found, war.score, war.margin, 1 / len(war.positions)))
    mean = sum(row.weight for row in rows) / len(rows)
    return [row._replace(weight=row.weight / mean) for row in rows]


def count_leads(bots: Sequence[str], years: float) -> list[float]:
    """Return the features of the bots: for each side, 1 for a captain, and the same times the remaining years."""
    led = [float(bot == BOT) for bot in bots]
    return [*led, *(one * years for one in led)]


def led_by_captains(fit: Fit) -> Fit:
    """Reduce a fit with bot features to one for two captains."""
    own = len(fit.means) - len(count_leads((BOT, BOT), 1.0))
    spread, mean = fit.spreads[YEARS], fit.means[YEARS]
    bare = Fit(fit.means[:own], fit.spreads[:own], (), ())

    def folded(weights: Sequence[float]) -> tuple[float, ...]:
        found = [*weights[:own], weights[-1]]
        for at, one in enumerate(count_leads((BOT, BOT), mean), own):
            found[-1] += weights[at] * (one - fit.means[at]) / fit.spreads[at]
        for at in range(len(fit.means) - 2, len(fit.means)):
            found[YEARS] += weights[at] * spread / fit.spreads[at]
        return round_numbers(found)

    return msgspec.structs.replace(bare, chance=folded(fit.chance), lead=folded(fit.lead))


def train_model(name: str, rows: Sequence[Row], command: str) -> tuple[Model, str]:
    """Return the model of the samples, and its report."""
    fits = sorted({row.fit for row in rows})
    seen = {fit: [row for row in rows if row.fit == fit] for fit in fits}
    told = {fit: best_ridge(seen[fit]) for fit in fits}
    page = "\n\n".join(describe_fit(fit, told[fit].told) for fit in fits)
    loss = log_loss([one for fit in fits for one in told[fit].told])
    made: dict[str, str | int | float] = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "command": command,
        "games": len({row.game for row in rows}),
        "positions": len(rows),
        "log-loss": round(loss, 4),
    }
    whole = {fit: led_by_captains(fit_rows(seen[fit], told[fit].ridge)) for fit in fits}
    return Model(name, tuple(value_features_of(name)[0]), whole, made), page


class CrossValidation(NamedTuple):
    """Out-of-fold forecasts with one ridge."""

    ridge: float
    told: Sequence[tuple[Row, float]]


def cross_validate(rows: Sequence[Row], ridge: float = RIDGES[0]) -> CrossValidation:
    """Forecast each position by a fit to other games."""
    found = []
    for part in range(FOLDS):
        apart = [row for row in rows if row.game % FOLDS == part]
        fit = fit_rows([row for row in rows if row.game % FOLDS != part], ridge) if apart else None
        found += [(row, forecast(fit, row)) for row in apart if fit is not None]
    return CrossValidation(ridge, found)


def best_ridge(rows: Sequence[Row]) -> CrossValidation:
    """Return the out-of-fold forecasts with the ridge of least log-loss."""
    return min((cross_validate(rows, ridge) for ridge in RIDGES), key=lambda one: log_loss(one.told))


def fit_rows(rows: Sequence[Row], ridge: float = RIDGES[0]) -> Fit:
    """Fit both regressions to the samples."""
    seen = np.array([row.features for row in rows])
    means, spreads = seen.mean(axis=0), seen.std(axis=0)
    spreads[spreads == 0] = 1.0
    table = np.column_stack((np.clip((seen - means) / spreads, -WIDEST, WIDEST), np.ones(len(rows))))
    scores, leads, weights = np.array([(row.score, row.lead, row.weight) for row in rows]).T
    chance = newton(table, scores, weights, ridge, LOGISTIC)
    lead = newton(table, leads, weights, ridge, LINEAR)
    return Fit(tuple(means.tolist()), tuple(spreads.tolist()), round_numbers(chance), round_numbers(lead))


def round_numbers(numbers: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(float(number), 5) for number in numbers)


def newton(table: Numbers, aims: Numbers, weights: Numbers, ridge: float, link: Link) -> Numbers:
    """Return the weights of a ridge regression. The last one, the constant, is not penalized."""
    found = np.zeros(table.shape[1])
    pulls = np.array([ridge] * (len(found) - 1) + [0.0])
    for _ in range(STEPS):
        told = link.mean(table @ found)
        gradient = table.T @ (weights * (aims - told)) - pulls * found
        bend = (table.T * (weights * link.slope(told))) @ table
        step = np.linalg.solve(bend + np.diag(pulls + 1e-9), gradient)
        found += step
        if np.abs(step).max() < 1e-6:
            break
    return found


def forecast(fit: Fit, row: Row) -> float:
    """Return the model's expected score of a position."""
    return logistic(weighted_sum(fit.chance, fit.standardize(row.features)))


def log_loss(told: Sequence[tuple[Row, float]]) -> float:
    """Return the mean log-loss in nats per position; a constant forecast of 0.5 has 0.693."""
    whole = sum(row.weight for row, _ in told)
    return -sum(row.weight * (row.score * _log(p) + (1 - row.score) * _log(1 - p)) for row, p in told) / whole


def _log(p: float) -> float:
    return math.log(max(1e-9, p))


def describe_fit(name: str, told: Sequence[tuple[Row, float]]) -> str:
    """Return the calibration of out-of-fold forecasts as a table."""
    base = sum(row.score * row.weight for row, _ in told) / sum(row.weight for row, _ in told)
    games = len({row.game for row, _ in told})
    lines = [
        f"{name}: {len(told)} positions of {games} games; log-loss {log_loss(told):.3f}, "
        f"of their mean score {log_loss([(row, base) for row, _ in told]):.3f}; "
        f"calibration error {calibration_error(told):.1%}",
        "",
        "| forecast | result | positions | games |",
        "|--:|--:|--:|--:|",
    ]
    for band in range(BANDS):
        inside = [(row, p) for row, p in told if min(BANDS - 1, int(p * BANDS)) == band]
        if inside:
            lines.append(_band(inside))
    return "\n".join(lines)


def _band(inside: Sequence[tuple[Row, float]]) -> str:
    foretold = sum(p for _, p in inside) / len(inside)
    came = sum(row.score for row, _ in inside) / len(inside)
    return f"| {foretold:.0%} | {came:.0%} | {len(inside)} | {len({row.game for row, _ in inside})} |"


def calibration_error(told: Sequence[tuple[Row, float]]) -> float:
    """Return the mean difference between forecast and result, taken by band."""
    error = 0.0
    for band in range(BANDS):
        inside = [(row.score, p) for row, p in told if min(BANDS - 1, int(p * BANDS)) == band]
        error += abs(sum(score - p for score, p in inside))
    return error / len(told)


if __name__ == "__main__":
    main()
