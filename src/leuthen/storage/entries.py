"""Who may sit down and who does: invitations to seats, and the devices that sit on them."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from sqlalchemy import Connection, func, insert, select, update

from leuthen.storage.rows import DeviceRow, SeatRow
from leuthen.storage.schema import devices, games, invitations, seats

# --- invitations ------------------------------------------------------------------------------------------------------


def add_invitation(connection: Connection, seat: str, lock: str, at: str) -> None:
    """A link to a seat, by the hash of its secret."""
    connection.execute(insert(invitations).values(lock=lock, seat=seat, made=at, used=""))


def find_invited(connection: Connection, lock: str) -> SeatRow | None:
    """The seat to which the secret with that hash invites, or did."""
    row = connection.execute(
        select(seats).join(invitations, invitations.c.seat == seats.c.id).where(invitations.c.lock == lock)
    )
    found = row.mappings().first()
    return SeatRow(**found) if found else None


def is_open(connection: Connection, lock: str) -> bool:
    """Whether an invitation still opens its seat."""
    query = select(invitations.c.seat).where(invitations.c.lock == lock, invitations.c.used == "")
    return connection.execute(query).first() is not None


def has_invitation(connection: Connection, seat: str) -> bool:
    """Whether there is a link that still opens a seat."""
    query = select(invitations.c.seat).where(invitations.c.seat == seat, invitations.c.used == "")
    return connection.execute(query).first() is not None


def void_invitations(connection: Connection, seat: str, at: str) -> None:
    """No link that was made so far opens a seat any more."""
    open_ones = (invitations.c.seat == seat, invitations.c.used == "")
    connection.execute(update(invitations).where(*open_ones).values(used=at))


def void_older_invitations(connection: Connection, seat: str, at: str) -> None:
    """Links to a seat from before there was this table end when somebody who sits there comes back."""
    old = (invitations.c.seat == seat, invitations.c.used == "", invitations.c.made == "")
    connection.execute(update(invitations).where(*old).values(used=at))


# --- devices ----------------------------------------------------------------------------------------------------------


def add_device(connection: Connection, seat: str, lock: str, what: str, at: str) -> DeviceRow:
    """A device sits down; the seat is taken."""
    last = connection.execute(select(func.max(devices.c.number)).where(devices.c.seat == seat)).scalar() or 0
    device = DeviceRow(seat, last + 1, lock, what, at, at, last + 1)
    connection.execute(insert(devices).values(msgspec.structs.asdict(device)))
    connection.execute(update(seats).where(seats.c.id == seat).values(is_taken=True))
    return device


def find_device(connection: Connection, seat: str, lock: str) -> DeviceRow | None:
    """The device with that key, if it sits on a seat."""
    query = select(devices).where(devices.c.seat == seat, devices.c.lock == lock, devices.c.ended == "")
    row = connection.execute(query).mappings().first()
    return DeviceRow(**row) if row else None


def find_seat(connection: Connection, seat: str) -> SeatRow | None:
    """The seat of that public id."""
    row = connection.execute(select(seats).where(seats.c.id == seat)).mappings().first()
    return SeatRow(**row) if row else None


def find_side(connection: Connection, game: str, side: int) -> SeatRow | None:
    """The seat of a game on that side."""
    row = connection.execute(select(seats).where(seats.c.game == game, seats.c.side == side)).mappings().first()
    return SeatRow(**row) if row else None


def is_made_for_machines(connection: Connection, game: str, lock: str) -> bool:
    """Whether the device with that key made a game in which only machines play."""
    people = select(seats.c.id).where(seats.c.game == game, seats.c.who == "person")
    made = select(games.c.id).where(games.c.id == game, games.c.maker == lock)
    return connection.execute(people).first() is None and connection.execute(made).first() is not None


def devices_of(connection: Connection, seat: str) -> list[DeviceRow]:
    """The devices that sit on a seat, in the order in which they came."""
    query = select(devices).where(devices.c.seat == seat, devices.c.ended == "").order_by(devices.c.number)
    return [DeviceRow(**row) for row in connection.execute(query).mappings()]


def seats_of(connection: Connection, lock: str) -> set[str]:
    """The public ids of the seats on which a device sits."""
    query = select(devices.c.seat).where(devices.c.lock == lock, devices.c.ended == "")
    return set(connection.execute(query).scalars())


def end_devices(connection: Connection, seat: str, numbers: Collection[int], at: str) -> None:
    """Signs devices out of a seat."""
    chosen = (devices.c.seat == seat, devices.c.number.in_(numbers))
    connection.execute(update(devices).where(*chosen).values(ended=at))


def note_seen(connection: Connection, seat: str, number: int, at: str) -> None:
    """A device was here."""
    this = (devices.c.seat == seat, devices.c.number == number)
    connection.execute(update(devices).where(*this).values(seen=at))


def note_told(connection: Connection, seat: str, number: int, told: int) -> None:
    """A device has been shown the others up to a number."""
    this = (devices.c.seat == seat, devices.c.number == number, devices.c.told < told)
    connection.execute(update(devices).where(*this).values(told=told))
