"""The staff of a seat: its plan, stored with the seat as secretly as a bot's thought, and its state."""

from __future__ import annotations

from typing import Final

import msgspec

from leuthen.server.session.messages import StaffCard
from leuthen.storage.rows import Rows, ThoughtRow, add_thought, forget_thoughts

OFFICER: Final = "captain"
"""The bot that serves as staff."""
UNSIGNED: Final = -1
BEGUN: Final = 0
"""The plan is signed, and its turn is not known yet."""


class StaffAnswer(msgspec.Struct, frozen=True):
    """The result of the staff's work on the next question.

    `doubt` is the reason to ask the player first, or ""; `topic` the topic that the order belongs to; `word` a note on
    the previous thought.
    """

    order: str
    text: str
    thought: bytes
    turn: int
    doubt: str = ""
    topic: str = ""
    word: str = ""
    reasons: tuple[str, ...] = ()


class StaffState(msgspec.Struct, frozen=True):
    """The stored state of a seat's staff.

    `turn` is the turn for which the plan is signed, `delegated_topic` the delegated topic, `asks` its question with the
    proposed `order`, `granted` an approved order, `word` a note to the player.
    """

    thought: bytes = b""
    turn: int = UNSIGNED
    delegated_topic: str = ""
    asks: str = ""
    topic: str = ""
    order: str = ""
    text: str = ""
    granted: str = ""
    word: str = ""

    @property
    def is_at_work(self) -> bool:
        return self.turn != UNSIGNED and not self.asks

    def signed(self) -> StaffState:
        """Return the state after the player's approval, which covers the current question."""
        return StaffState(self.thought, max(self.turn, BEGUN), self.topic if self.asks else "", granted=self.order)

    def after(self, served: StaffAnswer) -> StaffState:
        """Return the state after an order, or with a question about it to the player.

        He is not asked about an order that he has approved, nor about a topic that he has delegated. The next foreseen
        order ends a delegation.
        """
        is_delegated = served.order == self.granted or (served.topic != "" and served.topic == self.delegated_topic)
        if not served.doubt or is_delegated:
            topic = self.delegated_topic if served.doubt else ""
            return msgspec.structs.replace(self, turn=served.turn, granted="", delegated_topic=topic)
        return msgspec.structs.replace(
            self, turn=served.turn, asks=served.doubt, topic=served.topic, order=served.order, text=served.text,
            granted="", delegated_topic="",
        )  # fmt: skip

    def stopped(self, thought: bytes = b"") -> StaffState:
        """Return the inactive state; its missions remain, or come from another thought."""
        return StaffState(thought or self.thought)

    @property
    def card(self) -> StaffCard:
        is_signed = self.turn != UNSIGNED
        return StaffCard(self.is_at_work, is_signed, self.asks, self.topic, self.order, self.text, self.word)


def decode(data: bytes) -> StaffState:
    """Return a stored state; a new one with a note if it cannot be read."""
    if not data:
        return StaffState()
    try:
        return msgspec.json.decode(data, type=StaffState)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return StaffState(word="The staff's old plan could not be read; it starts a new one.")


def store_state(rows: Rows, seat: str, number: int, state: StaffState) -> None:
    """Store a state with the number of actions it belongs to."""
    forget_thoughts(rows, [seat], number)
    add_thought(rows, seat, ThoughtRow(number, msgspec.json.encode(state)))
