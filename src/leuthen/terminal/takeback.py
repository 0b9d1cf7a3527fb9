"""What the sides agree on at a terminal: a takeback, as far as the game's takebacks allow, and newer rulings."""

from __future__ import annotations

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, OTHER, RULINGS, Side
from leuthen.engine.seat import Adopt, TakeBack
from leuthen.play.record import FREE, NEVER
from leuthen.play.table import expect_newer
from leuthen.terminal.hotseat import Hotseat
from leuthen.wargame.names import counted

YES = ("y", "yes")


def take_back(hotseat: Hotseat, side: Side, orders: int) -> tuple[TakeBack | None, list[str]]:
    """Goes back to before the side's last orders; None if the other side does not agree. And what to say.

    Raises Invalid if there are not so many, or if it may not be.
    """
    table = hotseat.table
    kept = _kept_before(hotseat, side, orders)
    if table.takebacks == FREE:
        return TakeBack(side, kept), _told(hotseat, kept)
    spent = table.spent(side, kept)
    if spent and (table.takebacks == NEVER or OTHER[side] not in hotseat.people):
        raise Invalid(f"that cannot be taken back: {spent}")
    if OTHER[side] in hotseat.people and not _agrees(hotseat, side, kept):
        return None, [f"{hotseat.title(OTHER[side])} does not agree."]
    return TakeBack(OTHER[side], kept), _told(hotseat, kept)


def _kept_before(hotseat: Hotseat, side: Side, orders: int) -> int:
    own = [number for number, one in enumerate(hotseat.table.log) if one.actor == side]
    if orders > len(own):
        raise Invalid(f"you have given only {counted(len(own), 'order')}" if own else "you have given no order yet")
    return own[-orders]


def adopt_newest(hotseat: Hotseat, side: Side) -> Adopt | None:
    """Plays on by the newest rulings; None if the other person does not agree. Raises Invalid if they are played by."""
    ruleset, other = hotseat.table.ruleset, OTHER[side]
    number = int(ruleset.options.get(RULINGS, ("0",))[0])
    expect_newer(ruleset, hotseat.table.state, number)
    asked = f"{hotseat.title(side)} proposes to play on by the rulings up to number {number}"
    if other in hotseat.people and not _says_yes(hotseat, asked):
        hotseat.page.say(f"{hotseat.title(other)} does not agree.")
        return None
    return Adopt(other, number)


def _agrees(hotseat: Hotseat, side: Side, kept: int) -> bool:
    """Asks the other person, who sits at the same keyboard."""
    gone = len(hotseat.table.log) - kept
    actions = counted(gone, "action")
    asked = f"{hotseat.title(side)} asks {hotseat.title(OTHER[side])} to take back the last {actions}, dice among them"
    if all(one.actor != CHANCE for one in hotseat.table.log[kept:]):
        asked = asked.removesuffix(", dice among them")
    return _says_yes(hotseat, asked)


def _says_yes(hotseat: Hotseat, asked: str) -> bool:
    """The other person sits at the same keyboard."""
    return hotseat.keyboard.wait(f"{asked}: yes or no? ").strip().lower() in YES


def _told(hotseat: Hotseat, kept: int) -> list[str]:
    gone = hotseat.table.log[kept:]
    said = [f"Taken back: the last {len(gone)} actions." if len(gone) > 1 else "Taken back: the last action."]
    if any(counted.actor == CHANCE for counted in gone):
        said.append("The dice fall again as they did, in the same order.")
    return said
