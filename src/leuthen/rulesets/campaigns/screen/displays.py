"""What lies beside the map: the cup with its chits, the battle that goes on, the sieges with their tracks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.ruleset import OTHER, SIDES, Side, is_side
from leuthen.rulesets.campaigns.model.forces import is_besieged, is_occupied
from leuthen.rulesets.campaigns.model.pieces import ON_MAP, Siege
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.rulesets.campaigns.rules import r11_siege
from leuthen.rulesets.campaigns.rules.r04_command.command import Command, Orders
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Battle
from leuthen.rulesets.campaigns.rules.r12_battle.fight import Combatant, all_tp, committed_tp
from leuthen.rulesets.campaigns.screen.report import Report, asked_hex, ratings
from leuthen.rulesets.campaigns.screen.scores import chits_left
from leuthen.screen.figures import plus
from leuthen.screen.values import Contender, Meter, MusterEntry, Token, Tray, Versus, begun
from leuthen.wargame.board import NOWHERE, Hex, hex_name
from leuthen.wargame.names import counted
from leuthen.wargame.strength import LeaderId


def make_place(report: Report) -> str:
    """The hex that the innermost decision is about: of a battle, a mover, a retreat; "" if it is about none."""
    here = asked_hex(report.pos)
    return "" if here == NOWHERE else hex_name(here)


_WHEN: Final = {"past": "drawn", "now": "out now", "next": "in the cup"}


def make_trays(report: Report) -> tuple[Tray, ...]:
    """The cup: the chits of this turn, by side from the lowest command up; none outside of step F (R4.1)."""
    if not any(isinstance(frame, Command) for frame in report.pos.frames):
        return ()
    out = next(((frame.side, frame.command) for frame in report.pos.frames if isinstance(frame, Orders)), None)
    left = chits_left(report)
    all_chits = {(report.pos.side(n), report.pos.leader(n).command) for n in _on_map(report)}
    all_chits |= {(side, chit) for side in SIDES for chit in left[side]} | ({out} if out else set())
    tokens = []
    for side, chit in sorted(all_chits):
        when = "now" if (side, chit) == out else "next" if chit in left[side] else "past"
        text = f"{begun(report.side(side))}, chit {chit}: {_WHEN[when]}"
        tokens.append(Token(side, str(chit), when, text))
    count = sum(token.when == "next" for token in tokens)
    return (Tray("The cup", f"{count} in the cup", tuple(tokens)),)


def _on_map(report: Report) -> Iterator[LeaderId]:
    """The leaders and wagons on the map, those too of whom it is not seen where they are."""
    named = report.data.named
    yield from (number for number in report.data.leader_ids[:named] if report.pos.roster[number] == ON_MAP)
    yield from (number for number in report.pos.units if number >= named)


def _battle(report: Report) -> Battle | None:
    return next((frame for frame in reversed(report.pos.frames) if isinstance(frame, Battle)), None)


def make_versus(report: Report, part: str) -> Versus | None:
    """The battle that goes on (R12); `part` of the round is what is done now."""
    battle = _battle(report)
    if battle is None or battle.hosts is None:
        return None
    last = " (the last)" if battle.retreating >= 0 else ""
    return Versus(
        hex_name(battle.hex),
        f"Battle at {report.place(battle.hex)}",
        battle.RULE,
        battle.round,
        f"{part}{last}",
        "TP",
        (_side(report, battle, 0, battle.hosts[0]), _side(report, battle, 1, battle.hosts[1])),
    )


def _side(report: Report, battle: Battle, side: Side, host: Combatant) -> Contender:
    chief = report.data.leaders[host.commander]
    engaged = committed_tp(report.pos, battle, side)
    return Contender(
        "attacks" if side == battle.attacker else "defends",
        report.name(host.commander),
        ratings(chief),
        host.began,
        all_tp(report.pos, battle, side),
        engaged,
        f"{host.share} % engaged: {engaged} TP" if host.share else "Nothing is engaged yet",
        host.lost,
        tuple(_states(report, battle, side, host)),
        tuple(_troops(report, host)),
    )


def _states(report: Report, battle: Battle, side: Side, host: Combatant) -> Iterator[str]:
    if battle.retreating == side:
        yield "retreats"
    if host.broke:
        yield "its commander has broken"
    if host.concentrated:
        yield "concentrated"
    if host.intense:
        yield "high intensity"
    if side == battle.attacker and report.data.board.mountains >> battle.hex & 1:
        yield "attacks into mountains"
    if side == battle.attacker and battle.crossed:
        yield "came over a river or pass"


def _troops(report: Report, host: Combatant) -> Iterator[MusterEntry]:
    """The leaders, each with his TP, and whether he has broken (V6.4)."""
    for account in host.accounts:
        unit = report.pos.units.get(account.leader)
        tp = unit.strength if unit is not None else 0
        shaken = unit is not None and unit.shaken > 0
        text = "broken" if account.broken else "demoralized" if shaken else ""
        yield MusterEntry(report.name(account.leader), text, strength=f"{tp} TP")


def make_meters(report: Report) -> tuple[Meter, ...]:
    """The sieges and blockades on the map, by hex (R11)."""
    places = [here for here in report.data.strongholds if here in report.pos.sieges or report.besieged >> here & 1]
    return tuple([meter for here in places for meter in _meter(report, here)])


def _meter(report: Report, here: Hex) -> Iterator[Meter]:
    pos, owner = report.pos, report.pos.owners[here]
    siege = pos.sieges.get(here, Siege())
    if not is_side(owner) or not is_occupied(pos, here, owner):
        return
    if not is_besieged(pos, here, owner) and siege == Siege():
        return
    side = OTHER[owner]
    refusal = r11_siege.why_not_besiege(pos, here, side)
    title = report.data.strongholds[here].name
    if refusal is not None:
        lines = [f"{begun(refusal.reason.format(*refusal.numbers))} ({refusal.rule})"]
    else:
        lines = [*siege_numbers(pos, here, side, siege)]
    told = (_since(siege), *lines)
    text = f"{siege.breaches} of {r11_siege.MOST_BREACHES} breaches"
    yield Meter(hex_name(here), side, title, "R11.1", siege.breaches, text, r11_siege.MOST_BREACHES, told)


def _since(siege: Siege) -> str:
    turns = f"Siege turn {siege.turns} done" if siege.turns else "No siege roll yet"
    shut = f"; besieged in {counted(siege.shut, 'step')} G in a row" if siege.shut else ""
    return f"{turns}{shut}{', −1 from the fourth on (R11.5)' if 0 < siege.shut < r11_siege.LONG else ''}"


def siege_numbers(pos: Position, here: Hex, side: Side, siege: Siege) -> Iterator[str]:
    """What the next rolls of a siege have to be, with their modifiers (R11.3-R11.5)."""
    number = r11_siege.breach_number(pos, here, siege.turns + 1)
    yield f"Breach at {number} or less: {_sum(pos, here, side, surrender=False)} (R11.3)"
    if siege.breaches:
        falls = r11_siege.surrender_number(pos, here, siege.breaches)
        yield f"Surrender at {falls} or less: {_sum(pos, here, side, surrender=True)} (R11.4)"


def _sum(pos: Position, here: Hex, side: Side, *, surrender: bool) -> str:
    found = r11_siege.modifiers(pos, here, side, surrender=surrender)
    return ", ".join(["die", *(f"{plus(value)} {name}" for name, value in found)])
