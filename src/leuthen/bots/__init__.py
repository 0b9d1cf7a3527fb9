"""The bots by name, and a guard that names a bot that raises, answers illegally, or does not answer.

A bot gets only its side's view and legal set.
"""

import random
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Final, NamedTuple, cast

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.refusal import Invalid, require
from leuthen.engine.ruleset import Look, Pending, Player, PlayFailed, Ruleset, Side
from leuthen.load import make_level, plugin_of

TICKS: Final = 4  # ticks within the time for a decision
PATIENCE: Final = 60  # seconds for a decision, by default


class TooSlow(BaseException):
    """A bot exceeded its time. `except Exception` in the bot does not catch it."""


class BotFailed(PlayFailed):
    """A bot failed. The message names it."""


class Watch:
    """A timer for decisions, which counts external ticks."""

    def __init__(self) -> None:
        self.asked = 0  # decisions so far
        self.is_asking = False
        self._last = -1
        self._ticks = 0

    def tick(self) -> None:
        """Raise TooSlow if the decision has been the same for TICKS ticks."""
        if not self.is_asking or self.asked != self._last:
            self._last, self._ticks = self.asked, 0
            return
        self._ticks += 1
        if self._ticks >= TICKS:
            self._ticks = 0
            raise TooSlow("it has not answered in time")


WATCH: Final = Watch()  # the timer of this process, which runs one bot at a time


class GuardedBot:
    """A bot whose failure ends the game with a message that names it."""

    def __init__(self, name: str, make: Callable[[], Player]) -> None:
        self._name = name
        with self._watched():
            self._bot = make()

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Action:
        """Return the bot's action. Raise BotFailed if it raises, is too slow, or answers illegally."""
        with self._watched():
            answer = self._bot.choose(look, legal, pending)
            if not isinstance(answer, Action):
                raise BotFailed(f"the bot {self._name} answered {answer!r}, which is no action, to: {pending.text}")
            refusal = legal.why_not(answer)
        if refusal is not None:
            raise BotFailed(f"the bot {self._name} answered {answer!r}, which is illegal: {refusal.text}")
        return answer

    @contextmanager
    def _watched(self) -> Iterator[None]:
        WATCH.asked += 1
        WATCH.is_asking = True
        try:
            yield
        except PlayFailed:
            raise
        except (Exception, SystemExit, TooSlow) as error:
            told = f"the bot {self._name} failed: {type(error).__name__}: {error}"
            raise BotFailed(told, traceback.format_exc()) from error
        finally:
            WATCH.is_asking = False


BOTS: Final = ("random", "cadet", "captain", "colonel")

LEVELS: Final[Mapping[str, tuple[str, str]]] = {
    "captain": ("Captain", "he makes a plan for all his armies and follows it, and looks no turn ahead"),
    "colonel": (
        "Colonel",
        "before an army marches or stays he tries in his head what else it could do; 10 to 15 seconds a turn",
    ),
    "cadet": ("Cadet", "he makes plans as the captain does, but judges men, places and dangers less well"),
    "random": ("Recruit", "it gives any order that is legal"),
}
"""Titles and descriptions of bots, in the order in which they are offered."""


class MatchScore(NamedTuple):
    """A bot's score in per cent with its 95 % confidence interval, the number of pairs, and the kind of game."""

    score: int
    spread: int
    pairs: int
    games: str


class Measured(NamedTuple):
    """A bot's measured scores against a rival."""

    rival: str
    scores: tuple[MatchScore, ...]


MEASURED: Final[Mapping[tuple[str, str], Measured]] = {
    ("frederick", "captain"): Measured("cadet", (MatchScore(68, 5, 120, "whole wars"),)),
    ("frederick", "colonel"): Measured(
        "captain", (MatchScore(71, 9, 40, "whole wars"), MatchScore(78, 9, 27, "games of a year"))
    ),
    ("campaigns", "captain"): Measured("cadet", (MatchScore(66, 6, 120, "whole wars"),)),
}  # fmt: skip
"""By rule set and bot. A test compares these figures with the results in `bench/ladder`."""


def sentence_of(ruleset: str, bot: str) -> str:
    """Return the description of a bot with its measured scores."""
    plays, found = LEVELS[bot][1], MEASURED.get((ruleset, bot))
    if found is None:
        return plays
    scores = " and ".join(f"{one.score} % (± {one.spread}) in {one.pairs} pairs of {one.games}" for one in found.scores)
    return f"{plays}; against the {LEVELS[found.rival][0]} he scores {scores}"


def bots_for(ruleset: str) -> list[str]:
    """Return the bots of a rule set, the captain first. Raise Invalid for an unknown rule set."""
    levels = ("random", *plugin_of(ruleset).levels)
    return [name for name in LEVELS if name in levels]


def make_bot(name: str, ruleset: str, side: Side, seed: int) -> Player:
    """Return the bot of that name. Raise Invalid."""
    expect_bot(name)
    return RandomBot(seed) if name == "random" else make_level(ruleset, name, side, seed)


def expect_bot(name: str) -> None:
    """Raise Invalid unless there is such a bot."""
    require(name in BOTS, f'"{name}" is not a valid bot: {", ".join(BOTS)}')


def is_own(name: str) -> bool:
    """Return whether a name is that of a user's own bot, `module:Class`."""
    return ":" in name


def own_bot(name: str) -> Callable[[Ruleset, Side, int], Player]:
    """Return the class or function that `module:Class` names.

    The module is executed, so the name must come from the command line, never from a file or the network. Raise Invalid
    if there is no such module or class, BotFailed if it cannot be imported.
    """
    module, _, attribute = name.partition(":")
    require(module, f"{name}: a bot of your own is named module:Class")
    try:
        made: object = getattr(import_module(module), attribute, None)
    except ImportError as error:
        raise Invalid(f"{name}: {error}") from error
    except ValueError as error:
        raise BotFailed(f"the module of the bot {name} failed: {error}", traceback.format_exc()) from error
    except (Exception, SystemExit) as error:
        told = f"the module of the bot {name} failed: {type(error).__name__}: {error}"
        raise BotFailed(told, traceback.format_exc()) from error
    require(callable(made), f"{name}: the module {module} has no class or function {attribute or 'of that name'}")
    return cast("Callable[[Ruleset, Side, int], Player]", made)


def make_player(name: str, ruleset: Ruleset, side: Side, seed: int) -> Player:
    """Return a bot by its name, or a user's own by `module:Class`. Raise Invalid."""
    return own_bot(name)(ruleset, side, seed) if is_own(name) else make_bot(name, ruleset.name, side, seed)


def expect_player(name: str) -> None:
    """Raise Invalid unless there is such a bot or class."""
    if is_own(name):
        own_bot(name)
    else:
        expect_bot(name)


class RandomBot:
    """Draws each action slot by slot from the legal set, without looking at the position."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Action:
        return legal.sample(self._rng)
