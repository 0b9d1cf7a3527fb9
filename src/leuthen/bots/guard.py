"""A guard around a bot: it names a bot that raises, answers illegally, or does not answer."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Final

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import Pending
from leuthen.engine.seat import Look, Player, PlayFailed

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
        WATCH.asked += 1
        WATCH.is_asking = True
        try:
            self._bot = make()
        except PlayFailed:
            raise
        except (Exception, SystemExit, TooSlow) as error:
            raise self._failed(error) from error
        finally:
            WATCH.is_asking = False

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Action:
        """Return the bot's action. Raise BotFailed if it raises, is too slow, or answers illegally."""
        WATCH.asked += 1
        WATCH.is_asking = True
        try:
            answer = self._bot.choose(look, legal, pending)
            if not isinstance(answer, Action):
                raise BotFailed(f"the bot {self._name} answered {answer!r}, which is no action, to: {pending.text}")
            refusal = legal.why_not(answer)
        except PlayFailed:
            raise
        except (Exception, SystemExit, TooSlow) as error:
            raise self._failed(error) from error
        finally:
            WATCH.is_asking = False
        if refusal is not None:
            raise BotFailed(f"the bot {self._name} answered {answer!r}, which is illegal: {refusal.text}")
        return answer

    def _failed(self, error: BaseException) -> BotFailed:
        return BotFailed(f"the bot {self._name} failed: {type(error).__name__}: {error}", traceback.format_exc())
