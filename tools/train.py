"""`make train` makes the learned value of a rule set anew: it plays the games that are missing and fits the model.

Two regressions with a ridge, logistic for the score and linear for the final lead, by Newton's method.
How well the model foretells what it has not seen is said by five fits, each to four games in five. Who leads a side
says much of what it will score; the model foretells what captains on both sides would.
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

from leuthen import arguments
from leuthen.load import DEFAULT, load, value_features_of, value_file
from leuthen.wargame.bot.value import WIDEST, Fit, Model, logistic, weighed, write_model
from tools.selfplay import Series, War, unpacked, wars_by

APART: Final = 5
"""So many fits say how good the model is, each without one game in so many."""
RIDGES: Final = (30.0, 100.0)
"""How strongly weights are drawn to zero, in positions: that is taken by which unseen games are foretold best."""
STEPS: Final = 12
"""Of Newton's method at most."""
BANDS: Final = 10
"""Of the table of calibration."""
HOME: Final = Path(__file__).parents[1]
OFFICER: Final = "captain"
SEED: Final = "train"
YEARS: Final = 0
"""Where the features of a rule set have how long the war still lasts."""
Numbers: TypeAlias = NDArray[np.float64]


class Link(NamedTuple):
    """What a regression makes of the weighed sums, and how steep that is where so much comes out."""

    mean: Callable[[Numbers], Numbers]
    slope: Callable[[Numbers], Numbers]


LOGISTIC: Final = Link(lambda odds: (1 + np.tanh(odds / 2)) / 2, lambda p: p * (1 - p))
LINEAR: Final = Link(lambda number: number, np.ones_like)


class Row(NamedTuple):
    """A position of a game: which, the fit that is asked, the features, what came of the game, and what it counts.

    The last features say who leads (`leading`)."""

    game: int
    fit: str
    features: Sequence[float]
    score: float
    lead: float
    weight: float


def main(words: Sequence[str] | None = None) -> None:
    """Plays, fits, writes the model, and prints how good it is."""
    parser = argparse.ArgumentParser(prog="make train", description=__doc__)
    parser.add_argument("--ruleset", type=arguments.ruleset, default=DEFAULT)
    parser.add_argument("--games", type=arguments.positive, default=2000)
    parser.add_argument("--seed", default=SEED)
    arguments.add_resuming(parser)
    parser.add_argument("--into", type=Path, help="the file of the model, if it is not the one that is used")
    args = parser.parse_args(words)
    file = args.keep or HOME / f"{args.ruleset}-games.jsonl"
    rows = rows_of(args.ruleset, wars_by(Series(args.ruleset, args.seed, args.games), args.jobs, args.on, file))
    model, page = trained(args.ruleset, rows, command_of(args.ruleset, args.games, args.seed))
    (args.into or value_file(args.ruleset)).write_bytes(write_model(model))
    print(page)


def command_of(ruleset: str, games: int, seed: str) -> str:
    """By what a model is made again."""
    words = f"--ruleset {ruleset} --games {games}" + (f" --seed {seed}" if seed != SEED else "")
    return f'make train ARGS="{words}"'


def rows_of(name: str, wars: Sequence[War]) -> list[Row]:
    """The positions of some wars, those of each together as much as any other's."""
    rules, see = load(name), value_features_of(name)[1]
    rows = []
    for war in track(wars, description="positions"):
        for text in war.positions:
            seen = see(rules.restore(unpacked(text)))
            found = [*seen.features, *leading(war.bots, seen.features[YEARS])]
            rows.append(Row(war.game, seen.fit, found, war.score, war.margin, 1 / len(war.positions)))
    mean = sum(row.weight for row in rows) / len(rows)
    return [row._replace(weight=row.weight / mean) for row in rows]


def leading(bots: Sequence[str], years: float) -> list[float]:
    """Who leads the sides, as features: whether it is a captain, and for how long he still will."""
    led = [float(bot == OFFICER) for bot in bots]
    return [*led, *(one * years for one in led)]


def led_by_captains(fit: Fit) -> Fit:
    """A fit to features and who leads, as it is for captains on both sides: to features alone."""
    own = len(fit.means) - len(leading((OFFICER, OFFICER), 1.0))
    spread, mean = fit.spreads[YEARS], fit.means[YEARS]
    bare = Fit(fit.means[:own], fit.spreads[:own], (), ())

    def folded(weights: Sequence[float]) -> tuple[float, ...]:
        found = [*weights[:own], weights[-1]]
        for at, one in enumerate(leading((OFFICER, OFFICER), mean), own):
            found[-1] += weights[at] * (one - fit.means[at]) / fit.spreads[at]
        for at in range(len(fit.means) - 2, len(fit.means)):
            found[YEARS] += weights[at] * spread / fit.spreads[at]
        return _short(found)

    return msgspec.structs.replace(bare, chance=folded(fit.chance), lead=folded(fit.lead))


