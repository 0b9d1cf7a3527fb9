"""Who sits where: invitations are taken, devices come back, are listed, and are signed out.

An invitation works once. What sits on a seat from then on is a device with a key of its own, so that whoever passed the
invitation on has nothing of the seat. The gallery alone has links that any number of people may use.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET

from leuthen.engine.ruleset import OTHER, WATCHER, SeatSide, Side, as_seat, is_side
from leuthen.server.session import messages, players
from leuthen.server.session.messages import Problem, Sitter
from leuthen.server.session.problems import FOREIGN, GONE, SIGNED_OUT, STALE, Fault, fault, unknown
from leuthen.server.session.streams import Subscriber, message
from leuthen.storage import games as kept
from leuthen.storage.faults import StorageError
from leuthen.storage.rows import DeviceRow, InvitationRow, Rows, SeatRow, Storage, first

_OVER: Final = message(
    "problem", Problem(SIGNED_OUT, "Signed out", "This device was signed out of the seat, from another of its devices.")
)


class Visitor(NamedTuple):
    """Whoever asks, seat or none: the hash of his key, and what he comes with in plain words."""

    lock: str
    what: str


class DeviceSession:
    """A device on a seat. Once it is over nothing more is carried out for it and nothing is sent to it."""

    def __init__(self, seat: SeatRow, row: DeviceRow) -> None:
        self.seat = seat
        self.row = row
        self.is_over = False
        self.subscribers: set[Subscriber] = set()

    @property
    def number(self) -> int:
        return self.row.number

    @property
    def watcher(self) -> Sitter | None:
        """How who watches here calls himself; None of who plays, or has no name."""
        return Sitter(self.row.player, self.row.colour) if self.row.player else None

    def call(self, player: str, colour: str) -> None:
        self.row = msgspec.structs.replace(self.row, player=player, colour=colour)
        for subscriber in self.subscribers:
            subscriber.watcher = self.watcher

    def player(self, what: str) -> Side:
        """The side that is led here. Raises Fault for who watches, saying what he has not."""
        if is_side(side := self.seat.side):
            return side
        raise fault(FOREIGN, "You only watch", f"This seat watches: it has no {what}.")

    def expect_open(self) -> None:
        """Raises Fault if it is over: the seat is as unknown as a foreign one."""
        if self.is_over:
            raise unknown()

    def end(self) -> None:
        """Ends it, with all its streams: what waited to be sent is dropped."""
        self.is_over = True
        for subscriber in self.subscribers:
            subscriber.cut(_OVER)


_TEN_MINUTES: Final = 15
"""So many letters of a time in ISO 8601 are the same for ten minutes: a device is not noted more often."""


class SeatTaken(NamedTuple):
    """A seat as it is now that it was taken, and whether the device has come to it just now."""

    seat: SeatRow
    is_new: bool


class DeviceSessions:
    """The devices on all seats. Those that were asked for are in memory; all are on disk before anybody is told."""

    def __init__(self, storage: Storage, clock: Callable[[], str]) -> None:
        self._storage = storage
        self._clock = clock
        self._open: defaultdict[str, dict[str, DeviceSession]] = defaultdict(dict)
        """By seat and by the hash of the device's key."""
        self._endings = 0

    async def find(self, seat: str, lock: str) -> DeviceSession:
        """The session of a device on a seat. Raises Fault if it does not sit there."""
        device = self._open[seat].get(lock) if seat in self._open else None
        while device is None:
            endings = self._endings
            found = await self._storage.read(lambda rows: _find(rows, seat, lock))
            if found is None:
                raise unknown()
            if endings == self._endings:  # else it may have been ended since it was read
                device = self._open[seat].setdefault(lock, DeviceSession(*found))
        await self._note(device)
        return device

    async def _note(self, device: DeviceSession) -> None:
        """Notes now and then that a device is here. If that cannot be written, nothing is lost."""
        at, seat = self._clock(), device.seat
        if at[:_TEN_MINUTES] == device.row.seen[:_TEN_MINUTES]:
            return
        device.row = msgspec.structs.replace(device.row, seen=at)
        with suppress(StorageError):
            await self._storage.write(
                lambda rows: rows.change(DeviceRow, {"seen": at}, seat=seat.id, number=device.number)
            )

    async def take(self, visitor: Visitor, lock: str, way_back: str, sitter: messages.Sitter) -> SeatTaken:
        """A visitor takes the seat of an invitation, by the hash of its secret; who sits there already stays.

        `way_back` is the hash of the secret of a link that lets its owner in again. Raises Fault if there is no such
        invitation, if it is used up, or for a name that cannot be used at this table.
        """
        player = players.named(sitter.name)
        if await self._storage.read(lambda rows: kept.find_invited(rows, lock)) is None:
            raise unknown()
        at = self._clock()

        def take(rows: Rows) -> SeatTaken:
            seat = kept.find_invited(rows, lock)
            assert seat is not None
            if kept.find_device(rows, seat.id, visitor.lock) is not None:
                return SeatTaken(seat, False)
            if first(rows, InvitationRow, lock=lock, used="") is None:
                raise _used_up(seat)
            number = kept.add_device(rows, seat.id, visitor.lock, visitor.what, at)
            if seat.side == WATCHER:
                _call_watcher(rows, seat, number, player, sitter.colour)
            else:
                kept.void_invitations(rows, seat.id, at)
                kept.add_invitation(rows, seat.id, way_back, at)
                if not seat.player:
                    _call(rows, seat, player, sitter.colour)
            return SeatTaken(kept.find_seat(rows, seat.id) or seat, True)

        taken = await self._storage.write(take)
        if taken.is_new:
            await self._tell(taken.seat)
        return taken

    async def rename(self, device: DeviceSession, sitter: messages.Rename) -> SeatRow:
        """Who sits on a session's seat is called otherwise; the seat as it is then.

        Raises Fault for a name that cannot be used at this table, and if another device gave another one meanwhile.
        """
        seat, player = device.seat, players.named(sitter.name)

        def rename(rows: Rows) -> SeatRow:
            _expect_there(rows, device)
            if seat.side == WATCHER:
                _call_watcher(rows, seat, device.number, player, sitter.colour)
            else:
                _expect_called(kept.find_seat(rows, seat.id) or seat, sitter, player)
                _call(rows, seat, player, sitter.colour)
            return kept.find_seat(rows, seat.id) or seat

        renamed = await self._storage.write(rename)
        if seat.side == WATCHER:
            device.call(player, sitter.colour)
        return renamed

    # --- the devices of a seat ---------------------------------------------------------------------------------------

    async def devices(self, device: DeviceSession) -> messages.Devices:
        """What sits on a session's seat beside it. In the gallery nobody is told of the others."""
        seat = device.seat
        rows, has_link = await self._storage.read(
            lambda rows: (kept.devices_of(rows, seat.id), seat.side != WATCHER and kept.has_invitation(rows, seat.id))
        )
        return _shown(device, rows, has_link)

    async def note_told(self, device: DeviceSession, number: int) -> None:
        """A device has shown its owner the others up to a number."""
        await self._storage.write(lambda rows: kept.note_told(rows, device.seat.id, device.number, number))

    async def sign_out(self, device: DeviceSession, number: int) -> None:
        """Signs a device out. Raises Fault if there is none of that number, or if nobody could come back then."""
        seat, at = device.seat, self._clock()

        def end(rows: Rows) -> None:
            there = _expect_there(rows, device)
            if number not in there or (seat.side == WATCHER and number != device.number):
                raise unknown("device")
            if seat.side != WATCHER and number != device.number:
                kept.void_invitations(rows, seat.id, at)
            elif seat.side != WATCHER and len(there) == 1 and not kept.has_invitation(rows, seat.id):
                raise _last()
            kept.end_devices(rows, seat.id, [number], at)

        await self._storage.write(end)
        await self._end(seat, [number])

    async def sign_out_others(self, device: DeviceSession) -> None:
        """Signs all other devices of the seat out, and makes void the link to it that one of them may have."""
        seat, at = device.seat, self._clock()
        if seat.side == WATCHER:
            raise _only_players()

        def end(rows: Rows) -> set[int]:
            others = _expect_there(rows, device) - {device.number}
            kept.end_devices(rows, seat.id, others, at)
            kept.void_invitations(rows, seat.id, at)
            return others

        await self._end(seat, await self._storage.write(end))

    async def _end(self, seat: SeatRow, numbers: Collection[int]) -> None:
        """These devices are signed out on disk: their sessions are over, and the others are told."""
        self._endings += 1
        for lock, device in list(self._open[seat.id].items()):
            if device.number in numbers:
                del self._open[seat.id][lock]
                device.end()
        await self._tell(seat)

    async def _tell(self, seat: SeatRow) -> None:
        if seat.side == WATCHER:
            return
        for device in list(self._open[seat.id].values()):
            if device.subscribers:
                data = message("devices", await self.devices(device))
                for subscriber in device.subscribers:
                    subscriber.send(data)

    # --- new links ---------------------------------------------------------------------------------------------------

    async def new_link(self, device: DeviceSession, wanted: messages.NewLink, lock: str) -> None:
        """Makes a link, by the hash of its secret. Raises Fault for a seat to which this one may not invite."""
        own, at = device.seat, self._clock()

        def make(rows: Rows) -> tuple[SeatRow, Collection[int]]:
            _expect_there(rows, device)
            seat = _invited(rows, device, own.side if wanted.side < 0 else as_seat(wanted.side))
            there = {device.number for device in kept.devices_of(rows, seat.id)} if wanted.ends else set()
            ended = there - ({device.number} if seat.id == own.id else set())
            if seat.side != WATCHER or wanted.ends:
                kept.void_invitations(rows, seat.id, at)
            kept.end_devices(rows, seat.id, ended, at)
            kept.add_invitation(rows, seat.id, lock, at)
            return seat, ended

        await self._end(*await self._storage.write(make))


