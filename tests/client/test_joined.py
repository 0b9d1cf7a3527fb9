"""The modules of a page become one script that does the same."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from graphlib import CycleError
from pathlib import Path

import pytest

from leuthen.server.http.files import CLIENT
from leuthen.server.http.joined import bare, joined
from tools.node import command, find_node


def says(script: str) -> str:
    done = subprocess.run(
        [find_node(), "--input-type=module"], input=script, capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stderr
    return done.stdout


def test_modules_run_once_behind_what_they_import_and_keep_their_names_apart() -> None:
    texts = {
        "js/a.js": b"""// What it does.
import * as d from "./sub/d.js";
import { name as theirs, Kind } from "./sub/b.js";
/** @import { name } from "./no.js" */
const name = "a";
const late = await_();
async function await_() { return (await import("./sub/c.js")).said; }
late.then((said) => console.log(name, theirs, new Kind().what, d.once(), said));
""",
        "js/sub/b.js": b"""import {
  once,
} from "./d.js";
export const name = "b";
export class Kind { what = once(); }
""",
        "js/sub/c.js": b'import { once } from "./d.js";\nexport const said = `c${once()}`;\n',
        "js/sub/d.js": b'console.log("d runs");\nexport function once() { return "d"; }\n',
        "js/other.js": b"not JavaScript",
    }
    script = joined("js/a.js", texts)
    assert says(script).split() == ["d", "runs", "a", "b", "d", "d", "cd"]
    assert "What it does" not in script


@pytest.mark.parametrize(
    "line", ['export { b } from "./b.js";', "export default 1;", 'import "./b.js";', "await 1;", "import.meta.url;"]
)
def test_what_cannot_be_joined_is_refused_by_name(line: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"a.js: «{line}»")):
        joined("a.js", {"a.js": line.encode()})


def test_modules_that_import_each_other_are_refused() -> None:
    with pytest.raises(CycleError):
        joined("js/a.js", {"js/a.js": b'import { b } from "./b.js";\n', "js/b.js": b'import { a } from "./a.js";\n'})


def test_a_module_says_the_same_without_its_comments(tmp_path: Path) -> None:
    written = {path.relative_to(CLIENT): path.read_text(encoding="utf-8") for path in CLIENT.rglob("*.js")}
    written[Path("broken.js")] = "export const text = `\n// said\n`;\n"
    without = {path: bare(text) for path, text in written.items()}
    assert "/**\n" not in without[Path("js/session/api.js")]
    printed, again = printing(tmp_path / "a", written), printing(tmp_path / "b", without)
    assert [path.name for path in written if printed[path] != again[path]] == ["broken.js"]


def printing(folder: Path, texts: Mapping[Path, str]) -> Mapping[Path, str]:
    """Scripts as the compiler, which understands them, writes them without comments."""
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    options = ["--allowJs", "--noCheck", "--removeComments", "--target", "esnext", "--module", "esnext"]
    out = folder / "out"
    done = subprocess.run(
        command("tsc", *options, "--rootDir", folder, "--outDir", out, *(folder / path for path in texts)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stdout
    return {path: (out / path).read_text(encoding="utf-8") for path in texts}
