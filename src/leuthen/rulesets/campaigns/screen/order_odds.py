"""What an order may bring by dice: attack, siege, reaction, forced march, hunger, the rest of a battle."""

from __future__ import annotations

from typing import Final

from leuthen.engine.choice import Action
from leuthen.engine.kind import ByKind
from leuthen.engine.ruleset import OTHER
from leuthen.rulesets.campaigns.model import actions as do
from leuthen.rulesets.campaigns.model.forces import commander, field_tp, force_at
from leuthen.rulesets.campaigns.model.state import Draft, Position
from leuthen.rulesets.campaigns.odds.battle import rest_odds
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r05_walk import crosses
from leuthen.rulesets.campaigns.rules.r06_meeting import Meeting, Rousing
from leuthen.rulesets.campaigns.rules.r07_reaction import Reacting, ReactionWindow
from leuthen.rulesets.campaigns.rules.r09_steps import Feeding, eaters
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Declaring, Leaving
from leuthen.rulesets.campaigns.rules.r12_battle.fight import current
from leuthen.rulesets.campaigns.screen import odds_sheet
from leuthen.rulesets.campaigns.screen.questions import Questions
from leuthen.screen.values import Odds
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.strength import LeaderId


def odds_of(asked: Questions, action: Action) -> Odds | None:
    """What an order may bring; None where nothing is left to chance."""
    make = _ODDS.get(type(action))
    return None if make is None else make(asked, action)


def _attack(asked: Questions, action: do.Attack) -> Odds | None:
    frame, pos = asked.frame, asked.pos
    if isinstance(frame, Rousing):
        chief = commander(pos, force_at(pos, frame.hex, frame.side, False))
        return odds_sheet.initiative_sheet(pos, chief)
    if not isinstance(frame, Meeting):
        return None
    here = pos.units[frame.lead].hex
    crossed = frame.came >= 0 and crosses(pos, frame.came, here)
    return odds_sheet.seen_battle(
        asked.seen.view, pos, here, asked.actor, asked.actor, came=frame.came, crossed=crossed
    )


def _arrived(asked: Questions, group: tuple[LeaderId, ...], path: tuple[Hex, ...]) -> Odds | None:
    """The battle that a group may open where its path ends."""
    key = ("battle odds", group, path)
    if key not in asked.pos.known:  # a form is asked for again and again
        asked.pos.known[key] = _fought(asked, group, path)
    found: Odds | None = asked.pos.known[key]
    return found


def _fought(asked: Questions, group: tuple[LeaderId, ...], path: tuple[Hex, ...]) -> Odds | None:
    way = (asked.pos.units[group[0]].hex, *path)
    draft: Position = _moved(asked.pos, group, way[-1])
    if not field_tp(draft, way[-1], OTHER[asked.actor]) or not field_tp(draft, way[-1], asked.actor):
        return None
    crossed = len(way) > 1 and crosses(asked.pos, way[-2], way[-1])
    came = way[-2] if len(way) > 1 else NOWHERE
    return odds_sheet.seen_battle(asked.seen.view, draft, way[-1], asked.actor, asked.actor, came=came, crossed=crossed)


def _moved(pos: Position, group: tuple[LeaderId, ...], here: Hex) -> Draft:
    draft = Draft(pos)
    for number in group:
        draft.change(number, hex=here, inside=False)
    return draft


def _march(asked: Questions, action: do.March) -> Odds | None:
    return _arrived(asked, (action.leader, *action.companions), action.path)


def _go(asked: Questions, action: do.Go) -> Odds | None:
    frame = asked.frame
    members = frame.members(asked.pos) if isinstance(frame, Marching) else ()
    return _arrived(asked, members, action.path) if members else None


def _move(asked: Questions, action: do.Move) -> Odds | None:
    frame = asked.frame
    if not isinstance(frame, Reacting):
        return None
    end = action.path[-1] if action.path else asked.pos.units[frame.group[0]].hex
    return _arrived(asked, frame.group, action.path) if end == frame.hex else None


def _react(asked: Questions, action: do.React) -> Odds | None:
    frame = asked.frame
    if not isinstance(frame, ReactionWindow):
        return None
    return odds_sheet.reaction_sheet(asked.pos, action.leader, frame.hex, frame.side)


def _starve(asked: Questions, action: do.Starve) -> Odds | None:
    frame = asked.frame
    if not isinstance(frame, Feeding):
        return None
    return odds_sheet.attrition_sheet(asked.pos, eaters(asked.pos, frame.side, (frame.hex, frame.inside)))


def _rest(asked: Questions, action: Action) -> Odds | None:
    """The battle in progress, if nobody declares more or leaves."""
    if not isinstance(asked.frame, Declaring | Leaving):
        return None
    odds = rest_odds(asked.pos, asked.actor, action)
    return odds_sheet.battle_sheet(asked.pos, current(asked.pos).hex, odds, asked.actor)


_ODDS: Final[ByKind[Action, Questions, Odds | None]] = {
    do.Attack: _attack,
    do.March: _march,
    do.Go: _go,
    do.Move: _move,
    do.React: _react,
    do.Force: lambda asked, action: odds_sheet.forced_sheet(asked.pos, action.leader),
    do.Besiege: lambda asked, action: odds_sheet.siege_sheet(asked.pos, action.hex, asked.actor),
    do.Sortie: lambda asked, action: _arrived(asked, (action.leader, *action.companions), ()),
    do.Starve: _starve,
    do.Declare: _rest,
    do.Hold: _rest,
    do.Withdraw: _rest,
}
