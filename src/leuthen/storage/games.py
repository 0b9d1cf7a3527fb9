"""Queries and changes of games, seats and bots' thoughts, as functions of rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from leuthen.engine.ruleset import SIDES, SeatSide
from leuthen.storage.rows import (
    ActionRow,
    ChatRow,
    DeviceRow,
    DiceKeyRow,
    GameRow,
    InvitationRow,
    ProofRow,
    ProposalRow,
    Rows,
    SealRow,
    SeatRow,
    StoredGame,
    ThoughtRow,
    first,
)

THOUGHTS: Final = 100
"""Number of stored thoughts per seat, among which a takeback finds the one of that time."""


def add_game(rows: Rows, game: GameRow, key: bytes, seats: Iterable[SeatRow], lines: Sequence[ActionRow]) -> None:
    """Store a new game with its dice key, its seats, and the lines of its record so far."""
    rows.add(game)
    rows.add(DiceKeyRow(game.id, key))
    rows.add(*seats)
    rows.add(*lines, game=game.id, at=game.made)


def put_away(rows: Rows, maker: str, scenario: str) -> None:
    """End the unfinished games of a browser whose scenario has this prefix."""
    for game in rows.find(GameRow, maker=maker, has_ended=False):
        if game.scenario.startswith(scenario):
            rows.change(GameRow, {"has_ended": True}, id=game.id)


def find_game(rows: Rows, game: str) -> StoredGame | None:
    found, key = first(rows, GameRow, id=game), first(rows, DiceKeyRow, game=game)
    if found is None or key is None:
        return None
    lines, proposals = rows.find(ActionRow, game=game), rows.find(ProposalRow, game=game)
    seal, proof = first(rows, SealRow, game=game), rows.find(ProofRow, game=game)
    seats = _seats(rows, (game,))
    return StoredGame(
        found,
        tuple(seats),
        tuple(lines),
        tuple(proposals),
        key.key,
        seal.signing if seal else b"",
        tuple(line.text for line in proof),
        {side: last_thought(rows, seats[side].id) for side in SIDES if seats[side].who == "person"},
    )


def _seats(rows: Rows, of: Collection[str]) -> list[SeatRow]:
    return sorted(rows.find(SeatRow, game=of), key=lambda seat: (seat.game, seat.side))


def games_of(rows: Rows, browser: str) -> list[tuple[GameRow, list[SeatRow]]]:
    """Return the games in which a browser has a seat, with all their seats."""
    mine = {seat.game for seat in rows.find(SeatRow, id=seats_of(rows, browser))}
    around: dict[str, list[SeatRow]] = {game: [] for game in mine}
    for seat in _seats(rows, mine):
        around[seat.game].append(seat)
    return [(game, around[game.id]) for game in rows.find(GameRow, id=mine)]


def seats_asked(rows: Rows, players: Sequence[str]) -> list[SeatRow]:
    """Return the seats of these players that must answer, in unfinished games with a person."""
    waiting = {game.id: game.waiting for game in rows.find(GameRow, has_ended=False) if game.waiting}
    led = rows.find(SeatRow, who=players, side=(0, 1))
    with_a_person = {seat.game for seat in rows.find(SeatRow, who="person", side=(0, 1))}
    return [seat for seat in led if waiting.get(seat.game, 0) >> seat.side & 1 and seat.game in with_a_person]


def rematch_of(rows: Rows, game: str) -> str | None:
    found = first(rows, GameRow, before=game)
    return found.id if found else None


# --- seats ------------------------------------------------------------------------------------------------------------


def find_seat(rows: Rows, seat: str) -> SeatRow | None:
    return first(rows, SeatRow, id=seat)


def find_side(rows: Rows, game: str, side: SeatSide) -> SeatRow | None:
    return first(rows, SeatRow, game=game, side=side)


# --- invitations ------------------------------------------------------------------------------------------------------


def add_invitation(rows: Rows, seat: str, lock: str, at: str) -> None:
    rows.add(InvitationRow(lock, seat, at))


def find_invited(rows: Rows, lock: str) -> SeatRow | None:
    """Return the seat of an open or used invitation, by its secret hash."""
    invitation = first(rows, InvitationRow, lock=lock)
    return find_seat(rows, invitation.seat) if invitation else None


def has_invitation(rows: Rows, seat: str) -> bool:
    return first(rows, InvitationRow, seat=seat, used="") is not None


def void_invitations(rows: Rows, seat: str, at: str) -> None:
    rows.change(InvitationRow, {"used": at}, seat=seat, used="")


# --- devices ----------------------------------------------------------------------------------------------------------


def add_device(rows: Rows, seat: str, lock: str, what: str, at: str) -> int:
    """Give a device a seat; return its number, which is never reused."""
    last = rows.last(DeviceRow, "number", seat=seat)
    number = last.number + 1 if last else 1
    rows.add(DeviceRow(seat, number, lock, what, at, at, number))
    rows.change(SeatRow, {"is_taken": True}, id=seat)
    return number


def find_device(rows: Rows, seat: str, lock: str) -> DeviceRow | None:
    return first(rows, DeviceRow, seat=seat, lock=lock, ended="")


def devices_of(rows: Rows, seat: str) -> list[DeviceRow]:
    return rows.find(DeviceRow, seat=seat, ended="")


def seats_of(rows: Rows, lock: str) -> set[str]:
    return {device.seat for device in rows.find(DeviceRow, lock=lock, ended="")}


def end_devices(rows: Rows, seat: str, numbers: Collection[int], at: str) -> None:
    rows.change(DeviceRow, {"ended": at}, seat=seat, number=set(numbers))


def mark_devices_seen(rows: Rows, seat: str, number: int, told: int) -> None:
    """Store that a device has been shown the others up to a number."""
    device = first(rows, DeviceRow, seat=seat, number=number)
    if device is not None and device.told < told:
        rows.change(DeviceRow, {"told": told}, seat=seat, number=number)


# --- games that can be checked ----------------------------------------------------------------------------------------


def ends_of(rows: Rows, game: str) -> tuple[int, int]:
    """Return the numbers of the last lines of a game's record and proof; -1 if there is none."""
    action, proof = rows.last(ActionRow, "number", game=game), rows.last(ProofRow, "number", game=game)
    return -1 if action is None else action.number, -1 if proof is None else proof.number


