"""Devices on seats: invitations are accepted, devices return, are listed, and are signed out.

An invitation works once. Afterwards the device holds a key of its own, so that forwarding the invitation gives no
access. Only invitations for spectators can be used by any number of people.
"""

from collections import defaultdict
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET

from leuthen.engine.ruleset import OTHER, SIDES, WATCHER, Side, as_seat, is_side
from leuthen.server.session import messages, players
from leuthen.server.session.messages import FOREIGN, GONE, SIGNED_OUT, STALE, DisplayName, Problem, fault, unknown
from leuthen.server.session.streams import Subscriber, message
from leuthen.storage.rows import (
    DeviceRow,
    GameRow,
    InvitationRow,
    Rows,
    SeatRow,
    Storage,
    StorageError,
    add_device,
    first,
)

_OVER: Final = message(
    "problem", Problem(SIGNED_OUT, "Signed out", "Another of your devices signed this one out of the seat.")
)


class DeviceCaller(NamedTuple):
    """The key hash of a browser or program, and its description."""

    lock: str
    what: str


class DeviceSession:
    """A device on a seat. Once it is over, it can do nothing and receives nothing."""

    def __init__(self, seat: SeatRow, row: DeviceRow) -> None:
        self.seat = seat
        self.row = row
        self.is_over = False
        self.subscribers: set[Subscriber] = set()

    @property
    def watcher(self) -> DisplayName | None:
        return DisplayName(self.row.player, self.row.colour) if self.row.player else None

    def player(self, what: str) -> Side:
        """Return the side of a player. Raise Fault for a spectator, naming what only players have."""
        if is_side(side := self.seat.side):
            return side
        raise fault(FOREIGN, "You only watch", f"This seat watches: it has no {what}.")

    def expect_open(self) -> None:
        """Raise Fault if the session is over: the seat is then as unknown as any other."""
        if self.is_over:
            raise unknown()

    def end(self) -> None:
        """End the session and its streams; queued messages are dropped."""
        self.is_over = True
        for subscriber in self.subscribers:
            subscriber.end(_OVER, is_now=True)


_TEN_MINUTES: Final = 15
"""Number of characters of an ISO 8601 time that stay the same for ten minutes."""


