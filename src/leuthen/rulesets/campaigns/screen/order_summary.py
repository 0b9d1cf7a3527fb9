"""What an order brings with it, in sentences: who goes with how many TP, MP hex by hex, SP, who may react."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from leuthen.engine.choice import Action
from leuthen.engine.kind import ByKind
from leuthen.engine.ruleset import OTHER
from leuthen.rulesets.campaigns.model import actions as do
from leuthen.rulesets.campaigns.model.forces import commander, field_tp, is_friendly, strength
from leuthen.rulesets.campaigns.model.pieces import Siege, Unit
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r07_reaction import (
    Reacting,
    ReactionWindow,
    modifiers,
    succeeds,
    ways_to,
    why_not_react,
)
from leuthen.rulesets.campaigns.rules.r09_steps import Feeding, payers
from leuthen.rulesets.campaigns.rules.r09_supply import is_near, load_limit, need, owed_by, stock
from leuthen.rulesets.campaigns.rules.r11_siege import MOST_BREACHES
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Declaring, price
from leuthen.rulesets.campaigns.rules.r12_battle.fight import current
from leuthen.rulesets.campaigns.rules.r12_battle.retreat import Retreating
from leuthen.rulesets.campaigns.screen.displays import siege_numbers
from leuthen.rulesets.campaigns.screen.questions import Questions
from leuthen.rulesets.campaigns.screen.report import ratings
from leuthen.screen.figures import plus
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.strength import LeaderId

MOST: Final = 6
"""So many enemies are named who may react."""


def summary_of(asked: Questions, action: Action | None) -> tuple[str, ...]:
    """What an order brings; of one that is not complete yet, nothing."""
    make = _SUMMARIES.get(type(action)) if action is not None else None
    return tuple(make(asked, action)) if make is not None else ()


def _group(asked: Questions, numbers: Sequence[LeaderId]) -> list[Unit]:
    return [asked.pos.units[number] for number in numbers]


def _who(asked: Questions, units: Sequence[Unit]) -> str:
    """«Keith 3-3-1-9 commands 24 TP, 2 SP carried»."""
    chief = commander(asked.pos, units)
    names = asked.names.units(unit.number for unit in units)
    if chief < 0:
        return f"{names}, without TP"
    who = f"{asked.names.unit(chief)} {ratings(asked.pos.leader(chief))}"
    return f"{who} commands {strength(units)} TP; {stock(units)} SP carried"


def _march(asked: Questions, action: do.March) -> Iterator[str]:
    units = _group(asked, (action.leader, *action.companions))
    yield _who(asked, units)
    yield from _payment(asked, units, forage=action.forage)
    yield from _way(asked, units)


def _go(asked: Questions, action: do.Go) -> Iterator[str]:
    frame = asked.frame
    if isinstance(frame, Marching):
        units = _group(asked, frame.members(asked.pos))
        yield from _payment(asked, units, forage=action.forage)
        yield from _way(asked, units)


def _payment(asked: Questions, units: Sequence[Unit], *, forage: bool) -> Iterator[str]:
    due = owed_by(asked.pos, units).most
    if due and forage:
        yield f"Far from depots: {due} SP are not paid; hungry this turn (V3.5)"
    elif due:
        yield f"Far from depots: {due} of {stock(units)} SP are paid as it first moves (V3.5)"


def _way(asked: Questions, units: Sequence[Unit]) -> Iterator[str]:
    """The MP hex by hex, how the end is supplied, whom it meets, and who may react there."""
    if not asked.steps:
        yield (
            "It stays in its hex, and may attack there (R4.4)"
            if field_tp(asked.pos, units[0].hex, OTHER[asked.actor])
            else "It stays in its hex (R4.4)"
        )
        return
    spent = list(accumulate(price for _, price in asked.steps))
    yield f"{spent[-1]} MP: {', '.join(f'{hex_name(here)} {price}' for here, price in asked.steps)} (R5.1)"
    end = asked.steps[-1][0]
    foe = asked.force(end, OTHER[asked.actor])
    if foe:
        yield f"At {asked.names.hex(end)} stands {foe}: the march stops, and may attack (R5.3, R6.1)"
    place = asked.data.strongholds.get(end)
    if place is not None and not is_friendly(asked.pos, end, asked.actor):
        yield f"{place.name} is not yours: undefended it may be taken for 1 MP (R5.6)"
    if strength(units):
        yield _fed(asked, end, units)
        yield from _reactors(asked, [here for here, _ in asked.steps])


def _fed(asked: Questions, end: Hex, units: Sequence[Unit]) -> str:
    if is_near(asked.pos, end, asked.actor, False):
        return f"{hex_name(end)} is in depot range (R9.6)"
    return f"{hex_name(end)} is out of depot range: {need(asked.pos, strength(units))} SP are needed there (V3)"


def _reactors(asked: Questions, way: Sequence[Hex]) -> Iterator[str]:
    """The enemy leaders who may react to a hex of the way, each with his best chance and where that is (R7)."""
    pos, foe = asked.pos, OTHER[asked.actor]
    able = [(number, unit.hex) for number, unit in pos.units.items() if not why_not_react(pos, unit, foe)]
    best: dict[LeaderId, tuple[int, Hex]] = {}
    for here in way:
        near = ways_to(pos, here, foe)
        for number in (number for number, stands in able if stands in near):
            added = sum(value for _, value in modifiers(pos, number, here, foe))
            hits = sum(succeeds(pos, number, die, added) for die in range(1, 7))
            if hits > best.get(number, (0, here))[0]:
                best[number] = hits, here
    if best:
        ranked = sorted(best.items(), key=lambda found: -found[1][0])
        named = [f"{asked.names.unit(n)} {hits}/6 at {hex_name(here)}" for n, (hits, here) in ranked]
        more = f", and {len(named) - MOST} more" if len(named) > MOST else ""
        yield f"May react: {', '.join(named[:MOST])}{more} (R7.3)"


def _react(asked: Questions, action: do.React) -> Iterator[str]:
    frame = asked.frame
    assert isinstance(frame, ReactionWindow)
    yield _who(asked, _group(asked, (action.leader, *action.companions)))
    yield from _payment(asked, _group(asked, (action.leader, *action.companions)), forage=False)
    marks = [f"{plus(value)} {name}" for name, value in modifiers(asked.pos, action.leader, frame.hex, frame.side)]
    initiative = asked.pos.leader(action.leader).initiative
    yield f"{', '.join(['One die', *marks])}: {initiative} or less, and no 6 (R7.3)"


def _move(asked: Questions, action: do.Move) -> Iterator[str]:
    frame = asked.frame
    assert isinstance(frame, Reacting)
    end = action.path[-1] if action.path else asked.pos.units[frame.group[0]].hex
    if end == frame.hex:
        yield f"It attacks at {asked.names.hex(end)} (R7.4)"
    elif action.inside:
        yield f"It goes inside {asked.names.hex(end)} (R7.4)"


def _declare(asked: Questions, action: do.Declare) -> Iterator[str]:
    if isinstance(asked.frame, Declaring):
        cost = price(asked.pos, asked.frame.side) * (action.concentrate + action.intense)
        yield f"It costs {cost} SP (R12.2)"


def _withdraw(asked: Questions, action: do.Withdraw) -> Iterator[str]:
    where = asked.names.hex(current(asked.pos).hex)
    if asked.pos.options.einhorn:
        yield f"One last round is fought at {where}, own roll −1, the enemy's +1; then the retreat (V6.3, V8.4)"
    else:
        yield f"The force retreats from {where} at once (R12.8)"


def _feed(asked: Questions, action: do.Feed) -> Iterator[str]:
    frame = asked.frame
    if isinstance(frame, Feeding):
        have = stock(payers(asked.pos, frame.side, (frame.hex, frame.inside)))
        yield f"{frame.due} of {have} SP are paid (R9.7)"


def _starve(asked: Questions, action: do.Starve) -> Iterator[str]:
    yield "The force is out of supply (R9.7, V3.5)"


def _force(asked: Questions, action: do.Force) -> Iterator[str]:
    command = asked.pos.leader(action.leader).command
    yield f"One die: {command} or less gives 4 MP, {command + 1} does too for 5 % of his TP, a 6 never does (R8)"


def _leave(asked: Questions, action: do.Leave | do.Take) -> Iterator[str]:
    unit = asked.pos.units[action.leader]
    after = unit.strength + (action.points if isinstance(action, do.Take) else -action.points)
    yield f"{asked.names.unit(action.leader)} then has {after} TP (R10.4)"


def _load(asked: Questions, action: do.Load) -> Iterator[str]:
    unit = asked.pos.units[action.leader]
    most = load_limit(asked.pos, unit)
    yield f"{asked.names.unit(action.leader)} then carries {unit.sp + action.points} of {most} SP (R9.5)"


def _besiege(asked: Questions, action: do.Besiege) -> Iterator[str]:
    siege = asked.pos.sieges.get(action.hex, Siege())
    yield f"Siege turn {siege.turns + 1}, {siege.breaches} of {MOST_BREACHES} breaches so far (R11.2, R11.3)"
    yield from siege_numbers(asked.pos, action.hex, asked.actor, siege)


def _retreat(asked: Questions, action: do.Retreat) -> Iterator[str]:
    wagons = " Wagons go along, each lost on 1 or 2 (R12.9)."
    frame = asked.frame
    assert isinstance(frame, Retreating)
    end = action.path[-1] if action.path else frame.hex
    yield f"The force ends {'inside' if action.inside else 'at'} {asked.names.hex(end)}.{wagons if action.path else ''}"


_SUMMARIES: Final[ByKind[Action, Questions, Iterator[str]]] = {
    do.March: _march,
    do.Go: _go,
    do.React: _react,
    do.Move: _move,
    do.Declare: _declare,
    do.Withdraw: _withdraw,
    do.Feed: _feed,
    do.Starve: _starve,
    do.Force: _force,
    do.Leave: _leave,
    do.Take: _leave,
    do.Load: _load,
    do.Besiege: _besiege,
    do.Retreat: _retreat,
}
