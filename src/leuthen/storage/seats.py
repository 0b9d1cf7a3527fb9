"""Who may sit down and who does: seats, invitations to them, and the devices that sit on them."""

from __future__ import annotations

from collections.abc import Collection

from leuthen.engine.ruleset import SeatSide
from leuthen.storage.rows import DeviceRow, GameRow, InvitationRow, Rows, SeatRow, first


def find_seat(rows: Rows, seat: str) -> SeatRow | None:
    """The seat of that public id."""
    return first(rows, SeatRow, id=seat)


def find_side(rows: Rows, game: str, side: SeatSide) -> SeatRow | None:
    """The seat of a game on that side."""
    return first(rows, SeatRow, game=game, side=side)


# --- invitations ------------------------------------------------------------------------------------------------------


def add_invitation(rows: Rows, seat: str, lock: str, at: str) -> None:
    """A link to a seat, by the hash of its secret."""
    rows.add(InvitationRow(lock, seat, at))


def find_invited(rows: Rows, lock: str) -> SeatRow | None:
    """The seat to which the secret with that hash invites, or did."""
    invitation = first(rows, InvitationRow, lock=lock)
    return find_seat(rows, invitation.seat) if invitation else None


def has_invitation(rows: Rows, seat: str) -> bool:
    """Whether there is a link that still opens a seat."""
    return first(rows, InvitationRow, seat=seat, used="") is not None


def void_invitations(rows: Rows, seat: str, at: str) -> None:
    """No link that was made so far opens a seat any more."""
    rows.change(InvitationRow, {"used": at}, seat=seat, used="")


def void_older_invitations(rows: Rows, seat: str, at: str) -> None:
    """Links to a seat from before there was this table end when somebody who sits there comes back."""
    rows.change(InvitationRow, {"used": at}, seat=seat, used="", made="")


# --- devices ----------------------------------------------------------------------------------------------------------


def add_device(rows: Rows, seat: str, lock: str, what: str, at: str) -> int:
    """A device sits down; the seat is taken. Its number, which is never given twice."""
    last = rows.last(DeviceRow, "number", seat=seat)
    number = last.number + 1 if last else 1
    rows.add(DeviceRow(seat, number, lock, what, at, at, number))
    rows.change(SeatRow, {"is_taken": True}, id=seat)
    return number


def find_device(rows: Rows, seat: str, lock: str) -> DeviceRow | None:
    """The device with that key, if it sits on a seat."""
    return first(rows, DeviceRow, seat=seat, lock=lock, ended="")


def is_made_for_machines(rows: Rows, game: str, lock: str) -> bool:
    """Whether the device with that key made a game in which only machines play."""
    people = first(rows, SeatRow, game=game, who="person")
    return people is None and first(rows, GameRow, id=game, maker=lock) is not None


def devices_of(rows: Rows, seat: str) -> list[DeviceRow]:
    """The devices that sit on a seat, in the order in which they came."""
    return rows.find(DeviceRow, seat=seat, ended="")


def seats_of(rows: Rows, lock: str) -> set[str]:
    """The public ids of the seats on which a device sits."""
    return {device.seat for device in rows.find(DeviceRow, lock=lock, ended="")}


def end_devices(rows: Rows, seat: str, numbers: Collection[int], at: str) -> None:
    """Signs devices out of a seat."""
    rows.change(DeviceRow, {"ended": at}, seat=seat, number=set(numbers))


def note_told(rows: Rows, seat: str, number: int, told: int) -> None:
    """A device has been shown the others up to a number."""
    device = first(rows, DeviceRow, seat=seat, number=number)
    if device is not None and device.told < told:
        rows.change(DeviceRow, {"told": told}, seat=seat, number=number)
