"""The learned value of a position: what a side should score from here, by a model fitted to the machine's own games.

A model is a few numbers in a file of JSON, made by `make train`, and evaluated without any library.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from operator import mul
from typing import Final, NamedTuple, Protocol, TypeAlias

import msgspec

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Outcome

WIDEST: Final = 8.0
"""How many spreads from its mean a feature counts as at most: beyond, nothing was learned."""


class ValueInput(NamedTuple):
    """A position as the value sees it: which fit is asked, and the features from the first side's point of view."""

    fit: str
    features: Sequence[float]


class Judged(Protocol):
    """A rule set, as far as the value of its positions goes."""

    def outcome(self, state: object) -> Outcome | None:
        """How the game ended; None while it goes on."""
        ...


See: TypeAlias = Callable[[object], ValueInput]
"""How a rule set's positions are seen."""


class Fit(msgspec.Struct, frozen=True):
    """A logistic and a linear regression on the same features, each less its mean, over its spread.

    Of `chance` and `lead` the last number is the constant.
    """

    means: tuple[float, ...]
    spreads: tuple[float, ...]
    chance: tuple[float, ...]
    lead: tuple[float, ...]

    def scaled(self, features: Sequence[float]) -> list[float]:
        """The features as the weights want them, and a one for the constant."""
        parts = zip(features, self.means, self.spreads, strict=True)
        return [*(max(-WIDEST, min(WIDEST, (one - mean) / spread)) for one, mean, spread in parts), 1.0]


class Model(msgspec.Struct, frozen=True):
    """What `make train` found: for which rule set, on which features, its fits by name, and where it came from."""

    ruleset: str
    features: tuple[str, ...]
    fits: Mapping[str, Fit]
    made: Mapping[str, str | int | float]
    """Date, command, games, and how well it foretells games that it was not fitted to."""
    digest: str = ""
    """Of all the rest: a changed file is refused."""


class Value:
    """What positions of a rule set are worth. `digest` tells one model from another."""

    def __init__(self, rules: Judged, model: Model, see: See) -> None:
        self._rules = rules
        self._model = model
        self._see = see

    @property
    def digest(self) -> str:
        """Of the model."""
        return self._model.digest

    @property
    def made(self) -> Mapping[str, str | int | float]:
        """Where the model came from."""
        return self._model.made

    def chance(self, state: object) -> float:
        """What the first side should score from here, 0 to 1; a draw is half. The other side has what is left."""
        outcome = self._rules.outcome(state)
        if outcome is not None:
            return 0.5 if outcome.winner is None else float(outcome.winner == 0)
        fit, row = self._row(state)
        return logistic(weighed(fit.chance, row))

    def lead(self, state: object) -> float:
        """By how many VP the first side should be ahead in the end."""
        fit, row = self._row(state)
        return weighed(fit.lead, row)

    def _row(self, state: object) -> tuple[Fit, list[float]]:
        seen = self._see(state)
        fit = self._model.fits[seen.fit]
        return fit, fit.scaled(seen.features)


def weighed(weights: Sequence[float], row: Sequence[float]) -> float:
    """The sum of some numbers, each by its weight."""
    return math.fsum(map(mul, weights, row))


def lead_of(pair: Sequence[float]) -> float:
    """The first side's number less the other's."""
    return pair[0] - pair[1]


def logistic(number: float) -> float:
    """From log odds to a chance."""
    return 1.0 / (1.0 + math.exp(-number)) if number >= 0 else 1.0 - 1.0 / (1.0 + math.exp(number))


def sealed(model: Model) -> Model:
    """The model with its digest."""
    return msgspec.structs.replace(model, digest=_digest(model))


def write_model(model: Model) -> bytes:
    """The file of a model."""
    return msgspec.json.format(msgspec.json.encode(sealed(model), order="sorted"), indent=1) + b"\n"


def read_model(data: bytes, ruleset: str, features: Sequence[str]) -> Model:
    """The model of a file. Raises Invalid for one that is damaged, was changed, or fitted to something else."""
    again = "`make train` makes it anew"
    try:
        model = msgspec.json.decode(data, type=Model)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Invalid(f"this is no learned value: {error}; {again}") from error
    if model.digest != _digest(model):
        raise Invalid(f"the learned value was changed: its digest is not {model.digest or 'there'}; {again}")
    if (model.ruleset, model.features) != (ruleset, tuple(features)):
        raise Invalid(f"the learned value was fitted to other features of {model.ruleset}; {again}")
    return model


def _digest(model: Model) -> str:
    text = msgspec.json.encode(msgspec.structs.replace(model, digest=""), order="sorted")
    return hashlib.blake2b(text, digest_size=8).hexdigest()
