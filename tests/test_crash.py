import signal
import subprocess
import sys
from pathlib import Path

import pytest

from leuthen.bots.random import RandomBot
from leuthen.play.dice import Key
from leuthen.play.loop import Game
from leuthen.play.record import Writer, read
from leuthen.play.replay import Replay
from tests.toy import Toy

CHILD = """
import sys
from pathlib import Path
from leuthen.bots.random import RandomBot
from leuthen.play.dice import Key
from leuthen.play.loop import Game
from leuthen.play.table import Table, header_of
from leuthen.play.record import Writer
from tests.toy import Toy

class Teller:
    def acted(self, step):
        print(step.action.do, flush=True)
    def undone(self, step): ...
    def stood(self, steps): ...

toy = Toy()
record = Writer.create(Path(sys.argv[1]), header_of(toy, "parley", {"rounds": "5"}, ("random", "random"), game="g1"))
table = Table(toy, toy.new_game("parley", {"rounds": "5"}), record=record, observers=[Teller()])
Game(table, [RandomBot(1), RandomBot(2)], Key.from_seed("crash").dice()).play()
"""


@pytest.mark.parametrize("actions", [1, 5, 11])
def test_killed_it_goes_on(toy: Toy, tmp_path: Path, actions: int) -> None:
    path = tmp_path / "game"
    root = Path(__file__).parent.parent
    child = subprocess.Popen([sys.executable, "-c", CHILD, path], stdout=subprocess.PIPE, text=True, cwd=root)
    assert child.stdout is not None
    told = [child.stdout.readline().strip() for _ in range(actions)]
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    recorded = read(path)
    assert [entry.text.split()[0] for entry in recorded.entries][:actions] == told, "what counted is on disk"
    table = Replay(toy, recorded).run()
    if recorded.end:
        return
    with Writer.append(recorded) as record:
        table.record = record
        Game(table, [RandomBot(1), RandomBot(2)], Key.fresh().dice()).play()
    assert read(path).end
