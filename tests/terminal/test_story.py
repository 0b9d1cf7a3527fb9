from leuthen.engine.ruleset import EVERYTHING
from leuthen.load import load_with
from leuthen.play.record import read
from leuthen.play.replay import Replay
from leuthen.terminal.viewer_logs import ViewerLogs
from tests.golden.games import HERE


def test_the_war_is_told_at_its_end() -> None:
    recorded = read(HERE / "frederick" / "planner-bohemia.leuthen")
    ruleset = load_with("frederick", recorded.header.data)
    replay, logs = Replay(ruleset, recorded), ViewerLogs(ruleset)
    replay.table.observers.append(logs)
    table = replay.run()
    year, *commanders = logs.story.tell(table.state)
    fought = sum("Battle at" in line for line in logs.last(EVERYTHING, 10_000))
    assert year.startswith("1757: ")
    assert f"{('One', 'Two', 'Three')[fought - 1]} battle" in year
    assert f"at {table.ruleset.presenter.scene(ruleset.view(table.state, EVERYTHING)).scores[0].values[0]} to" in year
    assert commanders[0].startswith(f"Frederick: {fought} battles")
