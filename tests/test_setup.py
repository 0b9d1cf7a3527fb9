import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "setup.sh", tmp_path / "tools")
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("sh", "dirname"):
        found = shutil.which(name)
        assert found
        (programs / name).symlink_to(found)
    return tmp_path


def fake_python(project: Path, script: str) -> None:
    path = project / "bin" / "python3"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def set_up(project: Path, *argv: str) -> tuple[int, str]:
    env = {"PATH": str(project / "bin")}
    done = subprocess.run(["sh", "tools/setup.sh", *argv], cwd=project, env=env, capture_output=True, text=True)
    return done.returncode, done.stderr


def test_a_missing_python_is_named(project: Path) -> None:
    code, said = set_up(project, "play")
    assert code == 1
    assert "setup: Python 3.11 or newer is missing" in said
    assert not (project / ".venv").exists()


def test_an_old_python_is_as_good_as_none(project: Path) -> None:
    fake_python(project, 'case "$2" in *version_info*) exit 1;; esac')
    assert "Python 3.11 or newer is missing" in set_up(project, "play")[1]


def test_a_python_without_venv_is_named(project: Path) -> None:
    fake_python(project, 'case "$2" in *ensurepip*) exit 1;; esac')
    code, said = set_up(project, "dev")
    assert code == 1
    assert "Python's venv module is missing (on Debian and Ubuntu: apt install python3-venv)" in said


def test_a_missing_git_is_mentioned(project: Path) -> None:
    assert "git is missing" in set_up(project)[1]


def test_an_installation_that_fails_is_said(project: Path) -> None:
    python = project / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\ncase "$*" in *install*) exit 1;; esac\n')
    python.chmod(0o755)
    code, said = set_up(project, "play")
    assert code == 1
    assert "setup: installing failed" in said
    assert not (project / ".venv" / ".play").exists()


def test_what_to_install_must_be_known(project: Path) -> None:
    code, said = set_up(project, "nonsense")
    assert code == 1
    assert "«nonsense»" in said


def test_every_target_that_the_readme_names_is_there() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"make ([a-z]+)", readme))
    assert {"play", "test", "check"} <= named
    for target in named:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_every_package_has_its_version_pinned() -> None:
    pins = re.findall(r"^([\w-]+)==", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    wanted = re.findall(r'"([\w-]+)>=', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert wanted
    assert {name.lower() for name in wanted} <= {name.lower().replace("_", "-") for name in pins} | {
        name.lower() for name in pins
    }
