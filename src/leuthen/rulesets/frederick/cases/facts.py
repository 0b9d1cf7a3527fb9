"""The facts of a position that EXPECT calls by a word of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import as_side
from leuthen.rulesets.frederick.cases.words import ROSTER_WORDS, SIDE_WORDS, CaseMoment, Words, men_text, names_text
from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.pieces import SeenStack
from leuthen.rulesets.frederick.model.state import DONE, POOL, SIDES, WAITING
from leuthen.rulesets.frederick.rules.c12_victory import victory_points
from leuthen.rulesets.frederick.rules.o05_march.open_march import Marching, spent_by
from leuthen.rulesets.frederick.rules.o05_march.walk import allowance
from leuthen.rulesets.frederick.rules.o07_zones import in_zone
from leuthen.rulesets.frederick.rules.o10_supply.supply import is_besieged, is_supplied
from leuthen.wargame import case_words
from leuthen.wargame.board import hex_name
from leuthen.wargame.case_words import (
    Fact,
    Unexpected,
    band_text,
    expect,
    field_fact,
    hex_fact,
    judge,
    number_fact,
    viewers_of,
)


def _owner(moment: CaseMoment, words: Words, deny: bool) -> None:
    here, side = words.hex(), words.side()
    if here not in moment.data.fortresses:
        raise Invalid("there is no fortress")
    _owners = ("prussia", "austria", "nobody")
    expect(f"owner {hex_name(here)} {_owners[side]}", f"owner {hex_name(here)} {_owners[moment.state.owners[here]]}")


def _prisoners(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`prisoners prussia 3 Austria Browne`: all that Prussia holds; `no prisoners prussia`."""
    side = words.choose(SIDE_WORDS[:2], "side")
    found = men_text(moment.data, moment.state.prisoners[side], moment.state.captives[side])
    expect(f"prisoners {men_text(moment.data, *words.men())}", f"prisoners {found}")


