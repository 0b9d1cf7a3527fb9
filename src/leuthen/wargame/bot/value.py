"""The learned value of a position: a side's expected score, by a model fitted to games between bots.

A model is a few numbers in a JSON file, made by `make train` and evaluated without a library.
"""

import hashlib
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import mul
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeAlias, TypeVar

import msgspec

from leuthen.engine.choice import RandomSource
from leuthen.engine.refusal import Invalid, require
from leuthen.engine.ruleset import Ruleset, Side
from leuthen.wargame.board import StackKey
from leuthen.wargame.missions import Thought, date_number
from leuthen.wargame.search import Stream, seed_of

WIDEST: Final = 8.0  # limit of a feature in spreads from its mean: nothing was learned beyond


class ValueInput(NamedTuple):
    """A position for the value: the name of the fit, and the features from the first side's point of view."""

    fit: str
    features: Sequence[float]


See: TypeAlias = Callable[[object], ValueInput]


class Fit(msgspec.Struct, frozen=True):
    """A logistic and a linear regression on the same standardized features.

    The last number of `chance` and `lead` is the constant.
    """

    means: tuple[float, ...]
    spreads: tuple[float, ...]
    chance: tuple[float, ...]
    lead: tuple[float, ...]

    def standardize(self, features: Sequence[float]) -> list[float]:
        parts = zip(features, self.means, self.spreads, strict=True)
        return [*(max(-WIDEST, min(WIDEST, (one - mean) / spread)) for one, mean, spread in parts), 1.0]


class Model(msgspec.Struct, frozen=True):
    """A fitted model: its rule set, features, fits by name, and origin."""

    ruleset: str
    features: tuple[str, ...]
    fits: Mapping[str, Fit]
    made: Mapping[str, str | int | float]  # date, command, games, and quality on games that it was not fitted to
    digest: str = ""  # of all other fields: a changed file is refused


class Value:
    def __init__(self, rules: Ruleset, model: Model, see: See) -> None:
        self._rules = rules
        self._model = model
        self._see = see
        self.digest = model.digest

    def chance(self, state: object) -> float:
        """Return the first side's expected score, 0 to 1, with 1/2 for a draw."""
        outcome = self._rules.outcome(state)
        if outcome is not None:
            return 0.5 if outcome.winner is None else float(outcome.winner == 0)
        fit, row = self._row(state)
        return logistic(weighted_sum(fit.chance, row))

    def lead(self, state: object) -> float:
        """Return the first side's expected final lead in VP."""
        fit, row = self._row(state)
        return weighted_sum(fit.lead, row)

    def _row(self, state: object) -> tuple[Fit, list[float]]:
        seen = self._see(state)
        fit = self._model.fits[seen.fit]
        return fit, fit.standardize(seen.features)


def weighted_sum(weights: Sequence[float], row: Sequence[float]) -> float:
    return math.fsum(map(mul, weights, row))


def side_difference(pair: Sequence[float]) -> float:
    return pair[0] - pair[1]


def logistic(number: float) -> float:
    """Return the chance of log odds."""
    return 1.0 / (1.0 + math.exp(-number)) if number >= 0 else 1.0 - 1.0 / (1.0 + math.exp(number))


def sealed(model: Model) -> Model:
    return msgspec.structs.replace(model, digest=_digest(model))


def write_model(model: Model) -> bytes:
    return msgspec.json.format(msgspec.json.encode(sealed(model), order="sorted"), indent=1) + b"\n"


def read_model(data: bytes, ruleset: str, features: Sequence[str]) -> Model:
    """Return the model of a file. Raise Invalid if it is damaged, changed or fitted to other features."""
    again = "`make train` rebuilds it"
    try:
        model = msgspec.json.decode(data, type=Model)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Invalid(f"this is no learned value: {error}; {again}") from error
    reason = f"the learned value was changed: its digest is not {model.digest or 'there'}; {again}"
    require(model.digest == _digest(model), reason)
    reason = f"the learned value was fitted to other features of {model.ruleset}; {again}"
    require((model.ruleset, model.features) == (ruleset, tuple(features)), reason)
    return model


