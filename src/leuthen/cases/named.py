"""The facts of a position that EXPECT calls by a word of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from leuthen.cases.scene import Scene, Unexpected, band_text, expect
from leuthen.core.board import hex_name
from leuthen.core.refusal import Invalid
from leuthen.frederick.casewords import ROSTER_WORDS, SIDE_WORDS, Words
from leuthen.frederick.rules.control import in_zone
from leuthen.frederick.rules.marching import Marching, spent_by
from leuthen.frederick.rules.supply import is_besieged, is_supplied
from leuthen.frederick.rules.victory import victory_points
from leuthen.frederick.rules.walk import allowance
from leuthen.frederick.state import DONE, POOL, SIDES, WAITING

ACTORS: Final = ("prussia", "austria", "chance")
VIEWERS: Final = ("prussia", "austria", "watcher")


def _pending(scene: Scene, words: Words, deny: bool) -> None:
    """`pending prussia March`; `pending nobody` when the game has ended; `no pending austria`."""
    asked = {ACTORS[one.actor]: one.decision for one in scene.ruleset.pending(scene.state)}
    who = words.next("an actor")
    what = " ".join(words.words)
    words.words = []
    found = ", ".join(f"{actor} {decision}" for actor, decision in asked.items()) or "nobody"
    if who not in (*ACTORS, "nobody"):
        raise Invalid(f"«{who}» is none of {', '.join(ACTORS)}, nobody")
    met = not asked if who == "nobody" else who in asked and what.casefold() in ("", asked[who].casefold())
    if met == deny:
        raise Unexpected(f"expected {'no ' if deny else ''}pending {who} {what}".rstrip() + f"; asked is {found}")


def _outcome(scene: Scene, words: Words, deny: bool) -> None:
    """`outcome prussia decisive C12.3`, `outcome draw`, `no outcome`; as much of it as is said."""
    outcome = scene.state.outcome
    said = " ".join(words.words)
    words.words = []
    found = ""
    if outcome is not None:
        winner = "draw" if outcome.winner is None else SIDE_WORDS[outcome.winner]
        found = f"{winner} {outcome.how} {outcome.rule}"
    if deny or not (outcome is not None and _begins(found, said)):
        expect("no outcome" if deny else f"outcome {said}", f"outcome {found}" if found else "no outcome")


def _begins(found: str, said: str) -> bool:
    """Whether all that is said stands there, word by word, the winner first."""
    rest = found.split()
    return said.split()[:1] == rest[:1] and all(word in rest for word in said.split())


def _owner(scene: Scene, words: Words, deny: bool) -> None:
    here, side = words.hex(), words.side()
    if here not in scene.data.fortresses:
        raise Invalid("there is no fortress")
    _owners = ("prussia", "austria", "nobody")
    expect(f"owner {hex_name(here)} {_owners[side]}", f"owner {hex_name(here)} {_owners[scene.state.owners[here]]}")


def _prisoners(scene: Scene, words: Words, deny: bool) -> None:
    """`prisoners prussia 3 Austria Browne`: all that Prussia holds; `no prisoners prussia`."""
    side = words.choose(SIDE_WORDS[:2], "side")
    found = scene.men_text(scene.state.prisoners[side], scene.state.captives[side])
    expect(f"prisoners {scene.men_text(*words.men())}", f"prisoners {found}")


def _waiting(scene: Scene, words: Words, deny: bool) -> None:
    """`waiting 25 Prussia Daun`: all SP and leaders that wait to be placed; `no waiting`."""
    leaders = [number for number, status in enumerate(scene.state.roster) if status == WAITING]
    found = scene.men_text(scene.state.waiting, leaders)
    expect(f"waiting {scene.men_text(*words.men())}", f"waiting {found}")


def _depot(scene: Scene, words: Words, deny: bool) -> None:
    """`depot Prussia 1720 [begun]`, `no depot 1720`."""
    power = words.power() if words.is_power() else -1
    here = words.hex()
    begun = bool(words.has("begun"))
    depot = scene.state.depots.get(here)
    found = "no depot"
    if depot is not None:
        found = f"depot {scene.data.powers[depot.power].name} {'complete' if depot.complete else 'begun'}"
    if deny or power < 0:
        expect("no depot", found)
    else:
        expect(f"depot {scene.data.powers[power].name} {'begun' if begun else 'complete'}", found)


def _rp(scene: Scene, words: Words, deny: bool) -> None:
    wanted = words.number("the Prussian RP"), words.number("the Austrian RP")
    expect(f"rp {wanted[0]} {wanted[1]}", f"rp {scene.state.rp[0]} {scene.state.rp[1]}")


def _vp(scene: Scene, words: Words, deny: bool) -> None:
    found = victory_points(scene.state)
    expect(f"vp {words.number('the Prussian VP')} {words.number('the Austrian VP')}", f"vp {found[0]} {found[1]}")


def _year(scene: Scene, words: Words, deny: bool) -> None:
    expect(f"year {words.number('a year')}", f"year {scene.state.year}")


def _turn(scene: Scene, words: Words, deny: bool) -> None:
    expect(f"turn {words.number('a turn')}", f"turn {scene.state.turn}")


def _phasing(scene: Scene, words: Words, deny: bool) -> None:
    expect(f"phasing {SIDE_WORDS[words.side()]}", f"phasing {SIDE_WORDS[scene.state.phasing]}")


def _leader(scene: Scene, words: Words, deny: bool) -> None:
    """`leader Schwerin gone`."""
    number, wanted = words.leader(), words.choose(ROSTER_WORDS, "place of a leader")
    name = scene.data.leaders[number].name
    found = ROSTER_WORDS[scene.state.roster[number]]
    expect(f"{name} {ROSTER_WORDS[wanted]}", f"{name} {found}")


def _pool(scene: Scene, words: Words, deny: bool) -> None:
    """`pool Austria Daun Beck`: just these; `pool Sweden`: nobody."""
    power, named = words.power(), words.leaders()
    found = [
        n for n, leader in enumerate(scene.data.leaders) if leader.power == power and scene.state.roster[n] == POOL
    ]
    expect(f"pool {scene.names(sorted(named))}", f"pool {scene.names(found)}")


def _mp(scene: Scene, words: Words, deny: bool) -> None:
    """`mp 2`: what the force on the march has left."""
    march, force = scene.state.frames[-1], scene.state.moving
    if not isinstance(march, Marching) or force is None:
        raise Unexpected("no force is on the march")
    left = max(0, allowance(scene.state, march.die, force) - spent_by(scene.state, force))
    expect(f"mp {words.number('movement points')}", f"mp {left}")


def _spent(scene: Scene, words: Words, deny: bool) -> None:
    """`spent Keith 3`, `spent Keith done`: the leader's MP in this phase (O5.14)."""
    leader = words.leader()
    wanted = DONE if words.has("done") else words.number("movement points")
    name, found = scene.data.leaders[leader].name, scene.state.spent.get(leader, 0)
    expect(f"{name} spent {wanted}", f"{name} spent {found}")


