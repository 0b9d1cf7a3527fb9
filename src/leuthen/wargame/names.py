"""Leaders, powers and towns as people type them: without regard to case and accents, and by unambiguous prefixes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Final, Generic, Protocol, TypeVar

from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.wargame.board import Board, Hex, hex_name, parse_hex
from leuthen.wargame.strength import LeaderId, PowerId

N = TypeVar("N", bound=int)
"""What names of one kind stand for: leaders, powers, hexes."""

LONGEST: Final = 4
"""More words than any name has."""
UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
"""How umlauts are written out."""
_HARD: Final = re.compile(r"^C(?=[aoöuülr])")
"""The C that is spoken as K, and was written both ways: Colberg and Kolberg."""
ALIKE: Final = 0.75
"""How much of two words must be the same (0 to 1) for one to be meant for the other."""
_PARTICLES: Final = ("de ", "du ", "d'", "O'", "St. ")


@lru_cache(maxsize=4096)
def simplify(text: str) -> str:
    """A name without case, accents and stops; hyphens are spaces."""
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


def counted(number: int, noun: str) -> str:
    """A number with its noun: «1 turn», «2 turns», «2 hexes»."""
    plural = "es" if noun.endswith(("x", "ch", "s")) else "s"
    return f"{number} {noun}{'' if number == 1 else plural}"


def did_you_mean(text: str, known: Iterable[str]) -> str:
    """Those of the known names that a text is like, as the end of a sentence; "" if it is like none."""
    names = {simplify(name): name for name in known}
    found = [names[name] for name in get_close_matches(simplify(text), names, 3, ALIKE)]
    return f". Did you mean {' or '.join(found)}?" if found else ""


class Unknown(Invalid):
    """A text that names nothing of its kind; which names it may have been meant for is looked for when it is told."""

    def __init__(self, text: str, kind: str, known: Sequence[str]) -> None:
        super().__init__(text, kind, known)
        self.text, self.kind, self.known = text, kind, known

    def __str__(self) -> str:
        return f"«{self.text}» is no {self.kind}{did_you_mean(self.text, self.known)}"


class Index(Generic[N]):
    """Names of one kind, and the numbers that they stand for. `beside`: what else a misspelt one may be meant for."""

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
        """The error for a text that names none of them; `kind` is what they are, if otherwise."""
        return Unknown(text, kind or self.kind, (*self.names.values(), *self.beside))

    def exact(self, text: str) -> list[N]:
        """Those with just this name."""
        return sorted(self._numbers.get(simplify(text), ()))

    def prefixed(self, text: str, only: Collection[N] | None = None) -> list[N]:
        """Those whose name begins so, among `only` if given."""
        start = simplify(text)
        found = {n for name, numbers in self._numbers.items() if name.startswith(start) for n in numbers}
        return sorted(found if only is None else found & set(only)) if start else []

    def find(self, text: str, likely: Collection[N] | None = None) -> N:
        """The one that a text names; a prefix counts among the `likely` first. Raises Invalid or Ambiguous."""
        found = self.exact(text) or (self.prefixed(text, likely) if likely else []) or self.prefixed(text)
        if not found:
            raise self.unknown(text)
        return self._one(text, found)

    def take(
        self, words: Sequence[str], likely: Collection[N] | None = None, *, strict: bool = False
    ) -> tuple[N, int] | None:
        """What the first words name, and how many words that takes; None if they name nothing. Raises Ambiguous.

        The beginning of a name counts among the `likely` first, and with `strict` among them alone.
        """
        looks: list[Callable[[str], list[N]]] = [self.exact]
        if likely is not None:
            looks.append(lambda text: self.prefixed(text, likely))
        if not strict:
            looks.append(self.prefixed)
        for look in looks:
            for count in range(min(LONGEST, len(words)), 0, -1):
                text = " ".join(words[:count])
                if found := look(text):
                    return self._one(text, found), count
        return None

    def _one(self, text: str, found: list[N]) -> N:
        if len(found) > 1:
            names = ", ".join(sorted(self.names[number] for number in found))
            raise Ambiguous(f"«{text}» may be {names}")
        return found[0]


class Named(Protocol):
    """A leader, a power, a place."""

    @property
    def name(self) -> str:
        """As it is printed."""
        ...


class NamedPlace(Named, Protocol):
    """A fortress or a stronghold."""

    @property
    def hex(self) -> Hex:
        """Where it is."""
        ...


def number_named(leaders: Iterable[Named], name: str) -> LeaderId:
    """The number of the leader with just that name. Raises Invalid."""
    for number, leader in enumerate(leaders):
        if leader.name == name:
            return LeaderId(number)
    raise Invalid(f"«{name}» is no leader of this game")


class NameBook:
    """The names of a game's leaders, powers and places; of a hex with several names the first is told."""

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
        plain, others = list[tuple[str, Hex]](), list[tuple[str, Hex]]()
        for name, here in towns.items():
            (others if here in fortified else plain).append((name, here))
        self.leaders = Index("leader of this game", [(one.name, LeaderId(n)) for n, one in enumerate(leaders)])
        self.powers = Index("power", [(one.name, PowerId(n)) for n, one in enumerate(powers)])
        self.forts = Index("fortress", named)
        self.towns = Index("town or hex", [*named, *plain, *others], tuple(self.leaders.names.values()))
        self._board = board

    def town(self, here: Hex) -> str:
        """The name of the fortress or town in a hex, or ""."""
        return self.towns.names.get(here, "")

    def place(self, here: Hex) -> str:
        """A hex with its town: «1623 Dresden»."""
        return f"{hex_name(here)} {self.town(here)}".rstrip()

    def fort_or_place(self, here: Hex) -> str:
        """The name of a fortress, of another place its hex with its town; "" of no hex."""
        return self.forts.names.get(here) or (self.place(here) if here >= 0 else "")

    def hex(self, text: str) -> Hex:
        """The hex of a number RRCC or a town. Raises Invalid or Ambiguous."""
        text = text.strip()
        here = parse_hex(text) if text[:1].isdigit() else self.towns.find(text)
        if here not in self._board.terrain or (text[:1].isdigit() and hex_name(here) != text):
            raise Invalid(f"«{text}» is not on the map")
        return here

    def hexes(self, text: str) -> list[Hex]:
        """Several hexes and towns with hyphens or spaces between them. Raises Invalid or Ambiguous."""
        words = re.split(r"[-–\s]+", text.strip(" -–"))
        found: list[Hex] = []
        while words:
            taken = None if words[0][:1].isdigit() else self.towns.take(words)
            here, count = taken or (self.hex(words[0]), 1)
            found.append(here)
            words = words[count:]
        return found
