"""The staff of a seat: its plan, stored with the seat as secretly as a machine's thought, and what it is at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import msgspec

from leuthen.bots import bots_for
from leuthen.engine.ruleset import SIDES, Side
from leuthen.server.session.messages import StaffCard
from leuthen.storage import games as kept
from leuthen.storage.rows import Rows, SeatRow, Storage, ThoughtRow

OFFICER: Final = "captain"
"""Who serves as staff."""
PERSON: Final = "person"
"""Who leads a seat that has a staff."""
UNSIGNED: Final = -1
BEGUN: Final = 0
"""The plan is signed, and its turn not known yet."""


class Served(msgspec.Struct, frozen=True):
    """The next order of a staff, and in words; the thought after it; the turn that it belongs to; why the player should
    be asked instead, or "", and of which affair it is a part; what is to be said of the thought before; why, if it was
    asked to say."""

    order: str
    text: str
    thought: bytes
    turn: int
    doubt: str = ""
    affair: str = ""
    word: str = ""
    reasons: tuple[str, ...] = ()


class StaffState(msgspec.Struct, frozen=True):
    """What a seat's staff has: its thought; the turn for which its plan is signed; the affair that is left to it; what
    it asks, with the order that it would give; an order that was granted; what it has to tell."""

    thought: bytes = b""
    turn: int = UNSIGNED
    trusted: str = ""
    asks: str = ""
    affair: str = ""
    order: str = ""
    text: str = ""
    granted: str = ""
    word: str = ""

    @property
    def is_at_work(self) -> bool:
        """Whether it answers when the seat is asked."""
        return self.turn != UNSIGNED and not self.asks

    def signed(self) -> StaffState:
        """The player lets it carry on: with what it asks as it proposes."""
        return StaffState(self.thought, max(self.turn, BEGUN), self.affair if self.asks else "", granted=self.order)

    def leaves(self, served: Served) -> bool:
        """Whether the player has left it to the staff what it did not foresee."""
        return served.order == self.granted or (served.affair != "" and served.affair == self.trusted)

    def failed(self, why: str) -> StaffState:
        """It cannot answer what is asked, and its player is asked."""
        return StaffState(self.thought, self.turn, asks=why)

    def after(self, served: Served) -> StaffState:
        """When an order has been carried out: an affair is over with the next order that was foreseen."""
        trusted = self.trusted if served.doubt else ""
        return msgspec.structs.replace(self, turn=served.turn, granted="", trusted=trusted)

    def asking(self, served: Served) -> StaffState:
        """It comes back with a question."""
        return msgspec.structs.replace(
            self, turn=served.turn, asks=served.doubt, affair=served.affair, order=served.order, text=served.text,
            granted="", trusted="",
        )  # fmt: skip

    def stopped(self, thought: bytes = b"") -> StaffState:
        """It does nothing more until it is told to. Its missions stand, or are those of another thought."""
        return StaffState(thought or self.thought)

    @property
    def card(self) -> StaffCard:
        is_signed = self.turn != UNSIGNED
        return StaffCard(self.is_at_work, is_signed, self.asks, self.affair, self.order, self.text, self.word)


def decode(data: bytes) -> StaffState:
    """What was kept; a fresh one if it cannot be read any more, and that is said."""
    if not data:
        return StaffState()
    try:
        return msgspec.json.decode(data, type=StaffState)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return StaffState(word="What the staff had planned cannot be read any more: it begins anew.")


def keeping(seat: str, number: int, state: StaffState) -> Callable[[Rows], None]:
    """What keeps a state that was reached after so many actions that count."""

    def keep(rows: Rows) -> None:
        kept.forget_thoughts(rows, [seat], number)
        kept.add_thought(rows, seat, ThoughtRow(number, msgspec.json.encode(state)))

    return keep


def staffs_of(ruleset: str, seats: Sequence[SeatRow], thoughts: Mapping[Side, bytes]) -> dict[Side, StaffState]:
    """The staffs of the sides that people lead, as they were stored; none in a rule set that has no officer."""
    is_known = OFFICER in bots_for(ruleset)
    return {side: decode(thoughts.get(side, b"")) for side in SIDES if is_known and seats[side].who == PERSON}


async def with_staff_at_work(storage: Storage) -> set[str]:
    """The games that go on and wait for a side whose staff carries out its plan.

    They are looked for seat by seat, so that others are answered meanwhile.
    """
    people = await storage.read(lambda rows: kept.seats_asked(rows, (PERSON,)))
    found = [(seat.game, await storage.read(partial(kept.last_thought, seat=seat.id))) for seat in people]
    return {game for game, thought in found if decode(thought).is_at_work}
