"""R12.7, R13, V6.4: demoralization in battle, leader by leader."""

from __future__ import annotations

from typing import Final

from leuthen.engine.ruleset import OTHER, Side
from leuthen.rulesets.campaigns.model.decisions import DiceRoll
from leuthen.rulesets.campaigns.model.events.fighting import NerveTested
from leuthen.rulesets.campaigns.model.state import Draft, Position
from leuthen.rulesets.campaigns.rules.r12_battle.fight import Fight, current, hosts_of, revise_host
from leuthen.rulesets.campaigns.rules.r12_battle.retreat import retreat_alone
from leuthen.rulesets.campaigns.rules.r12_battle.splits import Account
from leuthen.wargame.strength import LeaderId

SHAKEN: Final = 2
"""What demoralization takes from morale (R13.1)."""


def is_shaken(pos: Position, number: LeaderId) -> bool:
    """Whether a leader's troops are demoralized (R13.1)."""
    return number in pos.units and pos.units[number].shaken > 0


def morale(pos: Position, number: LeaderId) -> int:
    """The present morale of a leader: 2 less if demoralized (R13.1)."""
    return pos.leader(number).morale - SHAKEN * is_shaken(pos, number)


def nerve_modifiers(battle: Fight, side: Side) -> tuple[tuple[str, int], ...]:
    """What is added to the dice of demoralization (R13.1)."""
    host, enemy = hosts_of(battle)[side], hosts_of(battle)[OTHER[side]]
    tenths = sum(100 * host.lost >= percent * host.began for percent in (10, 20, 30))
    found = (("losses", tenths), ("enemy lost fewer", int(enemy.hit < host.hit)))
    return tuple((name, value) for name, value in found if value)


class NerveRoll(DiceRoll, rule="R13.1", name="Demoralization"):
    """Whether a leader breaks (R13.1)."""

    side: Side
    leader: LeaderId

    def rolled(self, draft: Draft, die: int) -> None:
        battle = current(draft)
        found = nerve_modifiers(battle, self.side)
        now = morale(draft, self.leader)
        breaks = die + sum(value for _, value in found) > now
        draft.emit(
            NerveTested(side=self.side, leader=self.leader, dice=die, modifiers=found, morale=now, breaks=breaks)
        )
        if breaks:
            break_leader(draft, self.side, self.leader)


def break_leader(draft: Draft, side: Side, leader: LeaderId) -> None:
    """The commander: his force must retreat. A subordinate: his TP are no longer committed (V6.4); base: R13.2."""
    host = hosts_of(current(draft))[side]
    unit = draft.units[leader]
    daunted = (unit.daunted or draft.clock) if draft.options.einhorn else 0
    draft.change(leader, shaken=unit.shaken or draft.clock, daunted=daunted)
    if leader == host.commander:
        revise_host(draft, side, broke=True)
        return
    accounts = []
    for account in host.accounts:
        now = draft.units[account.leader].strength
        broken = account.broken or account.leader == leader
        accounts.append(Account(account.leader, now, 0, broken))
    revise_host(draft, side, accounts=tuple(accounts))
    if not draft.options.einhorn:
        retreat_alone(draft, side, leader)
