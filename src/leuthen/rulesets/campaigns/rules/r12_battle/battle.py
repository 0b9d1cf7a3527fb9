"""R12: battle, round by round, as a table of stages that one can read."""

from __future__ import annotations

from typing import Final

from leuthen.engine.ruleset import OTHER, SIDES, Side
from leuthen.rulesets.campaigns.model.events.fighting import BattleOpened
from leuthen.rulesets.campaigns.model.forces import commander
from leuthen.rulesets.campaigns.model.knowledge import give_away
from leuthen.rulesets.campaigns.model.state import Draft
from leuthen.rulesets.campaigns.rules.r04_command.activation import note_battle
from leuthen.rulesets.campaigns.rules.r06_meeting.joining import Joining
from leuthen.rulesets.campaigns.rules.r12_battle.battle_morale import NerveRoll
from leuthen.rulesets.campaigns.rules.r12_battle.combat import CombatRoll, CommitmentRoll
from leuthen.rulesets.campaigns.rules.r12_battle.declaring import Declaring, Leaving, leave, worse
from leuthen.rulesets.campaigns.rules.r12_battle.fight import (
    Combatant,
    Fight,
    all_tp,
    fighters,
    hosts_of,
    revise,
    revise_host,
    unbroken,
)
from leuthen.rulesets.campaigns.rules.r12_battle.losses import Losses
from leuthen.rulesets.campaigns.rules.r12_battle.retreat import end_battle
from leuthen.rulesets.campaigns.rules.r12_battle.splits import Account
from leuthen.wargame.board import NOWHERE, Hex

MOST_ROUNDS: Final = 12
"""Without a winner (R12.10)."""


class Battle(Fight, rule="R12.1", name="Battle"):
    """A battle, stage by stage (R12.1)."""

    def step(self, draft: Draft) -> None:
        STEPS[self.stage](draft, self)


def open_battle(draft: Draft, here: Hex, side: Side, *, how: str, came: Hex = NOWHERE, crossed: bool = False) -> None:
    """A side attacks in a hex (R12.1)."""
    draft.push(Battle(here, side, how, came, crossed))


def _join(draft: Draft, battle: Fight) -> None:
    """Leaders inside may join in, the attacker's first; then the sides are what they are (R6.3, R4.6)."""
    revise(draft, stage="muster")
    draft.push(Joining(OTHER[battle.attacker]))
    draft.push(Joining(battle.attacker))


def _muster(draft: Draft, battle: Fight) -> None:
    give_away(draft, 0, 1)  # who fights (R1.9)
    hosts = []
    for side in (0, 1):
        units = fighters(draft, battle.hex, side)
        accounts = tuple(Account(unit.number, unit.strength) for unit in units)
        hosts.append(Combatant(commander(draft, units), accounts, sum(account.start for account in accounts)))
    revise(draft, hosts=(hosts[0], hosts[1]), stage="declare")
    note_battle(draft, [account.leader for host in hosts for account in host.accounts])
    draft.emit(
        BattleOpened(
            side=battle.attacker,
            hex=battle.hex,
            how=battle.how,
            commanders=(hosts[0].commander, hosts[1].commander),
            strengths=(hosts[0].began, hosts[1].began),
        )
    )


def _declare(draft: Draft, battle: Fight) -> None:
    for side in (0, 1):
        revise_host(draft, side, intense=False, hit=0, roll=-1)
    revise(draft, stage="commit")
    draft.push(Declaring(OTHER[battle.attacker]))
    draft.push(Declaring(battle.attacker))


def _commit(draft: Draft, battle: Fight) -> None:
    revise(draft, stage="combat")
    for side in (OTHER[battle.attacker], battle.attacker):
        if hosts_of(battle)[side].share < 100:
            draft.push(CommitmentRoll(side))


def _combat(draft: Draft, battle: Fight) -> None:
    revise(draft, stage="losses")
    draft.push(CombatRoll(OTHER[battle.attacker]))
    draft.push(CombatRoll(battle.attacker))


def _losses(draft: Draft, battle: Fight) -> None:
    """Both losses apply together (R12.5)."""
    hosts = hosts_of(battle)
    revise(draft, stage="nerve" if battle.retreating < 0 else "end")
    for side in (OTHER[battle.attacker], battle.attacker):
        points = hosts[OTHER[side]].roll
        revise_host(draft, side, hit=points)
        if points > 0:
            draft.push(Losses(side, points))


def _nerve(draft: Draft, battle: Fight) -> None:
    """R13.1 for each committed leader of a side that lost TP this round (R12.7)."""
    hosts = hosts_of(battle)
    if any(not all_tp(draft, battle, side) for side in (0, 1)):
        revise(draft, stage="end")  # R12.5
        return
    revise(draft, stage="decide")
    for side in (OTHER[battle.attacker], battle.attacker):
        if hosts[side].hit:
            for unit in reversed(unbroken(draft, battle, side)):
                if unit.tp or unit.number == hosts[side].commander:
                    draft.push(NerveRoll(side, unit.number))


def _decide(draft: Draft, battle: Fight) -> None:
    """Who leaves the battle (R12.8)."""
    hosts = hosts_of(battle)
    if any(not all_tp(draft, battle, side) for side in (0, 1)):
        revise(draft, stage="end")
        return
    broke = [side for side in SIDES if hosts[side].broke]
    if broke:
        leaver = broke[0] if len(broke) == 1 else worse(battle)
        leave(draft, leaver, forced=True)
        return
    revise(draft, stage="next")
    draft.push(Leaving(OTHER[battle.attacker]))
    draft.push(Leaving(battle.attacker))


def _last(draft: Draft, battle: Fight) -> None:
    """One last round with the present shares (V6.3)."""
    revise(draft, stage="losses", round=battle.round + 1)
    draft.push(CombatRoll(OTHER[battle.attacker]))
    draft.push(CombatRoll(battle.attacker))


def _next(draft: Draft, battle: Fight) -> None:
    """The next round; after twelve the battle ends without a winner (R12.10)."""
    if battle.round >= MOST_ROUNDS:
        revise(draft, stage="end")
    else:
        revise(draft, round=battle.round + 1, stage="declare")


STEPS: Final = {
    "join": _join,
    "muster": _muster,
    "declare": _declare,
    "commit": _commit,
    "combat": _combat,
    "losses": _losses,
    "nerve": _nerve,
    "decide": _decide,
    "last": _last,
    "next": _next,
    "end": end_battle,
}