def _find(rows: Rows, seat: str, lock: str) -> tuple[SeatRow, DeviceRow] | None:
    row, device = kept.find_seat(rows, seat), kept.find_device(rows, seat, lock)
    return (row, device) if row is not None and device is not None else None


def _expect_called(seat: SeatRow, sitter: messages.Rename, player: str) -> None:
    """Raises Fault if another device has changed the name since the sender saw it, unless to the same one."""
    was = sitter.was
    there = seat.player, seat.colour
    if was is not UNSET and there not in ((was.name, was.colour), (player, sitter.colour)):
        raise fault(STALE, "The name has changed", "Your name was changed in another tab or on another device.")


def _call(rows: Rows, seat: SeatRow, player: str, colour: str) -> None:
    """Writes down how who sits on a seat is called. Raises Fault if the other player is called so."""
    other = kept.find_side(rows, seat.game, OTHER[seat.side])
    players.expect_another(player, [other.player] if other else [])
    rows.change(SeatRow, {"player": player, "colour": colour}, id=seat.id)


def _call_watcher(rows: Rows, seat: SeatRow, number: int, player: str, colour: str) -> None:
    """Writes down how who watches on a device is called. Raises Fault if a player is called so."""
    sides = (kept.find_side(rows, seat.game, side) for side in (0, 1))
    players.expect_another(player, [row.player for row in sides if row])
    rows.change(DeviceRow, {"player": player, "colour": colour}, seat=seat.id, number=number)


