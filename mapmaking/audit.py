"""Check the finished map data against the requirements of the game: `python -m mapmaking.audit`.

Each check returns a list of faults; an empty list is a pass.
"""

import csv
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self, TypeAlias

from mapmaking.board import Point, Side, all_hexes, corners, neighbours, side
from mapmaking.chains import DIGITS, chains
from mapmaking.make import OUTPUT

Row: TypeAlias = dict[str, str]
PRUSSIAN_POINTS: Final = 100
SET_UP: Final = {
    "1623": ("Dresden", "saxony"),
    "1821": ("Torgau", "saxony"),
    "3321": ("Stralsund", "sweden"),
    "0703": ("Metz", "france"),
    "0406": ("Strasburg", "france"),
    "3742": ("", "russia"),
    "2413": ("Hanover", "hanover"),
    "2411": ("Nienburg", "hanover"),
    "3011": ("Stade", "hanover"),
    "0816": ("Nuremberg", "german-states"),
}
SILESIA: Final = ("Breslau", "Cosel", "Glatz", "Glogau", "Neisse", "Schweidnitz")
# The two towns that each pass joins; a shortest path between them must cross it.
PASSES: Final = {
    "Asch": ("Hof", "Eger"),
    "Elbe gap at Schandau": ("Pirna", "Leitmeritz"),
    "Freistadt": ("Linz", "Budweis"),
    "Freudenthal": ("Jägerndorf", "Olmütz"),
    "Friedland": ("Reichenberg", "Lauban"),
    "Friedland and Braunau": ("Schweidnitz", "Nachod"),
    "Gabel": ("Zittau", "Jungbunzlau"),
    "Gottesgab": ("Chemnitz", "Saaz"),
    "Grottau": ("Zittau", "Reichenberg"),
    "Landeshut and Schatzlar": ("Landeshut", "Trautenau"),
    "Mittelwalde": ("Glatz", "Leitomischl"),
    "Nachod": ("Glatz", "Nachod"),
    "Nollendorf and Peterswalde": ("Pirna", "Lobositz"),
    "Sebastiansberg and Pressnitz": ("Chemnitz", "Saaz"),
    "Silberberg": ("Reichenbach", "Glatz"),
    "Taus and Furth": ("Regensburg", "Pilsen"),
    "Waidhaus": ("Nuremberg", "Pilsen"),
    "Wartha": ("Glatz", "Brieg"),
    "Zinnwald": ("Dresden", "Leitmeritz"),
}


@dataclass(frozen=True)
class Board:
    """The map data as read from the files."""

    hexes: dict[str, Row]
    sides: list[Row]
    fortresses: list[Row]
    places: list[Row]

    @classmethod
    def read(cls, folder: Path = OUTPUT) -> Self:
        """Read the four tables."""
        hexes, sides, fortresses, places = (
            _rows(folder / f"{name}.csv") for name in ("hexes", "sides", "fortresses", "places")
        )
        return cls({h["hex"]: h for h in hexes}, sides, fortresses, places)

    def is_in_play(self, here: str) -> bool:
        """Return True if forces can ever enter a hex."""
        return here in self.hexes and self.hexes[here]["territory"] not in ("", "off")

    def closed(self) -> set[Side]:
        """Return the hexsides that cannot be crossed."""
        return {(s["a"], s["b"]) for s in self.sides if s["water"] == "1" or (s["ridge"] == "1" and not s["pass"])}

    def at(self, name: str) -> str:
        """Return the hex of a named place."""
        return next(p["hex"] for p in self.places if p["name"] == name)


def _rows(path: Path) -> list[Row]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def hexes(board: Board) -> list[str]:
    """Check that the board is complete and that the columns of each hex are consistent."""
    faults = [f"{h} is missing or not on the board" for h in set(all_hexes()) ^ set(board.hexes)]
    for here, row in board.hexes.items():
        if (row["terrain"] == "water") != (row["territory"] == ""):
            faults.append(f"{here}: {row['terrain']} with territory {row['territory']!r}")
        if (row["terrain"] == "mountain") != bool(row["range"]):
            faults.append(f"{here}: {row['terrain']} with range {row['range']!r}")
    return faults


