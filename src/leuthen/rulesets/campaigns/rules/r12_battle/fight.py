"""R12.1: a battle in progress: its two sides, who fights in them and with how much."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

import msgspec

from leuthen.engine.ruleset import Side
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.forces import commander, force_at, percent_of
from leuthen.rulesets.campaigns.model.state import Draft, Position, Unit
from leuthen.rulesets.campaigns.rules.r12_battle.splits import Account
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.strength import EMPTY, Bag, LeaderId


class Combatant(msgspec.Struct, frozen=True, gc=False):
    """One side of a battle: its commander, its leaders, and how it fares.

    `began`: its TP at the start; `lost`: all its losses, `fallen` by nation; `hit`: those of this round. `share`: per
    cent engaged. `broke`: the commander has broken.
    """

    commander: LeaderId
    accounts: tuple[Account, ...]
    began: int
    lost: int = 0
    fallen: Bag = EMPTY
    hit: int = 0
    share: int = 0
    concentrated: bool = False
    intense: bool = False
    broke: bool = False
    roll: int = -1
    """The percentage of its combat roll in this round."""


class Fight(Decision):
    """What is known of a battle (R12.1). `stage`: what comes next; `retreating`: the side that leaves, else -1."""

    hex: Hex
    attacker: Side
    how: str
    came: Hex = NOWHERE
    crossed: bool = False
    round: int = 1
    stage: str = "join"
    hosts: tuple[Combatant, Combatant] | None = None
    retreating: int = -1

    def fighters(self) -> Iterable[LeaderId]:
        return [account.leader for host in self.hosts or () for account in host.accounts]

    def kept(self, pos: Position) -> Self | None:
        """A battle ends, and nobody has won, when one side's leaders have all left the map (R17.5)."""
        if self.hosts is None:
            both = all(fighters(pos, self.hex, side) for side in (0, 1))
            return self if both else None
        hosts = (_host_left(pos, self.hosts[0]), _host_left(pos, self.hosts[1]))
        return None if None in hosts else self.with_values({"hosts": hosts})


def _host_left(pos: Position, host: Combatant) -> Combatant | None:
    """A side without those who have left the map: another may command now (R2.2)."""
    accounts = tuple(account for account in host.accounts if account.leader in pos.units)
    if len(accounts) == len(host.accounts):
        return host
    chief = host.commander
    if chief not in pos.units:
        chief = commander(pos, [pos.units[account.leader] for account in accounts])
    if chief < 0:
        return None
    broke = host.broke and chief == host.commander
    return msgspec.structs.replace(host, accounts=accounts, commander=chief, broke=broke)


def current(pos: Position) -> Fight:
    """The battle in progress."""
    return next(frame for frame in reversed(pos.frames) if isinstance(frame, Fight))


def revise(draft: Draft, **values: object) -> Fight:
    """The battle in progress has other values."""
    battle = msgspec.structs.replace(current(draft), **values)
    place = max(n for n, frame in enumerate(draft.frames) if isinstance(frame, Fight))
    draft.frames = (*draft.frames[:place], battle, *draft.frames[place + 1 :])
    return battle


def hosts_of(battle: Fight) -> tuple[Combatant, Combatant]:
    """Both sides."""
    assert battle.hosts is not None
    return battle.hosts


def revise_host(draft: Draft, side: Side, **values: object) -> Combatant:
    """A side of the battle in progress has other values."""
    hosts = list(hosts_of(current(draft)))
    hosts[side] = msgspec.structs.replace(hosts[side], **values)
    revise(draft, hosts=(hosts[0], hosts[1]))
    return hosts[side]


def fighters(pos: Position, here: Hex, side: Side) -> list[Unit]:
    """The field TP of a side in the hex, by leader (R6.3)."""
    return [unit for unit in force_at(pos, here, side, False) if unit.tp]


def all_of(pos: Position, battle: Fight, side: Side) -> list[Unit]:
    """All units of a side that are in the battle."""
    return [
        pos.units[account.leader]
        for account in hosts_of(battle)[side].accounts
        if account.leader in pos.units and pos.units[account.leader].hex == battle.hex
    ]


def unbroken(pos: Position, battle: Fight, side: Side) -> list[Unit]:
    """The units of a side that are still committed (V6.4)."""
    return [
        pos.units[account.leader]
        for account in hosts_of(battle)[side].accounts
        if not account.broken and account.leader in pos.units and pos.units[account.leader].hex == battle.hex
    ]


def all_tp(pos: Position, battle: Fight, side: Side) -> int:
    """The TP that a side still has in the battle."""
    return sum(unit.strength for unit in all_of(pos, battle, side))


def committed_tp(pos: Position, battle: Fight, side: Side) -> int:
    """The share of the TP of those who are still committed (R12.3)."""
    tp = sum(unit.strength for unit in unbroken(pos, battle, side))
    return percent_of(hosts_of(battle)[side].share, tp)
