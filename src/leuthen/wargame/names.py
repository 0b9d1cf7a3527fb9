"""Names of leaders, powers and towns as people type them: any case, no accents, unambiguous prefixes."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Final, Generic, Protocol, TypeVar

from leuthen.engine.refusal import Ambiguous, Invalid, require
from leuthen.wargame.board import Board, Hex, hex_name, parse_hex
from leuthen.wargame.strength import LeaderId, PowerId

N = TypeVar("N", bound=int)  # the numbers that names of one kind stand for

LONGEST: Final = 4  # words of the longest name
UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_HARD: Final = re.compile(r"^C(?=[aoöuülr])")
"""The C that is spoken as K, with both spellings in use: Colberg and Kolberg."""
ALIKE: Final = 0.75  # least similarity (0 to 1) of a word and the name suggested for it
_PARTICLES: Final = ("de ", "du ", "d'", "O'", "St. ")


@lru_cache(maxsize=4096)
def simplify(text: str) -> str:
    """Return a name without case, accents and full stops, and with spaces for hyphens."""
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return " ".join(re.sub(r"[.'’]", "", bare.casefold()).replace("-", " ").replace("–", " ").split())


def _spellings(name: str) -> Iterable[str]:
    composed = unicodedata.normalize("NFC", name)
    for spelling in dict.fromkeys((composed, _HARD.sub("K", composed))):
        yield spelling
        yield spelling.casefold().translate(UMLAUTS)
    for particle in _PARTICLES:
        if name.startswith(particle):
            yield name.removeprefix(particle)


def format_count(number: int, noun: str) -> str:
    """Return a number with its noun: "1 turn", "2 turns", "2 hexes"."""
    plural = "es" if noun.endswith(("x", "ch", "s")) else "s"
    return f"{number} {noun}{'' if number == 1 else plural}"


def did_you_mean(text: str, known: Iterable[str]) -> str:
    """Return a suggestion of similar names, as the end of a sentence; "" if there are none."""
    names = {simplify(name): name for name in known}
    found = [names[name] for name in get_close_matches(simplify(text), names, 3, ALIKE)]
    return f". Did you mean {' or '.join(found)}?" if found else ""


class Unknown(Invalid):
    """A text that is no known name; similar names are searched for when the message is read."""

    def __init__(self, text: str, kind: str, known: Sequence[str]) -> None:
        super().__init__(text, kind, known)
        self.text, self.kind, self.known = text, kind, known

    def __str__(self) -> str:
        return f'"{self.text}" is not a valid {self.kind}{did_you_mean(self.text, self.known)}'


class Index(Generic[N]):
    """Names of one kind with their numbers. `beside` are other names that a misspelt text may mean."""

    def __init__(self, kind: str, entries: Iterable[tuple[str, N]], beside: Collection[str] = ()) -> None:
        self.kind = kind
        self.beside = beside
        self.names: dict[N, str] = {}
        self._numbers: dict[str, set[N]] = {}
        for name, number in entries:
            self.names.setdefault(number, name)
            for spelling in _spellings(name):
                self._numbers.setdefault(simplify(spelling), set()).add(number)

    def unknown(self, text: str, kind: str = "") -> Unknown:
        """Return the error for an unknown name; `kind` replaces the usual noun."""
        return Unknown(text, kind or self.kind, (*self.names.values(), *self.beside))

    def find_exact(self, text: str) -> list[N]:
        return sorted(self._numbers.get(simplify(text), ()))

    def find_by_prefix(self, text: str, only: Collection[N] | None = None) -> list[N]:
        """Return the numbers whose names begin with a text, only those in `only` if given."""
        start = simplify(text)
        found = {n for name, numbers in self._numbers.items() if name.startswith(start) for n in numbers}
        return sorted(found if only is None else found & set(only)) if start else []

    def find(self, text: str, likely: Collection[N] | None = None) -> N:
        """Return the number that a text names; prefixes of `likely` names come first. Raise Invalid or Ambiguous."""
        found = (
            self.find_exact(text) or (self.find_by_prefix(text, likely) if likely else []) or self.find_by_prefix(text)
        )
        if not found:
            raise self.unknown(text)
        return self._one(text, found)

    def take(self, words: list[str], likely: Collection[N] | None = None, *, strict: bool = False) -> N | None:
        """Return the number that the first words name, and remove them; None if they name nothing. Raise Ambiguous.

        Prefixes of `likely` names come first, and with `strict` no others count.
        """
        looks: list[Callable[[str], list[N]]] = [self.find_exact]
        if likely is not None:
            looks.append(lambda text: self.find_by_prefix(text, likely))
        if not strict:
            looks.append(self.find_by_prefix)
        for look in looks:
            for count in range(min(LONGEST, len(words)), 0, -1):
                text = " ".join(words[:count])
                if found := look(text):
                    del words[:count]
                    return self._one(text, found)
        return None

    def _one(self, text: str, found: list[N]) -> N:
        if len(found) > 1:
            names = ", ".join(sorted(self.names[number] for number in found))
            raise Ambiguous(f'"{text}" may be {names}')
        return found[0]


class Named(Protocol):
    """A leader, a power or a place."""

    @property
    def name(self) -> str: ...


class NamedPlace(Named, Protocol):
    """A fortress or a stronghold."""

    @property
    def hex(self) -> Hex: ...


def number_named(leaders: Iterable[Named], name: str) -> LeaderId:
    """Return the number of the leader with exactly this name. Raise Invalid."""
    found = next((number for number, leader in enumerate(leaders) if leader.name == name), None)
    if found is None:
        raise Invalid(f'"{name}" is not a valid leader of this game')
    return LeaderId(found)


class NameBook:
    """Names of a game's leaders, powers and places; the first name of a hex is shown."""

    def __init__(
        self,
        board: Board,
        leaders: Iterable[Named],
        powers: Iterable[Named],
        forts: Iterable[NamedPlace],
        towns: Mapping[str, Hex],
    ) -> None:
        named = [(fort.name, fort.hex) for fort in forts]
        fortified = {here for _, here in named}
        plain = [(name, here) for name, here in towns.items() if here not in fortified]
        others = [(name, here) for name, here in towns.items() if here in fortified]
        self.leaders = Index("leader of this game", [(one.name, LeaderId(n)) for n, one in enumerate(leaders)])
        self.powers = Index("power", [(one.name, PowerId(n)) for n, one in enumerate(powers)])
        self.forts = Index("fortress", named)
        self.towns = Index("town or hex", [*named, *plain, *others], tuple(self.leaders.names.values()))
        self._board = board

    def town(self, here: Hex) -> str:
        """Return the name of the fortress or town in a hex, or ""."""
        return self.towns.names.get(here, "")

    def place(self, here: Hex) -> str:
        """Return the number of a hex with its town: "1623 Dresden"."""
        return f"{hex_name(here)} {self.town(here)}".rstrip()

    def fort_or_place(self, here: Hex) -> str:
        """Return the name of a fortress, or the number of another hex with its town; "" for NOWHERE."""
        return self.forts.names.get(here) or (self.place(here) if here >= 0 else "")

    def hex(self, text: str) -> Hex:
        """Return the hex of a number RRCC or a town. Raise Invalid or Ambiguous."""
        text = text.strip()
        here = parse_hex(text) if text[:1].isdigit() else self.towns.find(text)
        is_there = here in self._board.terrain and (not text[:1].isdigit() or hex_name(here) == text)
        require(is_there, f'"{text}" is not on the map')
        return here

    def hexes(self, text: str) -> list[Hex]:
        """Return hexes and towns separated by hyphens or spaces. Raise Invalid or Ambiguous."""
        words = re.split(r"[-–\s]+", text.strip(" -–"))
        found: list[Hex] = []
        while words:
            here = None if words[0][:1].isdigit() else self.towns.take(words)
            found.append(self.hex(words.pop(0)) if here is None else here)
        return found
