"""What is said at a table: each line once, and only as many as there is room for."""

from __future__ import annotations

from typing import Final

from leuthen.engine.ruleset import Side
from leuthen.server.session import requests
from leuthen.server.session.idempotency import answered, fingerprint
from leuthen.server.session.lookalikes import without_turns
from leuthen.server.session.problems import BAD, TOO_MANY, fault
from leuthen.storage import games as kept
from leuthen.storage.rows import AnswerRow, ChatRow, Rows, SeatRow

MOST_SAID: Final = 5000
"""Lines of chat in a game."""


def say(rows: Rows, game: str, seat: SeatRow, at: str, said: requests.Say) -> tuple[ChatRow, bool]:
    """What a seat says, and whether that is new. Raises Fault where there is no room."""
    key = f"chat {said.key}"
    number = answered(rows, seat.id, key, said)
    if number is not None:
        return rows.find(ChatRow, game=game, number=number)[0], False
    text = without_turns(said.text)
    if not text.strip():
        raise fault(BAD, "Nothing said", "This line holds nothing that can be read.")
    row = kept.add_chat(rows, game, seat.side, at, text)
    if row.number > MOST_SAID:
        raise fault(TOO_MANY, "Enough said", "This table has no room for more words.")
    rows.add(AnswerRow(row.number, fingerprint(said)), seat=seat.id, key=key)
    return row, True


def remark(rows: Rows, game: str, side: Side, at: str, text: str) -> ChatRow | None:
    """What a machine says; None where there is no room, or where these were its last words already."""
    last = rows.last(ChatRow, "number", game=game)
    if last is not None and (last.number >= MOST_SAID or (last.side, last.text) == (side, text)):
        return None
    return kept.add_chat(rows, game, side, at, text)
