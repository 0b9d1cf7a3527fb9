"""One readable line for each action, and back: `march Schwerin Winterfeldt P2 1531-1430`.

A line begins with the action's word. Leaders and wagons stand by name, hexes as RRCC or (when read) by town. A path
begins with the hex where it starts; what is missing between two of its hexes is filled in (when read).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from leuthen.engine.choice import Action
from leuthen.engine.refusal import Invalid
from leuthen.rulesets.campaigns.model import actions as do
from leuthen.rulesets.campaigns.model.actions import GARRISON
from leuthen.rulesets.campaigns.model.data import NATIONS, GameData
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.rulesets.campaigns.orders.words import CHIT_SIDES, FORAGE, FORT, GARRISON_WORD, INSIDE, Line, Reader
from leuthen.rulesets.campaigns.rules.r02_leaders.shares import Shares
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.line_reader import begin
from leuthen.wargame.strength import Bag, of, powers


class Writer(Line):
    """Writes actions."""

    def units(self, numbers: Iterable[int]) -> list[str]:
        """Leaders and wagons by name."""
        return [self.data.leaders[n].name if 0 <= n < len(self.data.leaders) else str(n) for n in numbers]

    def path(self, path: Sequence[Hex], start: Hex | None) -> list[str]:
        """A path with its first hex."""
        whole = (start, *path) if start is not None and path else tuple(path)
        return ["-".join(map(hex_name, whole))] if whole else []

    def tp(self, tp: Bag) -> list[str]:
        """TP by nation: `3 Prussia 2 Hanover`."""
        return [f"{of(tp, n)} {self.nation(n)}" for n in powers(tp)]

    def nation(self, number: int) -> str:
        """A nation's name."""
        return self.data.nations[number].name if 0 <= number < len(NATIONS) else str(number)

    def holder(self, number: int) -> str:
        """A leader, or the hex of a garrison."""
        return hex_name(number - GARRISON) if number >= GARRISON else self.units((number,))[0]


def _march(to: Writer, a: do.March) -> list[str]:
    forage = [FORAGE] if a.forage else []
    return [*to.units((a.leader, *a.companions)), *forage, *to.path(a.path, to.hex_of(a.leader))]


def _go(to: Writer, a: do.Go) -> list[str]:
    return [*([FORAGE] if a.forage else []), *to.path(a.path, to.start())]


def _inside(a: Any) -> list[str]:
    return [INSIDE] if a.inside else []


def _way(to: Writer, a: do.Move | do.Retreat) -> list[str]:
    return [*to.path(a.path, to.start()), *_inside(a)]


def _declare(to: Writer, a: do.Declare) -> list[str]:
    return [word for word, flag in (("concentration", a.concentrate), ("intensity", a.intense)) if flag]


def _lose(to: Writer, a: do.Lose) -> list[str]:
    names = to.units(to.losers())
    if len(names) != len(a.points):
        return [str(n) for n in a.points]
    return [f"{name} {points}" for name, points in zip(names, a.points, strict=True)]


def _absorb(to: Writer, a: do.Absorb) -> list[str]:
    return [str(a.points), FORT if a.wagon < 0 else to.units((a.wagon,))[0]]


def _assign(to: Writer, a: do.Assign) -> list[str]:
    who = [GARRISON_WORD] if a.leader < 0 else to.units((a.leader,))
    return [str(a.points), to.nation(a.nation), hex_name(a.hex), *who]


def _arrange(to: Writer, a: do.Arrange) -> list[str]:
    share = Shares(to.pos, (a.hex, a.inside, a.nation))
    names = [*to.units(unit.number for unit in share.units), GARRISON_WORD]
    parts = [f"{name} {points}" for name, points in zip(names, a.points, strict=False)]
    return [hex_name(a.hex), *_inside(a), to.nation(a.nation), *parts]


def _nothing(to: Writer, a: Action) -> list[str]:
    return []