def _siege(scene: Scene, words: Words, deny: bool) -> None:
    """`siege 1623 2`: rolls made in this siege (O13.8); `no siege 1623`."""
    here = words.hex()
    wanted = 0 if deny else words.number("a number of rolls")
    expect(f"siege {wanted}", f"siege {scene.state.sieges.get(here, 0)}")


def _besieged(scene: Scene, words: Words, deny: bool) -> None:
    here = words.hex()
    if here not in scene.data.fortresses:
        raise Invalid("there is no fortress")
    side = scene.state.owners[here]
    _judge(side in SIDES and is_besieged(scene.state, here, side), deny, f"besieged {hex_name(here)}")


def _zone(scene: Scene, words: Words, deny: bool) -> None:
    """`zone 1623`: an Austrian zone of control, for movement."""
    here = words.hex()
    _judge(in_zone(scene.state, here, 0), deny, f"zone {hex_name(here)}")


def _supplied(scene: Scene, words: Words, deny: bool) -> None:
    """`supplied 1623 prussia [inside]`, `not supplied 1623 prussia`."""
    here, side = words.hex(), words.choose(SIDE_WORDS[:2], "side")
    stack = scene.state.stacks.get(here << 3 | side << 1 | bool(words.has("inside")))
    if stack is None:
        raise Unexpected(f"there is no stack in {hex_name(here)}")
    _judge(is_supplied(scene.state, stack), deny, f"supplied {hex_name(here)} {SIDE_WORDS[side]}")


