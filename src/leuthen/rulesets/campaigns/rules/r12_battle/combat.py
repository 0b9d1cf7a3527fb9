"""R12.4, V6.3: the combat rolls of a round."""

from __future__ import annotations

from leuthen.engine.ruleset import OTHER, Side
from leuthen.rulesets.campaigns.model.decisions import DieRoll
from leuthen.rulesets.campaigns.model.events.fighting import CombatRolled
from leuthen.rulesets.campaigns.model.forces import percent_of
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
