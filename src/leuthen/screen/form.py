"""An order in the making."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from leuthen.screen.answers import Odds
from leuthen.screen.basics import Objection, Place, Shown


class Choice(Shown, frozen=True):
    """A value that may be answered: the token that stands for it, its label, and what it costs."""

    token: str
    label: str
    price: str = ""
    place: Place = ""


class Barred(Shown, frozen=True):
    """A value that may not be answered, and why."""

    token: str
    label: str
    reason: Objection
    place: Place = ""


class FormField(Shown, frozen=True):
    """One question of an order in the making, with its answer so far.

    `key` names it («leader», «companions.0», «sp.3»); questions of one `name` belong together. `kind` tells a client
    how to ask: `word` (what to do), `leader`, `count`, `hex`, `path`, `flag` (no or yes), `power`. `value` is the token
    that stands, "" where nothing does yet; `is_given` whether the player chose it.
    """

    key: str
    name: str
    kind: str
    label: str
    choices: tuple[Choice, ...]
    barred: tuple[Barred, ...] = ()
    value: str = ""
    is_given: bool = False


class Reached(Shown, frozen=True):
    """A hex that a force can reach: from which hex, what the last step costs, what is left, and whether a leg ends."""

    before: Place
    price: str
    left: int
    spent: int
    stops: bool = False


class Form(Shown, frozen=True):
    """An order in the making: its questions in turn, the last one open unless `order` is there.

    `order` is the finished order in the record's notation. Choices that could not be granted are in `refused`.
    `summary` says who will command with which ratings and what the order does; `reach` where the force may go;
    `odds` what the order may bring; `halts` how its march may end at once (`Order.halt`). `neutral` is the order that
    leaves everything as it is, "" where every answer decides something for good.
    """

    fields: tuple[FormField, ...]
    order: str = ""
    refused: tuple[Objection, ...] = ()
    summary: tuple[str, ...] = ()
    start: Place = ""
    reach: Mapping[str, Reached] = {}
    odds: Odds | None = None
    halts: tuple[Choice, ...] = ()
    neutral: str = ""


PartialOrder: TypeAlias = Mapping[str, str]
"""What a player has chosen of an order so far: token by key of the field."""
