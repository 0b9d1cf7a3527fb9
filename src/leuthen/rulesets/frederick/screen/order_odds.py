"""The odds of an order that is ready to be given, where chance or something hidden decides what comes of it."""

from __future__ import annotations

from typing import Final

import msgspec

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.engine.kind import ByKind
from leuthen.engine.ruleset import OTHER
from leuthen.rulesets.frederick.model import actions as do
from leuthen.rulesets.frederick.model.data import MINORS
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.model.stacks import make_stack
from leuthen.rulesets.frederick.odds import line as odds
from leuthen.rulesets.frederick.odds.dice import force_march_odds, march_odds
from leuthen.rulesets.frederick.rules.c05_diplomacy.diplomacy import POINTS, is_rolled
from leuthen.rulesets.frederick.rules.o05_march.phase import MarchPhase
from leuthen.rulesets.frederick.rules.o09_combat.retreat import Routed
from leuthen.rulesets.frederick.screen.odds_sheet import (
    envoys_sheet,
    fight_sheet,
    march_sheet,
    overwhelming_sheet,
    retreat_sheet,
    siege_sheet,
)
from leuthen.rulesets.frederick.screen.questions import Questions
from leuthen.screen.values import Odds


def odds_of(asked: Questions, action: Action) -> Odds | None:
    """What an order may bring; None where nothing is left to chance and nothing hidden matters."""
    make = _ODDS.get(type(action))
    return None if make is None else make(asked, action)


def _march(asked: Questions, action: do.March) -> Odds | None:
    if asked.end is not None:
        return _go(asked, action)
    source = asked.source
    if source is None:
        return None
    leaders = (action.leader, *action.companions)
    force = make_stack(asked.pos, source.hex, source.side, source.inside, action.sp, leaders, source)
    if isinstance(asked.frame, MarchPhase):
        return march_sheet(asked.seen, odds.MarchQuestion(force, march_odds(asked.seen, force)))
    return march_sheet(asked.seen, odds.MarchQuestion(force, None, force_march_odds(asked.seen, force)))


def _go(asked: Questions, action: do.March | do.Go) -> Odds | None:
    """At the end of the path an enemy field stack: an overwhelming attack, or the battle that may follow."""
    walk = asked.end
    if walk is None:
        return None
    force: Stack = msgspec.structs.replace(walk.force, hex=walk.here, inside=False)
    enemy = asked.seen.field(force.hex, OTHER[force.side])
    if enemy is None or not enemy.sp or not force.sp:
        return None
    tried = odds.overwhelming_of(asked.seen, force) if action.overwhelm else None
    force = _with_friends(asked, force)
    fight = odds.fight_of(asked.seen, force)
    return fight_sheet(asked.seen, fight) if tried is None else overwhelming_sheet(asked.seen, tried, fight)


def _done(asked: Questions, action: Done) -> Odds | None:
    """A beaten stack that does not go inside retreats."""
    frame = asked.frame
    if not isinstance(frame, Routed):
        return None
    stack = asked.pos.field(frame.hex, frame.side)
    return None if stack is None else retreat_sheet(asked.seen, stack, frame.initiative)


def _with_friends(asked: Questions, force: Stack) -> Stack:
    """The force with those who stand in its hex; with all of the stack that it would leave, if it stays there."""
    friends = asked.seen.field(force.hex, force.side)
    if friends is None:
        return force
    if asked.do == "march" and asked.source is not None and asked.source.key == friends.key:
        return friends
    leaders = (*friends.leaders, *force.leaders)
    return make_stack(asked.seen, force.hex, force.side, False, friends.sp + force.sp, leaders, force)


def _envoys(asked: Questions, action: do.Envoys) -> Odds:
    """Each power with these points on it: if the enemy sends none there, and if he sends all that he has."""
    pos, us = asked.seen, asked.actor
    cases: list[odds.Courting] = []
    for power, ours in zip(MINORS, action.points, strict=True):
        if is_rolled(pos, power):
            pairs = [(theirs, ours) if us else (ours, theirs) for theirs in (0, POINTS[OTHER[us]])]
            cases += [odds.courting(pos, power, *points) for points in pairs]
    return envoys_sheet(pos, us, tuple(cases))


_ODDS: Final[ByKind[Action, Questions, Odds | None]] = {
    do.Attack: lambda asked, action: fight_sheet(
        asked.seen, odds.fight_at(asked.seen, asked.actor, action.hex, attacking=True)
    ),
    do.Besiege: lambda asked, action: siege_sheet(asked.seen, odds.siege_at(asked.seen, asked.actor, action.hex)),
    do.March: _march,
    do.Go: _go,
    do.Envoys: _envoys,
    Done: _done,
}
