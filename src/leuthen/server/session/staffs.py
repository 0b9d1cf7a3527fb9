"""The staffs of a game's seats: who has one, what each is at, and when it must stop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final

from leuthen.bots import bots_for
from leuthen.engine.ruleset import SIDES, SeatSide, Side, is_side
from leuthen.play.record import STANDING, TAKE_BACK
from leuthen.play.transaction import RecordLine
from leuthen.server.session.broadcaster import Broadcaster
from leuthen.server.session.problems import FOREIGN, STALE, UNKNOWN, fault
from leuthen.server.session.proposals import stranded
from leuthen.server.session.staff_state import OFFICER, UNSIGNED, StaffState, decode, keeping
from leuthen.storage import thoughts as kept
from leuthen.storage.games import seats_asked
from leuthen.storage.rows import Storage

PERSON: Final = "person"


class Staffs:
    """The staffs of a game. Whoever gives an order by hand stops his own."""

    def __init__(self, storage: Storage, broadcaster: Broadcaster) -> None:
        self._storage = storage
        self._broadcaster = broadcaster
        self._seat_view = broadcaster.seat_view
        self.take({})

    def take(self, found: Mapping[Side, bytes]) -> None:
        """Goes on with what was kept of the sides that people lead."""
        is_known = OFFICER in bots_for(self._seat_view.game.ruleset)
        led = [side for side in SIDES if self._broadcaster.seats[side].who == PERSON and is_known]
        self._seat_view.staffs = {side: decode(found.get(side, b"")) for side in led}

    def of(self, side: SeatSide) -> StaffState:
        """What the staff of a seat has. Raises Fault where there is none, or nothing for it to do."""
        view = self._seat_view
        if not is_side(side):
            raise fault(FOREIGN, "You only watch", "This seat watches: it has no staff.")
        if not view.game.helps:
            raise fault(FOREIGN, "No staff", "This table was made without the machine's help.")
        if side not in view.staffs:
            raise fault(UNKNOWN, "No staff", "There is no staff in this game.")
        if view.history.stranded:
            raise stranded(view.history)
        if view.history.outcome is not None:
            raise fault(STALE, "The game has ended", "The game has ended: nothing is left for a staff to do.")
        return view.staffs[side]

    @property
    def next(self) -> Side | None:
        """The side whose staff is to answer now."""
        at_work = (side for side, state in self._seat_view.staffs.items() if state.is_at_work)
        return next((side for side in at_work if self._seat_view.is_asked(side)), None)

    async def heed(self, side: Side, lines: Iterable[RecordLine]) -> None:
        """A side has done something by hand: its staff stops; after a takeback, both know what they knew then."""
        words = [text.split()[0] for _, text in lines]
        states = self._seat_view.staffs
        if TAKE_BACK in words:
            for one in states:
                found = await self._storage.read(partial(kept.last_thought, seat=self._broadcaster.seats[one].id))
                await self.keep(one, decode(found).stopped())
        elif words and STANDING not in words and side in states and states[side].turn != UNSIGNED:
            await self.keep(side, states[side].stopped())

    async def keep(self, side: Side, state: StaffState) -> None:
        """Writes a state down, and tells its player of it."""
        number = len(self._seat_view.history.table.log) - 1
        await self._storage.write(keeping(self._broadcaster.seats[side].id, number, state))
        self.put(side, state)

    def put(self, side: Side, state: StaffState) -> None:
        """Another state is on disk."""
        before, self._seat_view.staffs[side] = self._seat_view.staffs[side], state
        if before.card != state.card:
            self._broadcaster.publish({side: ()})


async def with_staff_at_work(storage: Storage) -> set[str]:
    """The games that go on and wait for a side whose staff carries out its plan; looked for seat by seat, so that
    others are answered meanwhile."""
    people = await storage.read(lambda rows: seats_asked(rows, (PERSON,)))
    found = [(seat.game, await storage.read(partial(kept.last_thought, seat=seat.id))) for seat in people]
    return {game for game, thought in found if decode(thought).is_at_work}
