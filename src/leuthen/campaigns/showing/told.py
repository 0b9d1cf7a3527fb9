"""Events as the chronicle shows them."""

from __future__ import annotations

from collections.abc import Iterator

from leuthen.campaigns.names import Names
from leuthen.core.board import hex_name
from leuthen.core.event import Event
from leuthen.core.ruleset import Pending
from leuthen.core.showing import Told


def make_told(names: Names, event: Event) -> Told:
    """An event as its viewer got it."""
    die = getattr(event, "die", getattr(event, "dice", 0))
    modifiers = getattr(event, "modifiers", ())
    path = getattr(event, "path", ())
    return Told(
        event=str(event.__struct_config__.tag),
        text=event.tell(names),
        rule=event.rule,
        side=event.side,
        is_small=event.IS_SMALL,
        places=tuple(_places(event)),
        path=tuple(map(hex_name, path)),
        dice=(die,) if die else (),
        steps=tuple(f"{value:+d} {name}" for name, value in modifiers),
    )


def _places(event: Event) -> Iterator[str]:
    seen = {getattr(event, name, -1) for name in ("came", "hex")}
    yield from (hex_name(here) for here in sorted(seen) if here >= 0)


def make_asked(pending: Pending, viewer: int) -> Pending:
    """A decision as a viewer may know it: everything is open (R1.6)."""
    return pending
