from pathlib import Path

from bench.history import History
from bench.measure import Figure


def test_what_has_become_slower_is_told(tmp_path: Path) -> None:
    path = tmp_path / "history.csv"
    for commit, cost in (("first", 3.0), ("second", 1.0)):
        earlier = History(path)
        earlier.note("frederick", Figure("view", 1.0, cost))
        earlier.note("campaigns", Figure("view", 1.0, 2 * cost))
        earlier.keep(commit)
    now = History(path)
    now.note("frederick", Figure("view", 1.0, 1.2))
    now.note("campaigns", Figure("view", 1.0, 2.05))
    now.note("frederick", Figure("scene", 1.0, 9.0))
    assert list(now.slower()) == ["slower by 20% than at second: frederick view"]
    assert path.read_text(encoding="utf-8").splitlines()[:2] == ["commit,set,figure,cost", "first,frederick,view,3"]
