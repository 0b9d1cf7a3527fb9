"""The names of people and bots at a table.

A name is optional plain text and appears in no record or proof. It must not resemble a bot, the umpire, a power, the
other player or the page's own words, nor change the direction of the text around it.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final
from unicodedata import category, combining, name, normalize

import idna

from leuthen.bots import LEVELS
from leuthen.server.session.messages import BAD, Fault, fault

_JOINERS: Final = "\u200c\u200d"
_DIRECTIONS: Final = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Embeddings, overrides and isolates, which change the direction of the text after them."""
LONGEST: Final = 24
"""Maximum length of a name, not counting accents."""
_ACCENTS: Final = 2
"""Maximum number of accents per letter."""
_WRITTEN: Final = frozenset("LMNPSZ")
"""Categories of letters, accents, digits, punctuation, symbols and spaces."""
_ALIKE: Final = frozenset(("LATIN", "CYRILLIC", "GREEK"))
"""Alphabets with letters that look alike: a name uses only one of them."""
_AS_READ: Final = str.maketrans("013457|!$@l", "oieastiisai")
"""Digits, signs and letters that resemble other letters, in addition to Unicode's table."""
_SIGNS: Final = "|!$@"
_OFFICES: Final = ("machine", "umpire", "computer", "server", "watcher", "bot", "admin", "administrator", "moderator",
                   "leuthen", "system")  # fmt: skip
"""Words that no name may contain."""
_PRONOUNS: Final = ("you", "nobody", "nobody yet", "chance", "table", "neutral", "both", "the lesson",
                    "watching", "you watching", "spectator", "open seat", "unnamed player", "opponent",
                    "your opponent", "player", "a player without a name", "staff", "your staff")  # fmt: skip
"""The page's own words for people: not allowed as a whole name."""
_POWERS: Final = {
    "austria": "austrian", "britain": "british", "coalition": "allied", "empire": "imperial", "england": "english",
    "france": "french", "hanover": "hanoverian", "prussia": "prussian", "russia": "russian", "saxony": "saxon",
    "sweden": "swedish",
}  # fmt: skip
"""The sides and powers of the rule sets with their adjectives: not allowed as a whole name."""
_SHOWN_AS: Final = dict.fromkeys((0xFE0E, 0xFE0F))
"""Variation selectors (text or emoji), which are removed."""
GREETINGS: Final = {
    "cadet": "Fresh from the academy: I plan for all my armies and judge dangers by the book.",
    "captain": "An experienced officer: I make one plan for all my armies and keep to it.",
    "colonel": "I try out every march before I order it. Give me 10 to 15 seconds per turn.",
    "random": "New to the service: I give random orders, all of them legal.",
}


# --- letters that look alike, by Unicode's table (UTS #39), and letters that are not seen at all ----------------------


@cache
def _letters() -> tuple[dict[int, str], frozenset[int]]:
    """Return what each letter resembles, and the invisible letters."""
    prototypes, ignorable = dict[int, str](), set[int]()
    for line in Path(__file__).with_name("confusables.txt").read_text(encoding="utf-8").splitlines():
        target, _, sources = line.partition(": ")
        if target == "ignorable":
            for each in sources.split():
                first, _, last = each.partition("-")
                ignorable.update(range(int(first, 16), int(last or first, 16) + 1))
        elif not line.startswith("#"):
            prototype = "".join(chr(int(code, 16)) for code in target.split())
            prototypes |= {int(code, 16): prototype for code in sources.split()}
    return prototypes, frozenset(ignorable)


def _skeleton(text: str) -> str:
    """Return the skeleton of a text: texts that look alike have the same one (UTS #39, section 4)."""
    prototypes, ignorable = _letters()
    seen = "".join(letter for letter in normalize("NFD", text) if ord(letter) not in ignorable)
    return normalize("NFD", seen.translate(prototypes))


def strip_direction_marks(text: str) -> str:
    return text.translate(_DIRECTIONS)


# --- names ------------------------------------------------------------------------------------------------------------


def named(text: str) -> str:
    """Return a name in its stored form, "" for none. Raise Fault, which names the reason."""
    said = " ".join(normalize("NFKC", text).translate(_SHOWN_AS).split())
    if not said:
        return ""
    if any(_is_unseen(word, at) for word in said.split() for at in range(len(word))):
        raise _bad_name("It contains invisible characters or changes the direction of the text.")
    if not any(letter.isalnum() for letter in said):
        raise _bad_name("It needs a letter or a digit.")
    letters = sum(not combining(letter) and category(letter) != "Cf" for letter in said)
    accents = "".join("^" if category(letter) in ("Mn", "Me") else " " for letter in normalize("NFD", said))
    if letters > LONGEST or "^" * (_ACCENTS + 1) in accents:
        raise _bad_name(f"It may have up to {LONGEST} letters with up to {_ACCENTS} accents each.")
    alphabets = {name(letter, "").partition(" ")[0] for letter in said if letter.isalpha()}
    if len(alphabets & _ALIKE) > 1:
        raise _bad_name("It mixes alphabets whose letters look alike.")
    if _pretends(said):
        raise _bad_name("It could be mistaken for the machine, the umpire, a power or a text of the page.")
    return said


def expect_distinct_name(called: str, others: Iterable[str]) -> None:
    """Raise Fault if a name resembles one of the others."""
    if called and any(other and _read(other) == _read(called) for other in others):
        raise fault(BAD, "The name is taken", "Another player in this game uses it. Choose another name.")


def _bad_name(why: str) -> Fault:
    return fault(BAD, "Name not allowed", f"You cannot use this name. {why} Choose another one.")


def _is_unseen(word: str, at: int) -> bool:
    """Return whether a letter of a word is invisible and not a joiner that the script needs there."""
    letter = word[at]
    if letter in _JOINERS:
        try:
            return not idna.valid_contextj(word, at)  # RFC 5892, A.1 and A.2: Persian and Indian names
        except ValueError:
            return True
    return category(letter)[0] not in _WRITTEN or ord(letter) in _letters()[1]


def _read(text: str) -> str:
    """Return a name as it looks: without accents, capitals and spaces, with look-alike letters replaced."""
    seen = _skeleton(_skeleton(text).casefold())
    plain = "".join(letter for letter in normalize("NFKD", seen.casefold()) if letter.isalnum() or letter in _SIGNS)
    return plain.translate(_AS_READ)


_TITLES: Final = frozenset(_read(word) for bot, (title, _) in LEVELS.items() for word in (bot, title))
_PART: Final = frozenset(map(_read, _OFFICES))
_WHOLE: Final = frozenset(map(_read, (*_PRONOUNS, *_POWERS, *_POWERS.values()))) | _PART | _TITLES
_FILLING: Final = frozenset(map(_read, frozenset(("a", "the", "side", "player", "power"))))


def _pretends(text: str) -> bool:
    """Return whether the name contains an office, or as a whole is a pronoun, a power or a bot's title."""
    kept = "".join(letter if letter.isalnum() or combining(letter) or letter in _SIGNS else " " for letter in text)
    words = [_read(word) for word in kept.split()]
    bare = "".join(word for word in words if word not in _FILLING)
    runs = ("".join(words[first:last]) for last in range(len(words) + 1) for first in range(last))
    return _read(text) in _WHOLE or bare in _WHOLE or any(run in _PART for run in runs)