def coasts(board: Board) -> list[str]:
    """Check that coast hexes are the land hexes that touch water."""
    wet = {here for here, row in board.hexes.items() if row["terrain"] == "water"}
    expected = {h for h in board.hexes if h not in wet and any(n in wet for n in neighbours(h))}
    found = {h for h, row in board.hexes.items() if row["coast"] == "1"}
    return [f"{here}: coast is wrong" for here in sorted(expected ^ found)]


def hexsides(board: Board) -> list[str]:
    """Check that each side joins two neighbours, occurs once, has its hexes in order, and has no contradictory
    features.
    """
    names = [(s["a"], s["b"]) for s in board.sides]
    faults = [f"{a}-{b} occurs twice" for a, b in set(names) if names.count((a, b)) > 1]
    return faults + [f"{s['a']}-{s['b']}: {fault}" for s in board.sides for fault in _side_faults(board, s)]


def _side_faults(board: Board, s: Row) -> list[str]:
    a, b = s["a"], s["b"]
    found = {
        "not in order": a >= b,
        "no neighbours": b not in neighbours(a),
        "not of the board": not {a, b} <= set(board.hexes),
        "not land": any(board.hexes.get(h, {}).get("terrain") == "water" for h in (a, b)),
        "a pass without a ridge": bool(s["pass"]) and s["ridge"] != "1",
        "water and something else": s["water"] == "1" and bool(s["river"] or s["ridge"] == "1"),
        "nothing on it": s == s | {"river": "", "ridge": "0", "pass": "", "water": "0"},
    }
    return [fault for fault, is_so in found.items() if is_so]


def rivers(board: Board) -> list[str]:
    """Check that each river is one line without a fork; if it has several pieces, all must cross the board's edge."""
    courses: dict[str, list[Side]] = {}
    for s in board.sides:
        courses.setdefault(s["river"], []).append((s["a"], s["b"]))
    edge = _edge(board)
    return [f"{river} is not a single line" for river, sides in courses.items() if river and not _is_line(sides, edge)]


def _is_line(sides: list[Side], edge: set[Point]) -> bool:
    pieces = chains(sides)
    return len(pieces) == 1 or all(edge & {piece[0], piece[-1]} for piece in pieces)


def _edge(board: Board) -> set[Point]:
    """Return the corners where fewer than three hexes of the board meet."""
    found = Counter((round(x, DIGITS), round(y, DIGITS)) for here in board.hexes for x, y in corners(here))
    return {corner for corner, hexes in found.items() if hexes < 3}


def places(board: Board) -> list[str]:
    """Check that every named place is on land."""
    dry = {here for here, row in board.hexes.items() if row["terrain"] != "water"}
    return [f"{p['name']} is not on land ({p['hex']})" for p in board.places if p["hex"] not in dry]


def fortresses(board: Board) -> list[str]:
    """Check that every fortress is in play, in its province, and among the places."""
    known = {(p["name"], p["hex"]) for p in board.places}
    faults = [f"{f['name']} is not in {f['province']}" for f in board.fortresses if not _is_home(board, f)]
    strangers = [f for f in board.fortresses if (f["name"], f["hex"]) not in known]
    return faults + [f"{f['name']} is not a place" for f in strangers if f["power"] != "russia"]


def _is_home(board: Board, fortress: Row) -> bool:
    return board.is_in_play(fortress["hex"]) and board.hexes[fortress["hex"]]["territory"] == fortress["province"]


def set_up(board: Board) -> list[str]:
    """Check that the published set-up hexes have the right place and territory."""
    stands = {(p["hex"], p["name"]) for p in board.places}
    faults = [f"{here} is not in {t}" for here, (_, t) in SET_UP.items() if board.hexes[here]["territory"] != t]
    return faults + [
        f"{name} is not in {here}" for here, (name, _) in SET_UP.items() if name and (here, name) not in stands
    ]


def silesia(board: Board) -> list[str]:
    """Check that Silesia has its six fortresses."""
    found = {f["name"] for f in board.fortresses if f["province"] == "silesia"}
    return [f"{name}: unexpected or missing in Silesia" for name in sorted(found ^ set(SILESIA))]


