"""Types and names of the rule set *Frederick*, for programs: `from leuthen.frederick import State, View`."""

from leuthen.engine.events import Event as Event
from leuthen.rulesets.frederick.knowledge import View as View
from leuthen.rulesets.frederick.model import actions as actions
from leuthen.rulesets.frederick.model import events as events
from leuthen.rulesets.frederick.model.data import POWERS as POWERS
from leuthen.rulesets.frederick.model.pieces import Depot as Depot
from leuthen.rulesets.frederick.model.pieces import SeenStack as SeenStack
from leuthen.rulesets.frederick.model.pieces import Stack as Stack
from leuthen.rulesets.frederick.model.state import State as State
from leuthen.rulesets.frederick.ruleset import Frederick as Frederick
