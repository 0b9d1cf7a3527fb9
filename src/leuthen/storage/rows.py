"""What is kept, as values."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class GameRow(msgspec.Struct, frozen=True):
    """A game. `helps` is whether players may ask for advice, `maker` a browser's hash, `before` the game of which this
    is the rematch, or "", `takebacks` what may be taken back.

    `date`, `waiting` (a bit for each side that is asked), `since` and `result` are what everybody may know.
    """

    id: str
    ruleset: str
    version: str
    data: str
    scenario: str
    options: Mapping[str, str]
    title: str
    helps: bool
    maker: str
    made: str
    date: str
    waiting: int
    since: str
    before: str = ""
    result: str = ""
    has_ended: bool = False
    takebacks: str = "consent"


class SeatRow(msgspec.Struct, frozen=True):
    """A seat: its public id, its side (2: the watchers' gallery), and who sits there."""

    id: str
    game: str
    side: int
    who: str
    is_taken: bool


class DeviceRow(msgspec.Struct, frozen=True):
    """A browser or program that sits on a seat: its number there, the hash of its key, what it is in plain words, since
    when it sits there and when it was last seen, and up to which number it has been shown the seat's devices."""

    seat: str
    number: int
    lock: str
    what: str
    since: str
    seen: str
    told: int
    ended: str = ""


class AnswerRow(msgspec.Struct, frozen=True):
    """What a request was answered, and the hash of the request ("" if that was not kept)."""

    n: int
    request: str


class ActionRow(msgspec.Struct, frozen=True):
    """A line of a record."""

    number: int
    actor: str
    text: str


class ProposalRow(msgspec.Struct, frozen=True):
    """What a side offers or asks: `draw` or `takeback`; of a takeback, how many actions would be left."""

    side: int
    kind: str
    to: int = 0


class ChatRow(msgspec.Struct, frozen=True):
    """Something that was said."""

    number: int
    side: int
    at: str
    text: str


class Status(msgspec.Struct, frozen=True):
    """What the list of games tells of a game, as everybody may know it."""

    date: str
    waiting: int
    since: str
    result: str = ""
    has_ended: bool = False


class Kept(msgspec.Struct, frozen=True):
    """All that a game is made of again. `key` is the secret of its dice."""

    game: GameRow
    seats: tuple[SeatRow, ...]
    actions: tuple[ActionRow, ...]
    proposals: tuple[ProposalRow, ...]
    key: bytes