def points(board: Board) -> list[str]:
    """Check that Prussia, Hanover and occupied Saxony are worth the published 100 VP in 1757."""
    held = ("prussia", "hanover", "saxony")
    total = sum(int(f["vp"]) for f in board.fortresses if f["power"] in held)
    return [] if total == PRUSSIAN_POINTS else [f"the Prussian side holds {total} VP"]


def reach(board: Board, start: str) -> set[str]:
    """Return the hexes that can be reached by land from a hex."""
    closed, seen, edge = board.closed(), {start}, [start]
    while edge:
        here = edge.pop()
        onward = {n for n in neighbours(here) if board.is_in_play(n) and side(here, n) not in closed}
        edge += sorted(onward - seen)
        seen |= onward
    return seen


def connected(board: Board) -> list[str]:
    """Check that every fortress and every hex in play can be reached by land from every fortress."""
    found = reach(board, board.fortresses[0]["hex"])
    lost = [f"{f['name']} cannot be reached" for f in board.fortresses if f["hex"] not in found]
    return lost + [f"{h} cannot be reached" for h in board.hexes if board.is_in_play(h) and h not in found]


def sealed(board: Board) -> list[str]:
    """Check that every hex in play, except on islands, has at least two exits."""
    closed = board.closed()
    ways = {
        here: sum(board.is_in_play(n) and side(here, n) not in closed for n in neighbours(here))
        for here in board.hexes
        if board.is_in_play(here)
    }
    coast = {here for here in ways if board.hexes[here]["coast"] == "1"}
    return [f"{here} has {n} exits" for here, n in ways.items() if n < (1 if here in coast else 2)]


def passes(board: Board) -> list[str]:
    """Check that each pass of the Bohemian rim is on a shortest path between the towns that its road joined."""
    where = {name: (s["a"], s["b"]) for s in board.sides for name in s["pass"].split("; ") if name}
    missing = [f"{name}: no such pass" for name in PASSES if name not in where]
    astray = [n for n, towns in PASSES.items() if n in where and not _is_on_way(board, where[n], *towns)]
    return missing + [f"{name} does not join {' and '.join(PASSES[name])}" for name in astray]


def _is_on_way(board: Board, here: Side, start: str, end: str) -> bool:
    first, last = distances(board, board.at(start)), distances(board, board.at(end))
    ways = [first[a] + 1 + last[b] for a, b in (here, here[::-1]) if a in first and b in last]
    return bool(ways) and min(ways) <= first[board.at(end)] + 1


def distances(board: Board, start: str) -> dict[str, int]:
    """Return the distance by land, in hexes, from a hex to every other."""
    closed, far, ring = board.closed(), {start: 0}, [start]
    while ring:
        ring = sorted({n for h in ring for n in neighbours(h) if side(h, n) not in closed} - set(far))
        ring = [h for h in ring if board.is_in_play(h)]
        far |= dict.fromkeys(ring, max(far.values()) + 1)
    return far


CHECKS: Final[tuple[Callable[[Board], list[str]], ...]] = (
    *(hexes, coasts, hexsides, rivers, places, fortresses, set_up, silesia, points, connected, sealed, passes),
)


def audit(board: Board) -> list[str]:
    """Return the faults that all checks find."""
    return [f"{check.__name__}: {fault}" for check in CHECKS for fault in check(board)]


def counts(board: Board) -> dict[str, int]:
    """Return the number of hexes, rivers, passes and other features."""
    rivers = {s["river"] for s in board.sides if s["river"]}
    return {
        "hexes": len(board.hexes),
        "in play": sum(map(board.is_in_play, board.hexes)),
        "mountain": sum(h["terrain"] == "mountain" for h in board.hexes.values()),
        "rivers": len(rivers),
        "river sides": sum(bool(s["river"]) for s in board.sides),
        "ridge sides": sum(s["ridge"] == "1" for s in board.sides),
        "passes": sum(bool(s["pass"]) for s in board.sides),
        "water sides": sum(s["water"] == "1" for s in board.sides),
        "fortresses": len(board.fortresses),
        "places": len(board.places),
    }


def _report(lines: Iterable[str]) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def main() -> int:
    """Print counts and faults; return 1 if there are faults."""
    board = Board.read()
    faults = audit(board)
    _report([*(f"{n:5d} {what}" for what, n in counts(board).items()), *faults])
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
