"""The GitHub Action and the hooks for pre-commit."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest
import yaml

from plainchant.data import data_folder
from reports import SCHEMA, checked_junit, checked_sarif
from samples import run

ROOT = Path(__file__).parents[1]


def _checkout(name: str) -> str:
    """A file at the top of the checkout; it is no part of an installed package."""
    path = ROOT / name
    if not path.is_file():
        pytest.skip(f"{name} is not shipped with this copy")
    return path.read_text(encoding="utf-8")


def _rules() -> list[Path]:
    return sorted(data_folder("rules").rglob("*.rules"))


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """A folder with the commands that an installation puts on the path."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, words in (("plainchant", "-m plainchant"), ("python", "")):
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {words} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
    return folder


def _run_action(commands: Path, folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the checking step of the action as GitHub does, with these inputs and the defaults of the others."""
    bash = shutil.which("bash")
    if bash is None or os.name == "nt":
        pytest.skip("the steps of the action are scripts for bash")
    action = yaml.safe_load(_checkout("action.yml"))
    step = action["runs"]["steps"][-1]
    values = {name: entry["default"] for name, entry in action["inputs"].items()} | {k.replace("_", "-"): v for k, v in inputs.items()}
    variables: dict[str, str] = step["env"]
    assert all(value.startswith("${{ inputs.") for value in variables.values())
    filled = {name: values[value.removeprefix("${{ inputs.").removesuffix(" }}")] for name, value in variables.items()}
    environment = {**os.environ, **filled, "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        [bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip


def test_the_action_is_put_together_as_github_reads_it() -> None:
    action = yaml.safe_load(_checkout("action.yml"))
    assert {"name", "description", "inputs", "runs"} == set(action)
    assert all(isinstance(entry["default"], str) and entry["description"] for entry in action["inputs"].values())
    assert action["runs"]["using"] == "composite"
    python, install, check = action["runs"]["steps"]
    assert python["uses"].startswith("actions/setup-python@")
    assert action["inputs"]["python-version"]["default"] >= "3.11"
    assert install["env"] == {"ACTION_PATH": "${{ github.action_path }}"}
    assert shlex.split(install["run"])[:4] == ["python", "-m", "pip", "install"] and "$ACTION_PATH" in shlex.split(install["run"])
    for step in (install, check):
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]  # no input becomes part of a script


def test_the_action_checks_the_shipped_rules(commands: Path, tmp_path: Path) -> None:
    folder = data_folder("rules").parent
    file = tmp_path / "to mend.sarif"
    done = _run_action(commands, folder, paths="rules\n", sarif_file=str(file))
    assert (done.returncode, done.stderr) == (0, "")
    assert "nothing found" in done.stdout or "claims:" in done.stdout
    log = json.loads(file.read_text(encoding="utf-8"))
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    (one,) = log["runs"]
    assert one["results"]
    assert all(result["kind"] == "fail" and not result["suppressions"] and result["locations"] for result in one["results"])


def test_the_action_fails_with_the_check_and_still_writes_its_files(commands: Path, tmp_path: Path) -> None:
    (tmp_path / "my woods.rules").write_text("nonsense\n", encoding="utf-8")
    done = _run_action(
        commands, tmp_path, paths="my woods.rules\n", format="junit", report_file="report.xml", sarif_file="report.sarif"
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    (failure,) = checked_junit((tmp_path / "report.xml").read_text(encoding="ascii")).iter("failure")
    (result,) = checked_sarif((tmp_path / "report.sarif").read_text(encoding="utf-8"))["results"]
    assert failure.get("type") == result["ruleId"]


def test_the_action_keeps_words_of_its_inputs_out_of_the_shell(commands: Path, tmp_path: Path) -> None:
    done = _run_action(commands, tmp_path, paths="$(touch harm)\n--help\n`touch harm`; touch harm")
    assert done.returncode == 2
    assert "$(touch harm)" in done.stdout
    assert not (tmp_path / "harm").exists()


def test_the_hooks_run_commands_that_succeed_on_the_shipped_rules(tmp_path: Path) -> None:
    hooks = {hook["id"]: hook for hook in yaml.safe_load(_checkout(".pre-commit-hooks.yaml"))}
    assert hooks.keys() == {"plainchant-check", "plainchant-fmt"}
    scripts = tomllib.loads(_checkout("pyproject.toml"))["project"]["scripts"]
    copy = tmp_path / "rules"
    shutil.copytree(data_folder("rules"), copy)
    files = [str(path.relative_to(tmp_path)) for path in sorted(copy.rglob("*.rules"))]
    assert files
    for hook in hooks.values():
        command, *words = shlex.split(hook["entry"])
        assert command in scripts
        assert (hook["language"], hook["files"]) == ("python", r"\.rules$")
        # The copy is not the shipped book, whose lines others transcribe as well; it is there for what writes.
        done = run([*words, *files], tmp_path if hook["id"] == "plainchant-fmt" else data_folder("rules").parent)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert hooks["plainchant-check"]["require_serial"] is True
    assert [path.read_text(encoding="utf-8") for path in _rules()] == [Path(tmp_path, file).read_text(encoding="utf-8") for file in files]
