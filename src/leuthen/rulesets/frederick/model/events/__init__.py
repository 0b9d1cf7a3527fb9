"""What happened: facts in the past tense, of which each viewer gets what he may know."""

from leuthen.engine.events import Event
from leuthen.rulesets.frederick.model.events.base import Names

__all__ = ["Event", "Names"]
