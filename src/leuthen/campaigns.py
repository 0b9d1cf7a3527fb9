"""Types and names of the rule set *Campaigns*, for programs: `from leuthen.campaigns import State, View`."""

from leuthen.engine.events import Event as Event
from leuthen.rulesets.campaigns.knowledge import View as View
from leuthen.rulesets.campaigns.model import actions as actions
from leuthen.rulesets.campaigns.model import events as events
from leuthen.rulesets.campaigns.model.data import NATIONS as NATIONS
from leuthen.rulesets.campaigns.model.forces import SeenForce as SeenForce
from leuthen.rulesets.campaigns.model.pieces import Unit as Unit
from leuthen.rulesets.campaigns.model.state import State as State
from leuthen.rulesets.campaigns.ruleset import Campaigns as Campaigns