def _expect_there(rows: Rows, device: DeviceSession) -> set[int]:
    """The devices of a session's seat. Raises Fault if it is no longer one of them."""
    there = {device.number for device in kept.devices_of(rows, device.seat.id)}
    if device.number not in there:
        raise unknown()
    return there


def _invited(rows: Rows, device: DeviceSession, side: SeatSide) -> SeatRow:
    """The seat on that side, if a session may invite there: to its own, to one that is still open, to the gallery."""
    own = device.seat
    seat = kept.find_side(rows, own.game, side)
    if seat is None or seat.who not in ("person", "watcher"):
        raise unknown()
    if own.side == WATCHER:
        if side != WATCHER or not kept.is_made_for_machines(rows, own.game, device.row.lock):
            raise _only_players()
    elif side not in (own.side, WATCHER) and seat.is_taken:
        raise fault(FOREIGN, "The seat is taken", "Only who sits there can make a link to that seat.")
    return seat


def _shown(device: DeviceSession, rows: Collection[DeviceRow], has_link: bool) -> messages.Devices:
    own, told = device.number, next((row.told for row in rows if row.number == device.number), device.row.told)
    return messages.Devices(
        tuple(
            messages.Device(row.number, row.what, row.since, row.seen, row.number == own, row.number > told)
            for row in rows
            if device.seat.side != WATCHER or row.number == own
        ),
        has_link,
    )


def _used_up(seat: SeatRow) -> Fault:
    if seat.side == WATCHER:
        return fault(GONE, "No longer valid", "This link has been replaced by a new one. Ask a player for that.")
    detail = (
        "This link has been used, or replaced: a link to a seat works once. If the seat is yours, open it in the"
        " browser in which you took it, or by the link back that you were shown then. If you never sat there, tell"
        " whoever invited you that somebody else does."
    )
    return fault(GONE, "The seat is taken", detail)


def _last() -> Fault:
    detail = "This is the last device on your seat, and no link leads back to it: make one first, and keep it."
    return fault(STALE, "You could not come back", detail)


def _only_players() -> Fault:
    return fault(FOREIGN, "You only watch", "Only who plays may do that.")
