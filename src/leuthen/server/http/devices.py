"""The routes of a seat's devices: which there are, signing them out, and links to the seat."""

from __future__ import annotations

from typing import Final

from litestar import delete, post
from litestar.params import FromPath

from leuthen.server.http.browser import Routes, device_session_of, get, leave, read, registry_of
from leuthen.server.security.request_guard import Asked
from leuthen.server.session import messages
from leuthen.server.session.create import link_of
from leuthen.server.session.registry import hash_of, new_secret


@get("/api/seats/{seat:str}/devices")
async def devices(request: Asked, seat: FromPath[str]) -> messages.Devices:
    """The devices that sit on the seat."""
    device = await device_session_of(request, seat)
    return await registry_of(request).devices.devices(device)


@post("/api/seats/{seat:str}/devices/known", status_code=204)
async def mark_devices_known(request: Asked, seat: FromPath[str]) -> None:
    """Says that this device's owner has been shown the others up to a number."""
    device = await device_session_of(request, seat)
    await registry_of(request).devices.note_told(device, (await read(request, messages.Acquainted)).number)


@delete("/api/seats/{seat:str}/devices/{number:int}", status_code=204)
async def sign_out_device(request: Asked, seat: FromPath[str], number: FromPath[int]) -> None:
    """Signs a device out of the seat: this one too, if something is left to come back by.

    Its streams end at once, and nothing that it has asked for is answered any more. If it is another device, a link to
    the seat that nobody has used yet is void as well: that device may know it.
    """
    device = await device_session_of(request, seat)
    await registry_of(request).devices.sign_out(device, number)
    if number == device.number:
        leave(request)


@delete("/api/seats/{seat:str}/devices", status_code=204)
async def sign_out_other_devices(request: Asked, seat: FromPath[str]) -> None:
    """Signs all other devices out of the seat. A link that nobody has used yet is void as well."""
    device = await device_session_of(request, seat)
    await registry_of(request).devices.sign_out_others(device)


@post("/api/seats/{seat:str}/link", status_code=200)
async def new_link(request: Asked, seat: FromPath[str]) -> messages.Link:
    """Makes a link: to one's own seat, to one that nobody has taken yet, or for those who watch.

    It is for one device, except that any number may watch by one link. It takes the place of the one before.
    """
    device = await device_session_of(request, seat)
    wanted, secret = await read(request, messages.NewLink), new_secret()
    await registry_of(request).devices.new_link(device, wanted, hash_of(secret))
    return messages.Link(link_of(secret))


ROUTES: Final[Routes] = [devices, mark_devices_known, sign_out_device, sign_out_other_devices, new_link]
