"""R5.6, R9.5, R3: step I: undefended places taken, and everybody ready again."""

from __future__ import annotations

from leuthen.engine.ruleset import OTHER
from leuthen.rulesets.campaigns.model.data import COALITION, PRUSSIAN
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.forces import field_tp, inside_tp, is_friendly
from leuthen.rulesets.campaigns.model.state import Draft
from leuthen.rulesets.campaigns.rules.r05_movement.hex_actions import take_place
from leuthen.rulesets.campaigns.rules.r09_supply.supply import load_limit


class TakePlaces(Decision, rule="R5.6", name="Places taken"):
    """A field force alone in the hex of an undefended stronghold takes it (R5.6)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        fields = draft.census.fields
        alone = fields[PRUSSIAN] ^ fields[COALITION]
        for here in draft.data.strongholds:
            if not alone >> here & 1:
                continue
            side = PRUSSIAN if field_tp(draft, here, PRUSSIAN) else COALITION
            free = not is_friendly(draft, here, side) and not inside_tp(draft, here, OTHER[side])
            if free and not draft.is_enemy_ground(here):
                take_place(draft, here, side)


class Ready(Decision, rule="R9.5", name="End of the turn"):
    """What is over a leader's supply limit is lost (R9.5); all are ready again (R3)."""

    def step(self, draft: Draft) -> None:
        draft.pop()
        for number, unit in list(draft.units.items()):
            sp = min(unit.sp, load_limit(draft, unit))
            if unit.moved or sp != unit.sp:
                draft.change(number, moved=False, sp=sp)
            if draft.data.is_wagon(number) and not sp and not unit.tp:
                draft.remove(number)