def _digest(model: Model) -> str:
    text = msgspec.json.encode(msgspec.structs.replace(model, digest=""), order="sorted")
    return hashlib.blake2b(text, digest_size=8).hexdigest()


S = TypeVar("S")


class Analyst(ABC, Generic[S]):
    """Answers of one rule set about its positions, for a report."""

    horizon: ClassVar[int] = 1  # player turns for which a decision is played on before the position is judged

    @abstractmethod
    def turn(self, state: S) -> int:
        """Return the number of the player turn, which grows by one each turn."""

    def settled(self, state: S) -> S:
        """Return the position as it is judged, with a moving force placed in its hex."""
        return state

    @abstractmethod
    def strengths(self, state: S, side: Side) -> Mapping[str, int]:
        """Return the strength of each force of a side, by a name that its enemy knows."""


def force_name(who: str, inside: bool, place: str) -> str:
    """Return the name of a force: its leader or nation, and its place."""
    return f"{who} {'inside' if inside else 'at'} {place}"


# --- hidden strengths: an expected total, divided among the forces that were seen -------------------------------------


class Band(NamedTuple):
    """Bounds of a force's strength, the highest believable one, and its weight."""

    key: StackKey
    low: int
    high: int
    most: int
    weight: float


def share_strength(bands: Iterable[Band], total: float) -> dict[StackKey, int]:
    """Return the strengths: known ones, and the rest of the total divided by weight within the bounds."""
    forces = list(bands)
    found = {band.key: band.low for band in forces if band.low == band.high}
    unknown = [band for band in forces if band.low != band.high]
    left, whole = total - sum(found.values()), sum(band.weight for band in unknown) or 1.0
    for band in unknown:
        found[band.key] = max(band.low, min(band.high, round(left * band.weight / whole), band.most), 1)
    return found


# --- resigning and accepting draws: both follow from the side's view and thought alone --------------------------------


Draw: TypeAlias = Callable[[Ruleset, Any, RandomSource], Any]
WORLDS: Final = 8  # sampled worlds of a view
HOPELESS: Final = 0.02
"""Chance below which a turn counts as hopeless: of 102 sides with such a run of turns one did not lose."""
TURNS: Final = 4  # hopeless turns in a row after which a bot resigns
DRAWN: Final = 0.1  # expected score below which a bot accepts a draw: half a win, but an open war is not given away
_JUDGED: Final = "judged"
_IN_A_ROW: Final = "hopeless"
NOTES: Final = (_JUDGED, _IN_A_ROW)  # the notes of a thought that a bot must not forget


def estimate_win_chance(rules: Ruleset, draw: Draw, value: Value, view: bytes, side: Side) -> float:
    """Return a side's expected score: the mean over sampled worlds of its view, always the same ones."""
    seen, found = rules.decode_view(view), 0.0
    for number in range(WORLDS):
        found += value.chance(draw(rules, seen, Stream(seed_of("hope", number, view))))
    return found / WORLDS if side == 0 else 1 - found / WORLDS


def note_win_chance(mind: Thought, chance: float, date: tuple[int, int]) -> Thought:
    """Return the thought with this turn counted as hopeless or not, once."""
    today = date_number(*date)
    if mind.notes.get(_JUDGED) == today:
        return mind
    in_a_row = mind.notes.get(_IN_A_ROW, 0) + 1 if chance < HOPELESS else 0
    return msgspec.structs.replace(mind, notes={**mind.notes, _JUDGED: today, _IN_A_ROW: in_a_row})


def is_judged(mind: Thought, date: tuple[int, int]) -> bool:
    return mind.notes.get(_JUDGED) == date_number(*date)


def resigns(mind: Thought) -> bool:
    return mind.notes.get(_IN_A_ROW, 0) >= TURNS


def accepts_draw(chance: float) -> bool:
    return chance < DRAWN