# --- notes and chat ---------------------------------------------------------------------------------------------------


def add_chat(rows: Rows, game: str, side: SeatSide, at: str, text: str) -> ChatRow:
    last = rows.last(ChatRow, "number", game=game)
    said = ChatRow(last.number + 1 if last else 1, side, at, text)
    rows.add(said, game=game)
    return said


# --- the thoughts of machines that lead a seat ------------------------------------------------------------------------


def last_thought(rows: Rows, seat: str) -> bytes:
    found = rows.last(ThoughtRow, "number", seat=seat)
    return found.thought if found else b""


def add_thought(rows: Rows, seat: str, thought: ThoughtRow) -> None:
    """Store a thought, unless it is empty or equals the last one; drop the oldest ones."""
    if thought.thought in (b"", last_thought(rows, seat)):
        return
    rows.remove(ThoughtRow, seat=seat, number=thought.number)
    rows.add(thought, seat=seat)
    for old in rows.find(ThoughtRow, seat=seat)[:-THOUGHTS]:
        rows.remove(ThoughtRow, seat=seat, number=old.number)


def forget_thoughts(rows: Rows, seats: Iterable[str], kept: int) -> None:
    """Remove the thoughts after the first `kept` actions, which a takeback has voided."""
    for seat in seats:
        for old in rows.find(ThoughtRow, seat=seat):
            if old.number >= kept:
                rows.remove(ThoughtRow, seat=seat, number=old.number)