def _judge(found: bool, deny: bool, what: str) -> None:
    if found == deny:
        raise Unexpected(f"expected {'not ' if deny else ''}{what}; it is{' not' if deny is False else ''} so")


def _view(scene: Scene, words: Words, deny: bool) -> None:
    """What a viewer sees: `view austria 1733 prussia field Prussia Frederick known 1+`, `view austria depot 1720`.

    Of a stack that he does not know wholly: its nation, its commander, what is known of its strength.
    """
    view = scene.ruleset.view(scene.state, words.choose(VIEWERS, "viewer"))
    if words.has("depot"):
        _view_depot(view, words, deny)
        return
    place = words.hex(), words.side(), words.has("field", "inside") == "inside"
    found = [_seen(scene, one) for one in view.stacks if (one.hex, one.side, one.inside) == place]
    expect("" if deny else " ".join(words.words), "".join(found))
    words.words = []


def _view_depot(view: Any, words: Words, deny: bool) -> None:
    here = words.hex()
    seen = [depot for depot in view.depots if depot.hex == here]
    wanted = "" if deny else f"depot {'begun' if words.has('begun') else 'complete'}"
    expect(wanted, f"depot {'complete' if seen[0].complete else 'begun'}" if seen else "")


def _seen(scene: Scene, stack: Any) -> str:
    """`Prussia Frederick known 3-8`; `all` in front if nothing of the stack is hidden."""
    parts = [] if stack.sp is None else ["all"]
    parts.append(scene.data.powers[stack.nation].name)
    parts.append(scene.names([stack.commander]) if stack.commander >= 0 else "leaderless")
    parts += ["alone"] if stack.alone else [f"known {band_text(stack.low, stack.high)}"]
    parts += [state for state in ("demoralized", "quartered") if getattr(stack, state)]
    return " ".join(parts)


def _learned(scene: Scene, words: Words, deny: bool) -> None:
    """`learned austria`: by the last action that viewer learned something hidden; `no learned watcher`."""
    viewer = words.choose(VIEWERS, "viewer")
    _judge(bool(scene.learned >> viewer & 1), deny, f"learned {VIEWERS[viewer]}")


def _german_states(scene: Scene, words: Words, deny: bool) -> None:
    wanted = ("closed", "open")[words.choose(("closed", "open"), "state of the German States")]
    expect(wanted, "open" if scene.state.german_open else "closed")


def _invaded(scene: Scene, words: Words, deny: bool) -> None:
    power = words.power()
    _judge(power in scene.state.invaded, deny, f"{scene.data.powers[power].name} invaded in 1756")


Fact = Callable[[Scene, Words, bool], None]
DENIABLE: Final[Mapping[str, Fact]] = {
    "pending": _pending,
    "outcome": _outcome,
    "prisoners": _prisoners,
    "waiting": _waiting,
    "depot": _depot,
    "siege": _siege,
    "besieged": _besieged,
    "zone": _zone,
    "supplied": _supplied,
    "invaded": _invaded,
    "view": _view,
    "learned": _learned,
}
PLAIN: Final[Mapping[str, Fact]] = {
    "owner": _owner,
    "rp": _rp,
    "vp": _vp,
    "year": _year,
    "turn": _turn,
    "phasing": _phasing,
    "leader": _leader,
    "pool": _pool,
    "mp": _mp,
    "spent": _spent,
    "german-states": _german_states,
}
NAMED: Final[Mapping[str, Fact]] = {**DENIABLE, **PLAIN}