class DeviceSessions:
    """The devices of all seats; the sessions in use are in memory."""

    def __init__(self, storage: Storage, clock: Callable[[], str]) -> None:
        self._storage = storage
        self._clock = clock
        self._open: defaultdict[str, dict[str, DeviceSession]] = defaultdict(dict)
        """By seat, then by key hash."""
        self._endings = 0

    async def find(self, seat: str, lock: str) -> DeviceSession:
        """Return the session of a device on a seat. Raise Fault if it has none."""
        wanted = {"seat": seat, "lock": lock, "ended": ""}
        device = self._open[seat].get(lock) if seat in self._open else None
        while device is None:
            endings = self._endings
            row, found = await self._storage.read(
                lambda rows: (first(rows, SeatRow, id=seat), first(rows, DeviceRow, **wanted))
            )
            if row is None or found is None:
                raise unknown()
            if endings == self._endings:  # else it may have been ended since it was read
                device = self._open[seat].setdefault(lock, DeviceSession(row, found))
        at, number = self._clock(), device.row.number
        if at[:_TEN_MINUTES] != device.row.seen[:_TEN_MINUTES]:
            device.row = msgspec.structs.replace(device.row, seen=at)
            with suppress(StorageError):  # failing to store it does no harm
                await self._storage.write(lambda rows: rows.change(DeviceRow, {"seen": at}, seat=seat, number=number))
        return device

    async def take(
        self, visitor: DeviceCaller, lock: str, way_back: str, sitter: messages.DisplayName
    ) -> tuple[SeatRow, bool]:
        """Give a visitor the seat of an invitation; return the seat, and whether the device is new to it.

        `way_back` is the secret hash of a new invitation for the same player. Raise Fault for an unknown or used
        invitation, or for a name that cannot be used at this table.
        """
        player = players.named(sitter.name)
        if await self._storage.read(lambda rows: first(rows, InvitationRow, lock=lock)) is None:
            raise unknown()
        at = self._clock()

        def take(rows: Rows) -> tuple[SeatRow, bool]:
            (invitation,) = rows.find(InvitationRow, lock=lock)
            (seat,) = rows.find(SeatRow, id=invitation.seat)
            if first(rows, DeviceRow, seat=seat.id, lock=visitor.lock, ended="") is not None:
                return seat, False
            if invitation.used and seat.side == WATCHER:
                raise fault(GONE, "No longer valid", "This link was replaced. Ask a player for the new one.")
            if invitation.used:
                detail = (
                    "This link was already used or replaced. If the seat is yours, use your earlier browser"
                    " or your link back. Otherwise ask for a new invitation."
                )
                raise fault(GONE, "The seat is taken", detail)
            number = add_device(rows, seat.id, visitor.lock, visitor.what, at)
            if seat.side != WATCHER:
                _void_invitations(rows, seat.id, at)
                rows.add(InvitationRow(way_back, seat.id, at))
            if seat.side == WATCHER or not seat.player:
                _set_name(rows, seat, number, player, sitter.colour)
            return rows.find(SeatRow, id=seat.id)[0], True

        seat, is_new = await self._storage.write(take)
        if is_new:
            await self._notify_devices(seat)
        return seat, is_new

    async def rename(self, device: DeviceSession, sitter: messages.Rename) -> SeatRow:
        """Change the name of a player or spectator; return the updated seat.

        Raise Fault for a name that cannot be used, and if another device has changed it in the meantime.
        """
        seat, player = device.seat, players.named(sitter.name)

        def rename(rows: Rows) -> SeatRow:
            _expect_there(rows, device)
            (there,), was, new = rows.find(SeatRow, id=seat.id), sitter.was, (player, sitter.colour)
            is_expected = was is UNSET or (there.player, there.colour) in ((was.name, was.colour), new)
            if seat.side != WATCHER and not is_expected:
                detail = "Your name was changed in another tab or on another device."
                raise fault(STALE, "The name has changed", detail)
            _set_name(rows, seat, device.row.number, *new)
            return rows.find(SeatRow, id=seat.id)[0]

        renamed = await self._storage.write(rename)
        if seat.side == WATCHER:
            device.row = msgspec.structs.replace(device.row, player=player, colour=sitter.colour)
            for subscriber in device.subscribers:
                subscriber.watcher = device.watcher
        return renamed

    # --- the devices of a seat ---------------------------------------------------------------------------------------

    async def devices(self, device: DeviceSession) -> messages.Devices:
        """Return the devices on a seat; a spectator sees only the own device."""
        seat, own, is_watcher = device.seat, device.row.number, device.seat.side == WATCHER
        rows, links = await self._storage.read(
            lambda rows: (_devices_of(rows, seat.id), rows.find(InvitationRow, seat=seat.id, used=""))
        )
        told = next((row.told for row in rows if row.number == own), device.row.told)
        shown = (
            messages.Device(row.number, row.what, row.since, row.seen, row.number == own, row.number > told)
            for row in rows
            if not is_watcher or row.number == own
        )
        return messages.Devices(tuple(shown), bool(links) and not is_watcher)

    async def mark_devices_seen(self, device: DeviceSession, number: int) -> None:
        seat, own = device.seat.id, device.row.number

        def mark(rows: Rows) -> None:
            for row in rows.find(DeviceRow, seat=seat, number=own):
                rows.change(DeviceRow, {"told": max(row.told, number)}, seat=seat, number=own)

        await self._storage.write(mark)

    async def sign_out(self, device: DeviceSession, number: int) -> None:
        """Sign a device out. Raise Fault if it is unknown, or if no way back to the seat would remain."""
        seat, at, is_own = device.seat, self._clock(), number == device.row.number

        def end(rows: Rows) -> None:
            there = _expect_there(rows, device)
            if number not in there or (seat.side == WATCHER and not is_own):
                raise unknown("device")
            if seat.side != WATCHER and not is_own:
                _void_invitations(rows, seat.id, at)
            elif seat.side != WATCHER and len(there) == 1 and not rows.find(InvitationRow, seat=seat.id, used=""):
                detail = "This is your last device, and you have no link back. Create one first."
                raise fault(STALE, "No way back", detail)
            _end_devices(rows, seat.id, [number], at)

        await self._storage.write(end)
        await self._end(seat, [number])

    async def sign_out_others(self, device: DeviceSession) -> None:
        """Sign out all other devices of a seat and void its open invitations."""
        seat, at = device.seat, self._clock()
        if seat.side == WATCHER:
            raise fault(FOREIGN, "You only watch", "Only players can do that.")

        def end(rows: Rows) -> set[int]:
            others = _expect_there(rows, device) - {device.row.number}
            _end_devices(rows, seat.id, others, at)
            _void_invitations(rows, seat.id, at)
            return others

        await self._end(seat, await self._storage.write(end))

    async def _end(self, seat: SeatRow, numbers: Collection[int]) -> None:
        """End the sessions of devices that were signed out, and notify the others."""
        self._endings += 1
        for lock, device in list(self._open[seat.id].items()):
            if device.row.number in numbers:
                del self._open[seat.id][lock]
                device.end()
        await self._notify_devices(seat)

    async def _notify_devices(self, seat: SeatRow) -> None:
        if seat.side == WATCHER:
            return
        for device in list(self._open[seat.id].values()):
            if device.subscribers:
                data = message("devices", await self.devices(device))
                for subscriber in device.subscribers:
                    subscriber.send(data)

    # --- new links ---------------------------------------------------------------------------------------------------

    async def new_link(self, device: DeviceSession, wanted: messages.NewLink, lock: str) -> SeatRow:
        """Store an invitation by its secret hash; return its seat. Raise Fault if the device must not invite there.

        It may invite to its own seat, an open one, or the spectators' seat.
        """
        own, at = device.seat, self._clock()

        def make(rows: Rows) -> tuple[SeatRow, Collection[int]]:
            _expect_there(rows, device)
            side = own.side if wanted.side < 0 else as_seat(wanted.side)
            seat = first(rows, SeatRow, game=own.game, side=side)
            if seat is None or seat.who not in ("person", "watcher"):
                raise unknown()
            if own.side == WATCHER:
                has_people = first(rows, SeatRow, game=own.game, who="person") is not None
                if side != WATCHER or has_people or first(rows, GameRow, id=own.game, maker=device.row.lock) is None:
                    raise fault(FOREIGN, "You only watch", "Only players can do that.")
            elif side not in (own.side, WATCHER) and seat.is_taken:
                raise fault(FOREIGN, "The seat is taken", "Only its player can create a link to that seat.")
            there = {row.number for row in _devices_of(rows, seat.id)} if wanted.ends else set()
            ended = there - ({device.row.number} if seat.id == own.id else set())
            if seat.side != WATCHER or wanted.ends:
                _void_invitations(rows, seat.id, at)
            _end_devices(rows, seat.id, ended, at)
            rows.add(InvitationRow(lock, seat.id, at))
            return seat, ended

        seat, ended = await self._storage.write(make)
        await self._end(seat, ended)
        return seat


