"""R12.3, R12.4, V6.3: how much of a side is engaged, and the combat rolls of a round."""

from __future__ import annotations

from typing import Final

from leuthen.engine.ruleset import OTHER, Side
from leuthen.rulesets.campaigns.model.decisions import DieRoll
from leuthen.rulesets.campaigns.model.events.fighting import CombatRolled, Committed
from leuthen.rulesets.campaigns.model.forces import nations_in, percent_of
from leuthen.rulesets.campaigns.model.state import Draft, Position
from leuthen.rulesets.campaigns.rules.r05_movement.walk import is_starved
from leuthen.rulesets.campaigns.rules.r12_battle.battle_morale import is_shaken
from leuthen.rulesets.campaigns.rules.r12_battle.fight import (
    Fight,
    all_of,
    committed_tp,
    current,
    hosts_of,
    revise_host,
)
from leuthen.wargame.strength import EMPTY


def combat_modifiers(pos: Position, battle: Fight, side: Side) -> tuple[tuple[str, int], ...]:
    """What is added to the die of a combat roll (R12.4, V6.3)."""
    host, enemy = hosts_of(battle)[side], hosts_of(battle)[OTHER[side]]
    attacks = side == battle.attacker
    mountain = attacks and bool(pos.data.board.mountains >> battle.hex & 1)
    crossing = attacks and battle.crossed and battle.round <= 2
    last = 0 if battle.retreating < 0 else -1 if battle.retreating == side else 1
    starved = any(is_starved(pos, unit) for unit in all_of(pos, battle, side))
    found = (
        ("combat", pos.leader(host.commander).combat),
        ("mountain", -2 * mountain),
        ("river or pass", -int(crossing)),
        ("concentration", int(host.concentrated)),
        ("high intensity", 2 * host.intense),
        ("enemy's intensity", int(enemy.intense)),
        ("out of supply", -int(starved)),
        ("demoralized", -int(is_shaken(pos, host.commander))),
        ("last round", last),
    )
    return tuple((name, value) for name, value in found if value)


def combat_percent(pos: Position, result: int) -> int:
    """The enemy's loss by the table (R12.4)."""
    table = pos.data.combat
    return table[max(0, min(len(table) - 1, result))]


class CombatRoll(DieRoll, rule="R12.4", name="Combat"):
    """A combat roll; both count together (R12.4, R12.5)."""

    side: Side

    def rolled(self, draft: Draft, die: int) -> None:
        """The percentage of one's own committed TP that the enemy loses."""
        battle = current(draft)
        found = combat_modifiers(draft, battle, self.side)
        percent = combat_percent(draft, die + sum(value for _, value in found))
        tp = committed_tp(draft, battle, self.side)
        theirs = sum(unit.strength for unit in all_of(draft, battle, OTHER[self.side]))
        loss = min(theirs, percent_of(percent, tp))
        revise_host(draft, self.side, roll=loss)
        draft.emit(
            CombatRolled(
                side=self.side, round=battle.round, die=die, modifiers=found, percent=percent, tp=tp, loss=loss
            )
        )


LARGE, HUGE = 40, 60
"""More TP than these are hard to command (V6.2)."""
FEW: Final = 2
"""Leaders whom a commander manages without a penalty (R12.3)."""


def commitment_modifiers(pos: Position, battle: Fight, side: Side) -> tuple[tuple[str, int], ...]:
    """What is added to the die of commitment (R12.3, V6.2)."""
    host = hosts_of(battle)[side]
    units = all_of(pos, battle, side)
    tp = sum(unit.strength for unit in units)
    command = pos.leader(host.commander).command
    nations = nations_in(sum((unit.tp for unit in units), EMPTY))
    if pos.options.einhorn:
        size = ("size", -((tp > LARGE) + (tp > HUGE)))
    else:
        size = ("leaders", -max(0, sum(unit.tp > 0 for unit in units) - FEW))
    found = (
        ("command", command - 2),
        size,
        ("demoralized", -int(is_shaken(pos, host.commander))),
        ("nations", -int(len(nations) > 1 and command < 3)),
    )
    return tuple((name, value) for name, value in found if value)


def commitment_percent(pos: Position, result: int) -> int:
    """The share by the table (R12.3)."""
    table = pos.data.commitment
    return table[max(0, min(len(table), result) - 1)]


class CommitmentRoll(DieRoll, rule="R12.3", name="Commitment"):
    """How much of a side is engaged (R12.3); not rolled for a side that is engaged whole."""

    side: Side

    def rolled(self, draft: Draft, die: int) -> None:
        """The higher of the old share and the new one counts."""
        battle = current(draft)
        found = commitment_modifiers(draft, battle, self.side)
        percent = commitment_percent(draft, die + sum(value for _, value in found))
        host = revise_host(draft, self.side, share=max(percent, hosts_of(battle)[self.side].share))
        tp = committed_tp(draft, current(draft), self.side)
        draft.emit(
            Committed(
                side=self.side, round=battle.round, die=die, modifiers=found, percent=percent, share=host.share, tp=tp
            )
        )