def trained(name: str, rows: Sequence[Row], command: str) -> tuple[Model, str]:
    """The model of some positions, and what is printed of it."""
    fits = sorted({row.fit for row in rows})
    seen = {fit: [row for row in rows if row.fit == fit] for fit in fits}
    told = {fit: best(seen[fit]) for fit in fits}
    page = "\n\n".join(account(fit, told[fit].told) for fit in fits)
    loss = log_loss([one for fit in fits for one in told[fit].told])
    made: dict[str, str | int | float] = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "command": command,
        "games": len({row.game for row in rows}),
        "positions": len(rows),
        "log-loss": round(loss, 4),
    }
    whole = {fit: led_by_captains(fitted(seen[fit], told[fit].ridge)) for fit in fits}
    return Model(name, tuple(value_features_of(name)[0]), whole, made), page


class Unseen(NamedTuple):
    """What fits with a ridge foretell of positions of games that they were not fitted to."""

    ridge: float
    told: Sequence[tuple[Row, float]]


def unseen(rows: Sequence[Row], ridge: float = RIDGES[0]) -> Unseen:
    """What is foretold of each position by a fit to other games."""
    found = []
    for part in range(APART):
        apart = [row for row in rows if row.game % APART == part]
        fit = fitted([row for row in rows if row.game % APART != part], ridge) if apart else None
        found += [(row, forecast(fit, row)) for row in apart if fit is not None]
    return Unseen(ridge, found)


def best(rows: Sequence[Row]) -> Unseen:
    """What is foretold with the ridge by which it is foretold best."""
    return min((unseen(rows, ridge) for ridge in RIDGES), key=lambda one: log_loss(one.told))


def fitted(rows: Sequence[Row], ridge: float = RIDGES[0]) -> Fit:
    """Both regressions on some positions."""
    seen = np.array([row.features for row in rows])
    means, spreads = seen.mean(axis=0), seen.std(axis=0)
    spreads[spreads == 0] = 1.0
    table = np.column_stack((np.clip((seen - means) / spreads, -WIDEST, WIDEST), np.ones(len(rows))))
    scores, leads, weights = np.array([(row.score, row.lead, row.weight) for row in rows]).T
    chance = newton(table, scores, weights, ridge, LOGISTIC)
    lead = newton(table, leads, weights, ridge, LINEAR)
    return Fit(tuple(means.tolist()), tuple(spreads.tolist()), _short(chance), _short(lead))


def _short(numbers: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(float(number), 5) for number in numbers)


def newton(table: Numbers, aims: Numbers, weights: Numbers, ridge: float, link: Link) -> Numbers:
    """The weights of a regression with a ridge; the constant, which is last, is free."""
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
    """What the model expects of a position."""
    return logistic(weighed(fit.chance, fit.scaled(row.features)))


def log_loss(told: Sequence[tuple[Row, float]]) -> float:
    """How much is lost by what was foretold, in nats a position; 0.693 by saying one half always."""
    whole = sum(row.weight for row, _ in told)
    return -sum(row.weight * (row.score * _log(p) + (1 - row.score) * _log(1 - p)) for row, p in told) / whole


def _log(p: float) -> float:
    return math.log(max(1e-9, p))


def account(name: str, told: Sequence[tuple[Row, float]]) -> str:
    """How well positions were foretold by fits that had not seen them, as a table."""
    base = sum(row.score * row.weight for row, _ in told) / sum(row.weight for row, _ in told)
    games = len({row.game for row, _ in told})
    lines = [
        f"{name}: {len(told)} positions of {games} games; log-loss {log_loss(told):.3f}, "
        f"of their mean score {log_loss([(row, base) for row, _ in told]):.3f}; "
        f"calibration error {calibration_error(told):.1%}",
        "",
        "| foretold | came | positions | games |",
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
    """By how much what came differs from what was foretold, by band, on average over the positions."""
    error = 0.0
    for band in range(BANDS):
        inside = [(row.score, p) for row, p in told if min(BANDS - 1, int(p * BANDS)) == band]
        error += abs(sum(score - p for score, p in inside))
    return error / len(told)


if __name__ == "__main__":
    main()