def _waiting(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`waiting 25 Prussia Daun`: all SP and leaders that wait to be placed; `no waiting`."""
    leaders = [leader for leader in moment.data.leader_ids if moment.state.roster[leader] == WAITING]
    found = men_text(moment.data, moment.state.waiting, leaders)
    expect(f"waiting {men_text(moment.data, *words.men())}", f"waiting {found}")


def _depot(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`depot Prussia 1720 [begun]`, `no depot 1720`."""
    power = words.power() if words.is_power() else -1
    here = words.hex()
    begun = bool(words.has("begun"))
    depot = moment.state.depots.get(here)
    found = "no depot"
    if depot is not None:
        found = f"depot {moment.data.powers[depot.power].name} {'complete' if depot.complete else 'begun'}"
    if deny or power < 0:
        expect("no depot", found)
    else:
        expect(f"depot {moment.data.powers[power].name} {'begun' if begun else 'complete'}", found)


def _phasing(moment: CaseMoment, words: Words, deny: bool) -> None:
    expect(f"phasing {SIDE_WORDS[words.side()]}", f"phasing {SIDE_WORDS[moment.state.phasing]}")


def _leader(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`leader Schwerin gone`."""
    number, wanted = words.leader(), words.choose(ROSTER_WORDS, "place of a leader")
    name = moment.data.leaders[number].name
    found = ROSTER_WORDS[moment.state.roster[number]]
    expect(f"{name} {ROSTER_WORDS[wanted]}", f"{name} {found}")


def _pool(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`pool Austria Daun Beck`: just these; `pool Sweden`: nobody."""
    power, named = words.power(), words.leaders()
    found = [leader for leader in moment.data.generals[power] if moment.state.roster[leader] == POOL]
    expect(f"pool {names_text(moment.data, sorted(named))}", f"pool {names_text(moment.data, found)}")


def _mp(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`mp 2`: what the force on the march has left."""
    march, force = moment.state.frames[-1], moment.state.moving
    if not isinstance(march, Marching) or force is None:
        raise Unexpected("no force is on the march")
    left = max(0, allowance(moment.state, march.die, force) - spent_by(moment.state, force))
    expect(f"mp {words.number('movement points')}", f"mp {left}")


def _spent(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`spent Keith 3`, `spent Keith done`: the leader's MP in this phase (O5.14)."""
    leader = words.leader()
    wanted = DONE if words.has("done") else words.number("movement points")
    name, found = moment.data.leaders[leader].name, moment.state.spent.get(leader, 0)
    expect(f"{name} spent {wanted}", f"{name} spent {found}")


def _siege(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`siege 1623 2`: rolls made in this siege (O13.8); `no siege 1623`."""
    here = words.hex()
    wanted = 0 if deny else words.number("a number of rolls")
    expect(f"siege {wanted}", f"siege {moment.state.sieges.get(here, 0)}")


def _besieged(moment: CaseMoment, words: Words, deny: bool) -> None:
    here = words.hex()
    if here not in moment.data.fortresses:
        raise Invalid("there is no fortress")
    side = moment.state.owners[here]
    judge(side in SIDES and is_besieged(moment.state, here, side), deny, f"besieged {hex_name(here)}")


def _supplied(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`supplied 1623 prussia [field|inside]`, `not supplied 1623 prussia`."""
    here, side = words.hex(), as_side(words.choose(SIDE_WORDS[:2], "side"))
    stack = moment.state.at(here, side, words.has("field", "inside") == "inside")
    if stack is None:
        raise Unexpected(f"there is no stack in {hex_name(here)}")
    judge(is_supplied(moment.state, stack), deny, f"supplied {hex_name(here)} {SIDE_WORDS[side]}")


def _view(moment: CaseMoment, words: Words, deny: bool) -> None:
    """What a viewer sees: `view austria 1733 prussia field Prussia Frederick known 1+`, `view austria depot 1720`.

    Of a stack that he does not know wholly: its nation, its commander, what is known of its strength.
    """
    view = moment.ruleset.view(moment.state, words.choose(viewers_of(moment.ruleset), "viewer"))
    if words.has("depot"):
        _view_depot(view, words, deny)
        return
    place = words.hex(), words.side(), words.has("field", "inside") == "inside"
    found = [_seen(moment, one) for one in view.stacks if (one.hex, one.side, one.inside) == place]
    expect("" if deny else " ".join(words.words), "".join(found))
    words.words = []


def _view_depot(view: View, words: Words, deny: bool) -> None:
    here = words.hex()
    seen = view.depots.get(here)
    wanted = "" if deny else f"depot {'begun' if words.has('begun') else 'complete'}"
    expect(wanted, f"depot {'complete' if seen.complete else 'begun'}" if seen else "")


def _seen(moment: CaseMoment, stack: SeenStack) -> str:
    """`Prussia Frederick known 3-8`; `all` in front if nothing of the stack is hidden."""
    parts = [] if stack.sp is None else ["all"]
    parts.append(moment.data.powers[stack.nation].name)
    parts.append(names_text(moment.data, [stack.commander]) if stack.commander >= 0 else "leaderless")
    parts += ["alone"] if stack.alone else [f"known {band_text(stack.low, stack.high)}"]
    parts += [state for state in ("demoralized", "quartered") if getattr(stack, state)]
    return " ".join(parts)


def _german_states(moment: CaseMoment, words: Words, deny: bool) -> None:
    wanted = ("closed", "open")[words.choose(("closed", "open"), "state of the German States")]
    expect(wanted, "open" if moment.state.german_open else "closed")


def _invaded(moment: CaseMoment, words: Words, deny: bool) -> None:
    power = words.power()
    judge(power in moment.state.invaded, deny, f"{moment.data.powers[power].name} invaded in 1756")


DENIABLE: Final[Mapping[str, Fact]] = {
    **case_words.DENIABLE,
    "prisoners": _prisoners,
    "waiting": _waiting,
    "depot": _depot,
    "siege": _siege,
    "besieged": _besieged,
    "zone": hex_fact("zone", lambda moment, words, here: in_zone(moment.state, here, 0)),
    "supplied": _supplied,
    "invaded": _invaded,
    "view": _view,
}
PLAIN: Final[Mapping[str, Fact]] = {
    **case_words.PLAIN,
    "owner": _owner,
    "rp": field_fact("rp", "the Prussian RP", "the Austrian RP"),
    "vp": number_fact("vp", lambda moment, words: victory_points(moment.state), "the Prussian VP", "the Austrian VP"),
    "phasing": _phasing,
    "leader": _leader,
    "pool": _pool,
    "mp": _mp,
    "spent": _spent,
    "german-states": _german_states,
}