def _hex(to: Writer, a: Any) -> list[str]:
    return [hex_name(a.hex), *(_inside(a) if hasattr(a, "inside") else [])]


def _leader(to: Writer, a: Any) -> list[str]:
    return to.units((a.leader, *getattr(a, "companions", ())))


def _leader_points(to: Writer, a: Any) -> list[str]:
    return [*to.units((a.leader,)), str(a.points)]


_WRITERS: Final[Mapping[type[Action], Callable[[Writer, Any], list[str]]]] = {
    do.March: _march,
    do.Go: _go,
    do.Halt: lambda to, a: _inside(a),
    do.Absorb: _absorb,
    do.Leave: _leader_points,
    do.Take: _leader_points,
    do.Drop: lambda to, a: [*_inside(a), *to.units(a.companions)],
    do.Sortie: _leader,
    do.Force: _leader,
    do.React: _leader,
    do.Move: _way,
    do.Join: lambda to, a: to.units(a.leaders),
    do.Declare: _declare,
    do.Lose: _lose,
    do.Retreat: _way,
    do.Besiege: _hex,
    do.Assign: _assign,
    do.Appear: lambda to, a: [*to.units((a.leader,)), hex_name(a.hex)],
    do.Load: lambda to, a: [*to.units((a.leader,)), str(a.points), *to.units((a.wagon,))],
    do.Build: lambda to, a: to.units((a.wagon,)),
    do.Remove: _hex,
    do.Create: _hex,
    do.Arrange: _arrange,
    do.Hand: lambda to, a: [*to.units((a.giver, a.taker)), str(a.points)],
    do.Name: lambda to, a: to.tp(a.tp),
    do.Claim: _leader,
    do.Propose: lambda to, a: [str(a.points)],
    do.Ransom: _leader,
    do.Quarter: _hex,
    do.Transfer: lambda to, a: [to.holder(a.giver), to.holder(a.taker), str(a.points)],
    do.Found: _hex,
    do.Bring: lambda to, a: [*to.units((a.leader,)), hex_name(a.hex)],
    do.Dismiss: _leader,
    do.Chit: lambda to, a: [CHIT_SIDES[a.side], str(a.command)],
    do.Roll: lambda to, a: [str(a.die)],
}


def format_action(data: GameData, pos: Position, actor: int, action: Action) -> str:
    """The line of an action, which `parse_action` reads back in the same position."""
    return " ".join([action.do, *_WRITERS.get(type(action), _nothing)(Writer(data, pos, actor), action)])


def _read_march(line: Reader) -> do.March:
    leader = line.unit()
    companions = line.units(before_path=leader)
    forage = line.has(FORAGE)
    return do.March(leader, companions, forage, line.path(line.hex_of(leader)))


def _read_go(line: Reader) -> do.Go:
    forage = line.has(FORAGE)
    path = line.path(line.start())
    if not path:
        raise Invalid("go where? a path is missing at the end of the line")
    return do.Go(path, forage)


def _read_declare(line: Reader) -> do.Declare:
    concentrate, intense = line.has("concentration"), line.has("intensity")
    return do.Declare(concentrate, intense)


def _read_absorb(line: Reader) -> do.Absorb:
    points = line.number("SP")
    return do.Absorb(-1 if line.has(FORT) else line.unit(), points)


def _read_assign(line: Reader) -> do.Assign:
    points = line.number("TP")
    nation, here = line.nation(), line.hex()
    return do.Assign(nation, points, here, -1 if line.has(GARRISON_WORD) else line.unit())


def _read_arrange(line: Reader) -> do.Arrange:
    here, inside = line.hex(), line.has(INSIDE)
    nation = line.nation()
    share = Shares(line.pos, (here, inside, nation))
    points = {unit.number: unit.strength for unit in share.units}
    garrison = share.garrison
    while line.words:
        if line.has(GARRISON_WORD):
            garrison = line.number("TP")
        else:
            number = line.unit()
            if number not in points:
                raise Invalid(f"{line.data.leaders[number].name} is not in that force")
            points[number] = line.number("TP")
    return do.Arrange(here, inside, nation, (*points.values(), *([garrison] if share.is_open else [])))


