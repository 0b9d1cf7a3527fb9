"""Devices on seats: invitations are accepted, devices return, are listed, and are signed out.

An invitation works once. Afterwards the device holds a key of its own, so that forwarding the invitation gives no
access. Only invitations for spectators can be used by any number of people.
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
from leuthen.server.session.messages import DisplayName, Problem
from leuthen.server.session.problems import FOREIGN, GONE, SIGNED_OUT, STALE, Fault, fault, unknown
from leuthen.server.session.streams import Subscriber, message
from leuthen.storage import games as game_rows
from leuthen.storage.faults import StorageError
from leuthen.storage.rows import DeviceRow, GameRow, InvitationRow, Rows, SeatRow, Storage, first

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
    def number(self) -> int:
        return self.row.number

    @property
    def watcher(self) -> DisplayName | None:
        """The name of a spectator, if one was set."""
        return DisplayName(self.row.player, self.row.colour) if self.row.player else None

    def call(self, player: str, colour: str) -> None:
        self.row = msgspec.structs.replace(self.row, player=player, colour=colour)
        for subscriber in self.subscribers:
            subscriber.watcher = self.watcher

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
            subscriber.end_with(_OVER)


_TEN_MINUTES: Final = 15
"""Number of characters of an ISO 8601 time that stay the same for ten minutes."""


class AcceptedInvitation(NamedTuple):
    """The seat after an invitation was used, and whether the device is new to it."""

    seat: SeatRow
    is_new: bool


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
        """Update the time when a device was last seen. Failing to store it does no harm."""
        at, seat = self._clock(), device.seat
        if at[:_TEN_MINUTES] == device.row.seen[:_TEN_MINUTES]:
            return
        device.row = msgspec.structs.replace(device.row, seen=at)
        with suppress(StorageError):
            await self._storage.write(
                lambda rows: rows.change(DeviceRow, {"seen": at}, seat=seat.id, number=device.number)
            )

    async def take(
        self, visitor: DeviceCaller, lock: str, way_back: str, sitter: messages.DisplayName
    ) -> AcceptedInvitation:
        """Give a visitor the seat of an invitation; a device that has the seat already keeps it.

        `way_back` is the secret hash of a new invitation for the same player. Raise Fault for an unknown or used
        invitation, or for a name that cannot be used at this table.
        """
        player = players.named(sitter.name)
        if await self._storage.read(lambda rows: game_rows.find_invited(rows, lock)) is None:
            raise unknown()
        at = self._clock()

        def take(rows: Rows) -> AcceptedInvitation:
            seat = game_rows.find_invited(rows, lock)
            assert seat is not None
            if game_rows.find_device(rows, seat.id, visitor.lock) is not None:
                return AcceptedInvitation(seat, False)
            if first(rows, InvitationRow, lock=lock, used="") is None:
                raise _invitation_used(seat)
            number = game_rows.add_device(rows, seat.id, visitor.lock, visitor.what, at)
            if seat.side == WATCHER:
                _call_watcher(rows, seat, number, player, sitter.colour)
            else:
                game_rows.void_invitations(rows, seat.id, at)
                game_rows.add_invitation(rows, seat.id, way_back, at)
                if not seat.player:
                    _set_name(rows, seat, player, sitter.colour)
            return AcceptedInvitation(game_rows.find_seat(rows, seat.id) or seat, True)

        taken = await self._storage.write(take)
        if taken.is_new:
            await self._notify_devices(taken.seat)
        return taken

    async def rename(self, device: DeviceSession, sitter: messages.Rename) -> SeatRow:
        """Change the name of a player or spectator; return the updated seat.

        Raise Fault for a name that cannot be used, and if another device has changed it in the meantime.
        """
        seat, player = device.seat, players.named(sitter.name)

        def rename(rows: Rows) -> SeatRow:
            _expect_there(rows, device)
            if seat.side == WATCHER:
                _call_watcher(rows, seat, device.number, player, sitter.colour)
            else:
                _expect_called(game_rows.find_seat(rows, seat.id) or seat, sitter, player)
                _set_name(rows, seat, player, sitter.colour)
            return game_rows.find_seat(rows, seat.id) or seat

        renamed = await self._storage.write(rename)
        if seat.side == WATCHER:
            device.call(player, sitter.colour)
        return renamed

    # --- the devices of a seat ---------------------------------------------------------------------------------------

    async def devices(self, device: DeviceSession) -> messages.Devices:
        """Return the devices on a seat; a spectator sees only the own device."""
        seat = device.seat
        rows, has_link = await self._storage.read(
            lambda rows: (
                game_rows.devices_of(rows, seat.id),
                seat.side != WATCHER and game_rows.has_invitation(rows, seat.id),
            )
        )
        return _shown(device, rows, has_link)

    async def mark_devices_seen(self, device: DeviceSession, number: int) -> None:
        """Store that the owner has seen the devices up to a number."""
        await self._storage.write(lambda rows: game_rows.mark_devices_seen(rows, device.seat.id, device.number, number))

    async def sign_out(self, device: DeviceSession, number: int) -> None:
        """Sign a device out. Raise Fault if it is unknown, or if no way back to the seat would remain."""
        seat, at = device.seat, self._clock()

        def end(rows: Rows) -> None:
            there = _expect_there(rows, device)
            if number not in there or (seat.side == WATCHER and number != device.number):
                raise unknown("device")
            if seat.side != WATCHER and number != device.number:
                game_rows.void_invitations(rows, seat.id, at)
            elif seat.side != WATCHER and len(there) == 1 and not game_rows.has_invitation(rows, seat.id):
                detail = "This is your last device, and you have no link back. Create one first."
                raise fault(STALE, "No way back", detail)
            game_rows.end_devices(rows, seat.id, [number], at)

        await self._storage.write(end)
        await self._end(seat, [number])

    async def sign_out_others(self, device: DeviceSession) -> None:
        """Sign out all other devices of a seat and void its open invitations."""
        seat, at = device.seat, self._clock()
        if seat.side == WATCHER:
            raise _players_only()

        def end(rows: Rows) -> set[int]:
            others = _expect_there(rows, device) - {device.number}
            game_rows.end_devices(rows, seat.id, others, at)
            game_rows.void_invitations(rows, seat.id, at)
            return others

        await self._end(seat, await self._storage.write(end))

    async def _end(self, seat: SeatRow, numbers: Collection[int]) -> None:
        """End the sessions of devices that were signed out, and notify the others."""
        self._endings += 1
        for lock, device in list(self._open[seat.id].items()):
            if device.number in numbers:
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
        """Store an invitation by its secret hash; return its seat. Raise Fault if the device must not invite there."""
        own, at = device.seat, self._clock()

        def make(rows: Rows) -> tuple[SeatRow, Collection[int]]:
            _expect_there(rows, device)
            seat = _invitable_seat(rows, device, own.side if wanted.side < 0 else as_seat(wanted.side))
            there = {device.number for device in game_rows.devices_of(rows, seat.id)} if wanted.ends else set()
            ended = there - ({device.number} if seat.id == own.id else set())
            if seat.side != WATCHER or wanted.ends:
                game_rows.void_invitations(rows, seat.id, at)
            game_rows.end_devices(rows, seat.id, ended, at)
            game_rows.add_invitation(rows, seat.id, lock, at)
            return seat, ended

        seat, ended = await self._storage.write(make)
        await self._end(seat, ended)
        return seat


def _find(rows: Rows, seat: str, lock: str) -> tuple[SeatRow, DeviceRow] | None:
    row, device = game_rows.find_seat(rows, seat), game_rows.find_device(rows, seat, lock)
    return (row, device) if row is not None and device is not None else None


def _expect_called(seat: SeatRow, sitter: messages.Rename, player: str) -> None:
    was = sitter.was
    there = seat.player, seat.colour
    if was is not UNSET and there not in ((was.name, was.colour), (player, sitter.colour)):
        raise fault(STALE, "The name has changed", "Your name was changed in another tab or on another device.")


def _set_name(rows: Rows, seat: SeatRow, player: str, colour: str) -> None:
    other = game_rows.find_side(rows, seat.game, OTHER[seat.side])
    players.expect_distinct_name(player, [other.player] if other else [])
    rows.change(SeatRow, {"player": player, "colour": colour}, id=seat.id)


def _call_watcher(rows: Rows, seat: SeatRow, number: int, player: str, colour: str) -> None:
    sides = (game_rows.find_side(rows, seat.game, side) for side in (0, 1))
    players.expect_distinct_name(player, [row.player for row in sides if row])
    rows.change(DeviceRow, {"player": player, "colour": colour}, seat=seat.id, number=number)


def _expect_there(rows: Rows, device: DeviceSession) -> set[int]:
    """Return the device numbers of a session's seat. Raise Fault if the session's own is gone."""
    there = {device.number for device in game_rows.devices_of(rows, device.seat.id)}
    if device.number not in there:
        raise unknown()
    return there


def _invitable_seat(rows: Rows, device: DeviceSession, side: SeatSide) -> SeatRow:
    """Return the seat on a side if the device may invite there: its own, an open one, or the spectators' seat."""
    own = device.seat
    seat = game_rows.find_side(rows, own.game, side)
    if seat is None or seat.who not in ("person", "watcher"):
        raise unknown()
    if own.side == WATCHER:
        has_people = first(rows, SeatRow, game=own.game, who="person") is not None
        if side != WATCHER or has_people or first(rows, GameRow, id=own.game, maker=device.row.lock) is None:
            raise _players_only()
    elif side not in (own.side, WATCHER) and seat.is_taken:
        raise fault(FOREIGN, "The seat is taken", "Only its player can create a link to that seat.")
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


def _invitation_used(seat: SeatRow) -> Fault:
    if seat.side == WATCHER:
        return fault(GONE, "No longer valid", "This link was replaced. Ask a player for the new one.")
    detail = (
        "This link was already used or replaced. If the seat is yours, use your earlier browser"
        " or your link back. Otherwise ask for a new invitation."
    )
    return fault(GONE, "The seat is taken", detail)


def _players_only() -> Fault:
    return fault(FOREIGN, "You only watch", "Only players can do that.")
