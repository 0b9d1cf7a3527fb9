"""The front in words: a paragraph about a scene, for players who use a screen reader."""

from collections.abc import Iterable, Iterator
from math import atan2, pi
from typing import Final

from leuthen.engine.ruleset import SIDES
from leuthen.screen.values import Piece, Place, Scene, Setting
from leuthen.wargame.board import WIDTH, Hex, around, hex_name, parse_hex
from leuthen.wargame.names import format_count
from leuthen.wargame.war import hex_distance

NEAR: Final = 5  # distance in hexes within which enemies are named
_MOST: Final = 4  # maximum number of enemies named for each force
_DIRECTIONS: Final = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")
_SLOPE: Final = 0.87  # distance between two rows, in hexes


def front_in_words(setting: Setting, scene: Scene, asked: str = "") -> str:
    """Describe the front as the viewer of a scene knows it, in one paragraph.

    It contains the date, the question `asked`, the result now, each force with the enemies near it, the garrisons, and
    the places that are besieged or taken. For a spectator it covers both sides.
    """
    return " ".join(f"{text.rstrip('.')}." for text in _sentences(setting, scene, asked) if text)


def _sentences(setting: Setting, scene: Scene, asked: str) -> Iterator[str]:
    towns = setting.names_by_place
    yield from ("; ".join(filter(None, (scene.title, scene.phase))), asked)
    yield from (f"Result now: {score.now}" for score in scene.scores if score.now)
    for side in (scene.viewer,) if scene.viewer in SIDES else SIDES:
        own, enemies = ([piece for piece in scene.pieces.values() if piece.side == one] for one in (side, 1 - side))
        forces = [piece for piece in own if piece.leaders or not piece.inside]
        garrisons = [piece for piece in own if piece not in forces]
        yield f"{setting.sides[side].capitalize()} has {format_count(len(forces), 'force')}"
        for piece in forces:
            others = ", ".join(chip.name for chip in piece.leaders[1:])
            words = f"{_with_town(piece.spoken, piece, towns)}{f'; with {others}' if others else ''}"
            yield f"{words}; {_near(piece, enemies, towns)}" if piece.place.isdecimal() else words  # or it has areas
        held = ((piece, "".join(f", {badge.text}" for badge in piece.badges)) for piece in garrisons)
        states = (f"{towns.get(piece.place, piece.place)} {piece.strength}{state}" for piece, state in held)
        yield _listed("Garrisons", states)
    holdings = scene.holdings.items()
    yield _listed("Sieges", (f"{towns.get(place, place)}: {one.siege}" for place, one in holdings if one.siege))
    for side in SIDES:
        taken = (fort.name for fort in setting.fortresses if fort.power >= 0 and scene.powers[fort.power].side != side
                 if fort.place in scene.holdings and scene.holdings[fort.place].side == side)  # fmt: skip
        yield _listed(f"Taken by {setting.sides[side].capitalize()}", taken)
    yield scene.result


def _listed(head: str, items: Iterable[str]) -> str:
    text = "; ".join(items)
    return f"{head}: {text}" if text else ""


def _with_town(words: str, piece: Piece, towns: dict[Place, str]) -> str:
    """Return words about a piece, with the town beside its hex if the hex has none."""
    is_hex = piece.place.isdecimal() and piece.place not in towns
    beside = map(hex_name, around(parse_hex(piece.place))) if is_hex else ()
    town = next((towns[there] for there in beside if there in towns), "")
    return words.replace(piece.place, f"{piece.place} near {town}", 1) if town else words


def _near(piece: Piece, enemies: Iterable[Piece], towns: dict[Place, str]) -> str:
    here = parse_hex(piece.place)
    ranked = sorted((hex_distance(here, parse_hex(one.place)), number, one) for number, one in enumerate(enemies))
    near = [
        f"{_with_town(one.spoken.partition(';')[0], one, towns)}, {_away(here, parse_hex(one.place), far)}"
        for far, _, one in ranked[:_MOST]
        if far <= NEAR
    ]
    return _listed("enemies near", near) or f"no enemy within {NEAR} hexes"


def _away(here: Hex, there: Hex, far: int) -> str:
    """Return distance and direction; rows are numbered from the south, and even ones are half a hex farther east."""
    if not far:
        return "in the same hex"
    (row, column), (other, across) = divmod(here, WIDTH), divmod(there, WIDTH)
    east = across - column + (row % 2 - other % 2) / 2
    direction = _DIRECTIONS[round(4 * atan2(_SLOPE * (other - row), east) / pi) % 8]
    return f"{format_count(far, 'hex')} {direction}"