def _read_group(line: Reader, make: Callable[[int, tuple[int, ...]], Action]) -> Action:
    leader = line.unit()
    return make(leader, line.units())


def _read_load(line: Reader) -> do.Load:
    leader = line.unit()
    points = line.number("SP")
    return do.Load(leader, line.unit(), points)


def _read_hand(line: Reader) -> do.Hand:
    giver, taker = line.unit(), line.unit()
    return do.Hand(giver, taker, line.number("SP"))


def _read_transfer(line: Reader) -> do.Transfer:
    giver, taker = line.holder(), line.holder()
    return do.Transfer(giver, taker, line.number("TP"))


def _read_chit(line: Reader) -> do.Chit:
    side = line.next("a side")
    if side not in CHIT_SIDES:
        raise Invalid(f"«{side}» is no side: {', '.join(CHIT_SIDES)}")
    return do.Chit(CHIT_SIDES.index(side), line.number("a command"))


_READERS: Final[Mapping[str, Callable[[Reader], Action]]] = {
    "march": _read_march,
    "go": _read_go,
    "halt": lambda line: do.Halt(line.has(INSIDE)),
    "out": lambda line: do.Out(),
    "seize": lambda line: do.Seize(),
    "absorb": _read_absorb,
    "fill": lambda line: do.Fill(),
    "leave": lambda line: do.Leave(line.unit(), line.number("TP")),
    "take": lambda line: do.Take(line.unit(), line.number("TP")),
    "drop": lambda line: do.Drop(line.has(INSIDE), line.units()),
    "sortie": lambda line: _read_group(line, do.Sortie),
    "force": lambda line: do.Force(line.unit()),
    "attack": lambda line: do.Attack(),
    "hold": lambda line: do.Hold(),
    "react": lambda line: _read_group(line, do.React),
    "move": lambda line: do.Move(*line.way()),
    "join": lambda line: do.Join(line.units()),
    "declare": _read_declare,
    "lose": lambda line: do.Lose(line.shares(line.losers())),
    "withdraw": lambda line: do.Withdraw(),
    "retreat": lambda line: do.Retreat(*line.way()),
    "besiege": lambda line: do.Besiege(line.hex()),
    "assign": _read_assign,
    "appear": lambda line: do.Appear(line.unit(), line.hex()),
    "load": _read_load,
    "build": lambda line: do.Build(line.unit()),
    "remove": lambda line: do.Remove(line.hex()),
    "create": lambda line: do.Create(line.hex()),
    "feed": lambda line: do.Feed(),
    "starve": lambda line: do.Starve(),
    "arrange": _read_arrange,
    "hand": _read_hand,
    "name": lambda line: do.Name(line.tp()),
    "claim": lambda line: do.Claim(line.unit()),
    "propose": lambda line: do.Propose(line.number("prisoners")),
    "ransom": lambda line: do.Ransom(line.unit()),
    "agree": lambda line: do.Agree(),
    "refuse": lambda line: do.Refuse(),
    "quarter": lambda line: do.Quarter(line.hex(), line.has(INSIDE)),
    "transfer": _read_transfer,
    "found": lambda line: do.Found(line.hex()),
    "bring": lambda line: do.Bring(line.unit(), line.hex()),
    "dismiss": lambda line: do.Dismiss(line.unit()),
    "done": lambda line: do.Done(),
    "chit": _read_chit,
    "roll": lambda line: do.Roll(line.number("the die")),
}
WORDS: Final = tuple(_READERS)
"""The words with which a line begins."""


def parse_action(data: GameData, pos: Position, actor: int, text: str) -> Action:
    """The action of a line. Raises Invalid or Ambiguous, naming the word; whether it is legal is not asked."""
    read, words = begin(text, _READERS)
    line = Reader(data, pos, actor, words)
    action = read(line)
    line.end()
    return action
