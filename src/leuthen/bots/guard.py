"""Asks a bot, and names it where it fails: it raises, answers with no legal action, or does not answer at all."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Final

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import Pending
from leuthen.engine.seat import Look, Player, PlayFailed

TICKS: Final = 4
"""Ticks of a watch within the time that a bot has for a decision."""
PATIENCE: Final = 60
"""Seconds for a decision, where nobody says otherwise."""


class TooSlow(BaseException):
    """A bot has thought too long about a decision. No `except Exception` of its own stops this."""


class BotFailed(PlayFailed):
    """A bot failed. The message names it."""


class Watch:
    """Notices a decision that takes too long, when somebody lets it tick."""

    def __init__(self) -> None:
        self.asked = 0
        """Decisions that were asked for."""
        self.is_asking = False
        self._last = -1
        self._ticks = 0

    def tick(self) -> None:
        """Raises TooSlow if the decision has been the same for TICKS ticks."""
        if not self.is_asking or self.asked != self._last:
            self._last, self._ticks = self.asked, 0
            return
        self._ticks += 1
        if self._ticks >= TICKS:
            self._ticks = 0
            raise TooSlow("it has not answered in time")


WATCH: Final = Watch()
"""The watch of this process, in which one bot thinks at a time."""


class GuardedBot:
    """A bot whose failure ends the game with its name."""

    def __init__(self, name: str, make: Callable[[], Player]) -> None:
        """Makes the bot. Raises BotFailed if that fails."""
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
        """Answers one decision. Raises BotFailed if the bot raises, is too slow, or gives no legal action."""
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
