import ast
import inspect
import re
from pathlib import Path

import pytest

import leuthen

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("name", leuthen.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    value = getattr(leuthen, name)
    if inspect.isclass(value) or inspect.isfunction(value):
        assert inspect.getdoc(value)


def test_the_names_that_types_see_are_those_that_are_there() -> None:
    tree = ast.parse(Path(leuthen.__file__).read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    seen = {alias.asname: node.module for node in imports for alias in node.names if alias.asname}
    assert seen == {name: f"leuthen.{home}" for name, home in leuthen._HOME_OF.items()}


def test_an_unknown_name_is_none() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        str(leuthen.nonsense)
    assert "ruleset" in dir(leuthen)


def test_the_example_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert len(example.splitlines()) <= 20
    exec(compile(example, "README.md", "exec"), {})
    assert capsys.readouterr().out
