"""An order in plain words, which do not tell whether it is allowed (`phrases.toml`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise, takewhile
from pathlib import Path
from string import Formatter
from typing import Any, Final, NamedTuple

import msgspec

from leuthen.engine.refusal import Invalid
from leuthen.engine.texts import number_of
from leuthen.load import RULESETS, load
from leuthen.wargame.board import hex_name
from leuthen.wargame.names import NameBook

FIRST: Final = next(iter(RULESETS))
_PHRASES: Final = Path(__file__).parent / "phrases.toml"
_FLAGS: Final = {
    "!": "overwhelming",
    "concentration": "words",
    "intensity": "words",
    **{word: word for word in ("inside", "out", "forage", "garrison", "fort", "from")},
}
_SAID: Final = {"inside": ", inside the fortress", "overwhelming": ", overwhelming the enemy there"}
_UNITS: Final = {"frederick": "SP", "campaigns": "TP"}
_WAGON: Final = re.compile(r"[A-Z]\d")


class _Word(NamedTuple):
    """A word of an order: what it is (leader, place, strength …), as it is said, and the hexes that it names."""

    kind: str
    said: str
    hexes: tuple[str, ...] = ()


def phrase(game: str, order: str, label: str = "") -> str:
    """«send Keith with 5 SP from Breslau to 1732». `label` is what the decision calls this kind of order.

    Where no phrase fits, it is the label and the order's own words.
    """
    verb, _, rest = order.partition(" ")
    has = _pieces(game, list(_read(game, rest)))
    phrases = _phrases()[game]
    for template in (*phrases.get(label, ()), *phrases.get(verb, ())):
        wanted = [field for _, field, _, _ in Formatter().parse(template) if field]
        if all(field.rstrip("_") in has for field in wanted):
            return template.format_map({field: "" if field.endswith("_") else has[field] for field in wanted})
    kind = (label or verb)[:1].lower() + (label or verb)[1:]
    return f"{kind}: {rest}" if rest else kind


def places_of(game: str, order: str) -> tuple[str, ...]:
    """The hexes that an order names, by number."""
    words = _read(game, order.partition(" ")[2])
    return tuple(dict.fromkeys(here for word in words for here in word.hexes))


@cache
def _phrases() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    return msgspec.toml.decode(_PHRASES.read_bytes(), type=dict[str, dict[str, tuple[str, ...]]])


def _hexes(game: str, word: str) -> tuple[str, ...]:
    """The hexes of a place or a way, by number; none of a word that is neither."""
    try:
        return tuple([hex_name(_book(game).hex(step)) for step in word.split("-")])
    except Invalid:
        return ()


def _book(game: str) -> NameBook:
    book: NameBook = _data(game).book
    return book


def _data(game: str) -> Any:
    rules: Any = load(game)
    return rules.data


@cache
def _kinds(game: str) -> Mapping[str, _Word]:
    """All names, longest first, and what each is."""
    data = _data(game)
    names = {place: _Word("place", place, (hex_name(here),)) for place, here in data.places.items()}
    names |= {leader.name: _Word("leader", leader.name) for leader in data.leaders}
    powers = data.powers if game == FIRST else data.nations
    names |= {
        power.name: _Word("power", f"the {power.name}" if power.name == "Empire" else power.name) for power in powers
    }
    return dict(sorted(names.items(), key=lambda name: -len(name[0])))


@cache
def _towns(game: str) -> Mapping[str, str]:
    return {hex_name(here): town for town, here in reversed(_data(game).places.items())}


def _read(game: str, rest: str) -> Iterator[_Word]:
    names = _kinds(game)
    pattern = "|".join([*(rf"{re.escape(name)}(?![\w-])" for name in names), r"\S+"])
    for text in re.findall(pattern, rest):
        if _WAGON.fullmatch(text):
            yield _Word("wagon", f"wagon {text}")
        elif text in names:
            yield names[text]
        elif text.startswith("+"):
            yield _Word("strength", text[1:])
        elif number_of(text, 3) is not None:
            yield _Word("number", text)
        elif text in _FLAGS:
            yield _Word(_FLAGS[text], text)
        else:
            hexes = _hexes(game, text)
            said = [_towns(game).get(here, here) for here in hexes]
            yield _Word("way", _way(said), hexes) if len(said) > 1 else _Word("place", said[0] if said else text, hexes)


def _way(said: Sequence[str]) -> str:
    between = f" by way of {_list(said[1:-1])}" if said[1:-1] else ""
    return f" from {said[0]}{between} to {said[-1]}"


def _list(said: Sequence[str]) -> str:
    *others, last = said
    return f"{', '.join(others)} and {last}" if others else last


def _pieces(game: str, words: list[_Word]) -> dict[str, str]:
    """What the words of an order say, by the braces of a phrase."""
    unit = _UNITS[game]
    has = {word.kind: _SAID.get(word.kind, "") for word in words}
    before = list(takewhile(lambda word: word.kind != "from", words))
    if all(word.kind != "inside" for word in before):
        has.pop("inside", None)
    for kind in ("power", "wagon", "leader", "way"):
        has |= {word.kind: word.said for word in reversed(words) if word.kind == kind}
    places = [word.said for word in words if word.kind == "place"]
    if places:
        has |= {"place": places[0], "at": f" at {places[0]}"}
        if "from" in has:
            has["from"] = places[-1]
    who = [word.said for word in words if word.kind in ("leader", "wagon")]
    parts = [*([_list(who)] if who else []), *([_list(list(_strengths(words)))] if "strength" in has else [])]
    force = " with ".join(parts)
    numbers = [word.said for word in words if word.kind == "number"]
    has |= {"force": force, "all": " and ".join(parts)} if force else {}
    has |= {"number": numbers[0], "numbers": _list(numbers)} if numbers else {}
    ends = [word.said for word in words if word.kind in ("leader", "wagon", "place")]
    has |= dict(zip(("giver", "taker"), ends, strict=False))
    pairs = list(_pairs(words))
    if pairs:
        told = [
            f"{number} {unit} of {name}" if kind == "power" else f"{name} {number} {unit}"
            for kind, name, number in pairs
        ]
        has |= {"pairs": _list(told), "shares": _list([f"{number} to {name}" for _, name, number in pairs])}
    said = [word.said for word in words if word.kind == "words"]
    return has | ({"words": _list(said)} if said else {})


def _strengths(words: Sequence[_Word]) -> Iterator[str]:
    for word, after in pairwise([*words, _Word("", "")]):
        if word.kind == "strength":
            yield f"{word.said} SP" + (f" of {after.said}" if after.kind == "power" else "")


def _pairs(words: Sequence[_Word]) -> Iterator[tuple[str, str, str]]:
    """Names with their numbers, which stand behind them, or before them where the order begins with one."""
    is_before = words[0].kind == "number" if words else False
    for one, two in pairwise(words):
        name, number = (two, one) if is_before else (one, two)
        if name.kind in ("leader", "power", "garrison") and number.kind == "number":
            yield name.kind, name.said, number.said
