"""R13.3, V8: recovery from demoralization, in step E."""

from __future__ import annotations

from typing import Self

from leuthen.engine.ruleset import Side
from leuthen.rulesets.campaigns.model.events import Recovered
from leuthen.rulesets.campaigns.model.forces import by_seniority, commander, force_at
from leuthen.rulesets.campaigns.model.state import Decision, DiceRoll, Draft, Position, SideRoll, give_away
from leuthen.rulesets.campaigns.rules.r12_battle import SHAKEN
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import LeaderId

TROOPS = 2  # turns before troops may recover (V8.1)


class RecoveryStep(Decision, rule="R13.3", name="Recovery"):
    """Troops recover leader by leader, then leader morale force by force (R13.3, V8.0, V8.1, V8.2)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        give_away(draft, 0, 1)  # which leaders are demoralized
        wait = TROOPS if draft.options.einhorn else 1
        rolls: list[Decision] = [
            TroopRoll(draft.side(number), number)
            for number, unit in draft.units.items()
            if unit.shaken and draft.clock >= unit.shaken + wait
        ]
        rolls += [
            CommandRoll(side, here, inside, chief(draft, here, side, inside))
            for side, here, inside in forces_without_morale(draft)
        ]
        rolls.sort(key=lambda roll: getattr(roll, "side", 0))
        for roll in reversed(rolls):
            draft.push(roll)


def forces_without_morale(pos: Position) -> list[tuple[Side, Hex, bool]]:
    """Return the forces with leaders without leader morale, from the turn after its loss (V8.2)."""
    found = {
        (pos.side(number), unit.hex, unit.inside)
        for number, unit in pos.units.items()
        if unit.daunted and pos.clock > unit.daunted and (unit.tp or not pos.data.is_wagon(number))
    }
    return sorted(found)


def chief(pos: Position, here: Hex, side: Side, inside: bool) -> LeaderId:
    """Return the leader who rolls for a force: its commander, or without TP the highest Sr (V8.2)."""
    force = force_at(pos, here, side, inside)
    number = commander(pos, force)
    return number if number >= 0 else by_seniority(pos, [unit.number for unit in force])[0]


class TroopRoll(SideRoll, DiceRoll, rule="R13.3", variant="V8.1", name="Recovery of troops"):
    """A leader's troops recover if two dice are not above his morale (R13.3, V8.1)."""

    leader: LeaderId

    def rolled(self, draft: Draft, die: int) -> None:
        """The printed morale counts, by option the reduced one."""
        number = draft.leader(self.leader).morale - SHAKEN * draft.options.recover_reduced
        if _report_roll(draft, self, "troops", die, number):
            draft.change(self.leader, shaken=0)


class ForceRoll(SideRoll, rule="V8.2", name="Recovery of leader morale"):
    """A commander's roll for the leader morale of his force (V8.2)."""

    hex: Hex
    inside: bool
    leader: LeaderId

    def after_removal(self, pos: Position) -> Self | None:
        """If the commander has gone, another leader rolls while the force needs it."""
        if (self.side, self.hex, self.inside) not in forces_without_morale(pos):
            return None
        leader = self.leader if self.leader in pos.units else chief(pos, self.hex, self.side, self.inside)
        return self.with_values({"leader": leader})


class CommandRoll(ForceRoll):
    """The commander's command or less on one die, before his morale is rolled (V8.2)."""

    def rolled(self, draft: Draft, die: int) -> None:
        if _report_roll(draft, self, "command", die, draft.leader(self.leader).command):
            draft.push(CourageRoll(self.side, self.hex, self.inside, self.leader))


class CourageRoll(ForceRoll, DiceRoll):
    """The commander's morale or less on two dice: all in the force recover (V8.2)."""

    def rolled(self, draft: Draft, die: int) -> None:
        number = draft.leader(self.leader).morale
        force = [unit.number for unit in force_at(draft, self.hex, self.side, self.inside) if unit.daunted]
        others = tuple([one for one in force if one != self.leader]) if die <= number else ()
        if _report_roll(draft, self, "morale", die, number, others):
            for one in force:
                draft.change(one, daunted=0)


def _report_roll(
    draft: Draft, roll: TroopRoll | ForceRoll, what: str, dice: int, number: int, others: tuple[LeaderId, ...] = ()
) -> bool:
    by, success = roll.rule(draft), dice <= number
    told = Recovered(
        side=roll.side, leader=roll.leader, what=what, dice=dice, number=number, success=success, others=others, by=by
    )
    draft.emit(told)
    return success
