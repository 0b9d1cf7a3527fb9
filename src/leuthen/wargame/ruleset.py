"""Rule sets with a grammar of order lines."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar

from leuthen.engine.choice import Action
from leuthen.engine.fields import Seen
from leuthen.engine.ruleset import ActorId, as_side
from leuthen.engine.ruleset_base import D, RulesetBase, S
from leuthen.wargame.grammar import Grammar, WordReader, read_line, write_line
from leuthen.wargame.parts import complete_line


class GrammarRuleset(RulesetBase[S, D]):
    """A rule set whose record notation follows from a grammar of its actions."""

    GRAMMAR: ClassVar[Grammar]
    READER: ClassVar[Callable[..., WordReader]]  # the reader of words, made from data, position, actor and words

    @abstractmethod
    def outline(self, view: Any) -> S:
        """Return a position with the knowledge of a view, to write an order from."""

    def parse_action(self, state: S, actor: ActorId, text: str) -> Action:
        return read_line(self.GRAMMAR, text, self._reader(state, actor))

    def format_action(self, state: S | Seen, actor: ActorId, action: Action) -> str:
        pos = self.outline(state) if isinstance(state, Seen) else state
        return write_line(self.GRAMMAR, self._reader(pos, actor)(), action)

    def complete(self, state: S, actor: ActorId, text: str) -> Sequence[str]:
        return complete_line(self.GRAMMAR, self.legal_actions(state, actor), text, self._reader(state, actor))

    def _reader(self, pos: S, actor: ActorId) -> Callable[..., WordReader]:
        return partial(self.READER, self.data, pos, as_side(actor))
