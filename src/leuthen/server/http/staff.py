"""The routes of a seat's staff: its plan, the missions of the armies, and the signature that lets it carry on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from litestar import delete, post
from litestar.params import FromPath

from leuthen.screen import Form
from leuthen.server.bots import staffing
from leuthen.server.bots.looking import expect_done
from leuthen.server.http.browser import Routes, get, read, registry_of, seat_of
from leuthen.server.security.request_guard import Asked
from leuthen.server.session import messages
from leuthen.server.session.messages import StaffCard, StaffPlan
from leuthen.server.session.seat import Seat
from leuthen.server.session.staff import StaffState

T = TypeVar("T")


@get("/api/seats/{seat:str}/staff")
async def staff_plan(request: Asked, seat: FromPath[str]) -> StaffPlan:
    """The staff's plan for the seat's turn."""
    asker = await seat_of(request, seat)
    return (await _worked(request, asker, asker.session.staff_of(asker.side))).plan


@post("/api/seats/{seat:str}/staff/missions", status_code=200)
async def give_mission(request: Asked, seat: FromPath[str]) -> StaffPlan:
    """Gives an army a mission, or takes it away; the plan is the one after it."""
    asker, given = await seat_of(request, seat), await read(request, messages.GiveMission)
    before = asker.session.staff_of(asker.side)
    worked = await _worked(request, asker, before, given.mission)
    await asker.session.change_staff(asker.device, before, before.stopped(worked.thought))
    return worked.plan


@post("/api/seats/{seat:str}/staff/form", status_code=200)
async def mission_form(request: Asked, seat: FromPath[str]) -> Form:
    """A mission in the making; its `order` is what gives it."""
    asker, asked = await seat_of(request, seat), await read(request, messages.Ask)
    return await _looked(request, asker, asker.session.staff_of(asker.side), staffing.form, asked.partial_order)


@post("/api/seats/{seat:str}/staff/sign", status_code=200)
async def sign_plan(request: Asked, seat: FromPath[str]) -> StaffCard:
    """Lets the staff carry out its plan, until something happens that it did not foresee."""
    asker = await seat_of(request, seat)
    await asker.session.sign_plan(asker.device, await read(request, messages.SignPlan))
    return asker.session.staff_of(asker.side).card


@delete("/api/seats/{seat:str}/staff/sign", status_code=200)
async def stop_staff(request: Asked, seat: FromPath[str]) -> StaffCard:
    """Stops the staff; its missions stand."""
    asker = await seat_of(request, seat)
    before = asker.session.staff_of(asker.side)
    await asker.session.change_staff(asker.device, before, before.stopped())
    return asker.session.staff_of(asker.side).card


async def _worked(request: Asked, asker: Seat, state: StaffState, words: str = "") -> staffing.Worked:
    """What the staff makes of what its seat sees. Raises Fault."""
    return expect_done(await _looked(request, asker, state, staffing.plan, words))


async def _looked(request: Asked, asker: Seat, state: StaffState, work: Callable[..., T], asked: object) -> T:
    """What a staff works out from what its seat sees, in a process that has nothing else."""
    sight, looking = asker.sight(), registry_of(request).looking
    case = staffing.StaffBrief(sight.ruleset, sight.data, asker.device.player("staff"), sight.view, state.thought)
    with looking.place(asker.id):
        return await looking.do(asker.id, work, case, asked)


ROUTES: Final[Routes] = [staff_plan, give_mission, mission_form, sign_plan, stop_staff]