def _devices_of(rows: Rows, seat: str) -> list[DeviceRow]:
    return rows.find(DeviceRow, seat=seat, ended="")


def _void_invitations(rows: Rows, seat: str, at: str) -> None:
    rows.change(InvitationRow, {"used": at}, seat=seat, used="")


def _end_devices(rows: Rows, seat: str, numbers: Collection[int], at: str) -> None:
    rows.change(DeviceRow, {"ended": at}, seat=seat, number=set(numbers))


def _set_name(rows: Rows, seat: SeatRow, number: int, player: str, colour: str) -> None:
    """Name the player of a seat, or the spectator at the device with this number. Raise Fault if the name is taken."""
    named, is_watcher = {"player": player, "colour": colour}, seat.side == WATCHER
    others = rows.find(SeatRow, game=seat.game, side=SIDES if is_watcher else (OTHER[seat.side],))
    players.expect_distinct_name(player, [row.player for row in others])
    if is_watcher:
        rows.change(DeviceRow, named, seat=seat.id, number=number)
    else:
        rows.change(SeatRow, named, id=seat.id)


def _expect_there(rows: Rows, device: DeviceSession) -> set[int]:
    """Return the device numbers of a session's seat. Raise Fault if the session's own is gone."""
    there = {row.number for row in _devices_of(rows, device.seat.id)}
    if device.row.number not in there:
        raise unknown()
    return there
