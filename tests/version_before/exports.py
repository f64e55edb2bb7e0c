"""What the command line writes of the kept workspace: files, and figures printed as JSON.

Words that people read on the way, such as "Wrote gold.csv", are not kept: they may be put better.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tests.commands.called import command_line

_TABLES = ("csv", "md", "tex")
_RUNS = "1 2 3"


def _to(command: str, *endings: str, name: str = "") -> dict[str, str]:
    """Return a call for each ending, which writes a file of it with ``--output``."""
    stem = name or command.replace(" ", "-")
    return {f"{stem}.{end}": f"{command} --output {{out}}/{stem}.{end}" for end in endings}


# By name, which is also that of the folder {out}.
WRITTEN: Mapping[str, str] = {
    "gold": "export gold {out} --licence CC0",
    "gold-pseudonyms": "export gold {out} --pseudonyms --snapshot 1",
    "annotations": "export annotations {out}/annotations.jsonl",
    "run-1": "export run 1 {out}/run.trec",
    "run-3": "export run 3 {out}/run.trec",
    **_to("agreement", "csv", "md"),
    **_to("history", "jsonl", "csv"),
    **_to("graph report", "csv", "md"),
    **_to("judge report", "csv", "md"),
    "judging": "judge export {out}",
    **_to("mcq report", *_TABLES),
    **_to("mcq report --checked", "csv", name="mcq-checked"),
    "mcq": "mcq export {out}",
    "mcq-unchecked": "mcq export {out} --unchecked",
    **_to("factors report", "csv"),
    "factor-tags": "factors tags {out}/tags.csv",
    "factor-codebook": "factors codebook export {out}/codebook.yaml",
    "factor-codebook-1": "factors codebook export {out}/codebook.yaml --number 1",
    **_to("groups report", "csv"),
    **_to("groups list", "csv"),
    **_to("groups typology", "yaml"),
    "stricter": "stricter export {out} --seed 3 --licence CC0",
    "stricter-run": "stricter evaluate --keep {out}/run.trec",
    **{
        f"leaderboard.{kind}": f"leaderboard --table {kind} --file {{out}}/leaderboard"
        for kind in ("text", "csv", "markdown", "latex")
    },
    **{f"experiment.{end}": f"experiment export 1 {{out}}/table.{end}" for end in _TABLES},
    **_to("statistics", "svg", *_TABLES),
    **_to("statistics --language ko --dark", "svg", name="statistics-ko"),
    **_to("figure neighbourhood en-01", "svg", "csv", name="neighbourhood"),
    **_to("figure hits", "svg", *_TABLES, name="hits"),
    **_to(f"figure similarity {_RUNS}", "svg", *_TABLES, name="similarity"),
    **_to(f"figure bars {_RUNS}", "svg", "csv", name="bars"),
    **_to("figure bars 1 --measure nDCG@10 --language ko --dark", "svg", name="bars-ko"),
}
PRINTED: tuple[str, ...] = (
    "status",
    "agreement",
    "person list",
    "account list",
    "assign list",
    "guideline list",
    "guideline show 1",
    "guideline diff 1 2",
    "guideline decisions 1",
    "guideline list --task factor_tagging --kind codebook",
    "snapshots",
    "levels",
    "compare 1 2",
    "adjudicate list --by SORA",
    "adjudicate show ko-03 --by SORA",
    "adjudicate requests --by SORA",
    "evaluate 1",
    "leaderboard",
    "experiment list",
    "experiment show 1",
    "experiment starters",
    "graph neighbours Gaon-Fire-Safety-Act_article-12",
    "judge report",
    "judge waiting",
    "mcq report",
    "mcq replies",
    "mcq disputes --by SORA",
    "mcq show mcq-ko-1 --by SORA",
    "ocr list",
    "ocr report",
    "factors report",
    "factors disputes --by SORA",
    "factors dispute fraud-3 settlement --by SORA",
    "factors codebook show",
    "factors codebook diff 1 2",
    "cases list",
    "cases show fraud-1",
    "cases patterns ko",
    "groups list",
    "groups left-out",
    "groups versions",
    "stricter list",
    "stricter show fraud.fraud",
    "stricter evaluate",
    "llm calls",
    "llm prompts",
    "llm prompt judge_binary",
    "statistics",
    "figure hits",
)


def write(name: str, workspace: Path, out: Path) -> dict[str, bytes]:
    """Run the command of that name of `WRITTEN`; return the files that it wrote, by their place."""
    out.mkdir(parents=True, exist_ok=True)
    words = [word.replace("{out}", str(out)) for word in WRITTEN[name].split()]
    done = command_line(workspace, *words)
    assert done.returncode == 0, (name, done.stdout, done.stderr)
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file()
    }


def printed(command: str, workspace: Path) -> bytes:
    """Return what a command of `PRINTED` prints as JSON, with a line for each value."""
    words = ["Lee Sora" if word == "SORA" else word for word in command.split()]
    done = command_line(workspace, "--json", *words)
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    said = json.loads(done.stdout.replace(str(workspace), "WORKSPACE"))
    return (json.dumps(said, ensure_ascii=False, indent=1) + "\n").encode()
