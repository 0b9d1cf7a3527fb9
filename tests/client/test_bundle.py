import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from leuthen.load import map_folder
from leuthen.server.http.files import CLIENT, PAGES, client
from mapmaking.cartography import read
from mapmaking.cartography.grid import neighbours
from tools.bundle import bundle, find_esbuild
from tools.clienttypes.__main__ import FILE, client_types
from tools.node import command, find_node


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    esbuild = find_esbuild()
    assert esbuild is not None
    folder = tmp_path_factory.mktemp("client")
    bundle(esbuild, folder)
    return folder


@pytest.mark.parametrize(("address", "name"), PAGES.items())
def test_a_page_has_one_script_and_one_sheet(folder: Path, address: str, name: str) -> None:
    bundled, html = client(folder), client(folder).pages[address].plain.decode()
    stem = name.removesuffix(".html")
    assert re.findall(r'type="module" src="/static/~\w+/([^"]+)"', html) == [f"{stem}.js"]
    assert re.findall(r'rel="stylesheet" href="/static/~\w+/([^"]+)">', html) == [f"{stem}.css"]
    assert "modulepreload" not in html
    for path in re.findall(r'(?:src|href)="/static/~\w+/([^"]+)"', html):
        assert bundled.files[path].plain


def test_a_bundle_imports_nothing_else(folder: Path) -> None:
    scripts = [path.read_text(encoding="utf-8") for path in folder.glob("*.js")]
    assert len(scripts) == len(PAGES)
    assert not [script for script in scripts if re.search(r"""\b(?:import|from)\s*\(?["']\.""", script)]


def test_a_bundle_is_less_than_half_of_its_modules(folder: Path) -> None:
    written = sum(path.stat().st_size for path in CLIENT.rglob("*.js"))
    assert (folder / "table.js").stat().st_size < written / 2


def test_the_bundler_keeps_the_colours_of_both_themes(folder: Path) -> None:
    style = (folder / "table.css").read_text(encoding="utf-8")
    assert "--is-dark: }" in style
    assert "--is-light: ;" in style
    assert style.count("var(--is-light,") == style.count("var(--is-dark,") > 50


def test_a_module_with_an_error_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "source"
    (source / "js").mkdir(parents=True)
    (source / "index.html").write_text('<script type="module" src="/static/js/main.js"></script>')
    (source / "js" / "main.js").write_text('import { no } from "./other.js";\n')
    esbuild = find_esbuild()
    assert esbuild is not None
    with pytest.raises(subprocess.CalledProcessError):
        bundle(esbuild, tmp_path / "bundle", source)
    assert "js/main.js:1" in capfd.readouterr().err


SCRIPT_TESTS = sorted((Path(__file__).parent / "js").glob("*.test.js"))


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    hexes = frozenset(read(map_folder("frederick")).hexes)
    path = tmp_path_factory.mktemp("board") / "board.json"
    path.write_text(json.dumps({place: [n if n in hexes else "" for n in neighbours(place)] for place in hexes}))
    return path


@pytest.mark.parametrize("path", SCRIPT_TESTS, ids=lambda path: path.name.partition(".")[0])
def test_script_tests_pass(path: Path, board: Path) -> None:
    env = {**os.environ, "LEUTHEN_BOARD": str(board)}
    done = subprocess.run([find_node(), "--test", path], env=env, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stdout
    assert "# pass 0" not in done.stdout


ROOT = Path(__file__).parents[2]


def test_the_client_types_are_up_to_date() -> None:
    assert FILE.read_text(encoding="utf-8") == client_types(), "run python -m tools.clienttypes"


def test_the_client_passes_the_type_checker() -> None:
    done = check_types(ROOT / "jsconfig.json")
    assert not done.returncode, done.stdout


def test_the_type_checker_finds_a_planted_error(tmp_path: Path) -> None:
    said = check_script(tmp_path, "/** @type {import('./types').Score} */\nexport const score = {id: 1};\n")
    assert "Type 'number' is not assignable to type 'string'" in said.stdout
    assert said.returncode
    assert not check_script(tmp_path, "export const one = 1;\n").returncode


def check_types(settings: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command("tsc", "-p", settings), capture_output=True, text=True, check=False)


def check_script(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    (folder / "types.d.ts").write_text(FILE.read_text(encoding="utf-8"))
    (folder / "page.js").write_text(script)
    settings = f'{{"extends": "{ROOT}/jsconfig.json", "include": ["{folder}/*"]}}'
    (folder / "jsconfig.json").write_text(settings)
    return check_types(folder / "jsconfig.json")
