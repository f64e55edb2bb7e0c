"""Every command and group of the command line, with the function that does it.

A function is named, not imported: `commands.lazy` imports its module when the command is asked
for. The groups' help and the first lines of the commands outside groups stand here too, so that
the first help page imports no command; the tests hold the lines to the functions' docstrings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Command:
    """A command outside groups: its function as ``module:name``, and what it does in a line."""

    function: str
    summary: str


@dataclass(frozen=True, slots=True)
class Group:
    """A group of commands: what it is for, and its members in the order of its help page.

    A member is a command's function as ``module:name``, or another group.
    """

    summary: str
    members: Members


Members: TypeAlias = Mapping[str, Command | Group | str]
"""The members of a group, or of the command line, by name."""
COMMANDS: Members = {
    "init": Command(
        "commands.workspace:init",
        "Create the workspace, or bring an older one up to date. Safe to repeat.",
    ),
    "serve": Command(
        "commands.workspace:serve",
        "Serve the app on http://localhost:PORT, for this machine only unless in team mode.",
    ),
    "status": Command(
        "commands.workspace:status", "Say what the project holds and how far people have come."
    ),
    "check": Command(
        "commands.workspace:check",
        "Prove that the derived gold equals a replay of what people did.",
    ),
    "backup": Command(
        "commands.backup:backup",
        "Write the whole database to one file. People may go on working meanwhile.",
    ),
    "restore": Command(
        "commands.backup:restore",
        "Check a backup and put it back, on the database that the workspace is set to.",
    ),
    "project": Command("commands.workspace:project", "Create a project."),
    "agreement": Command(
        "commands.agreement:agreement",
        "Print progress per annotator, and agreement: every figure with n, interval and reading.",
    ),
    "history": Command(
        "commands.history:history",
        "Tell everything that happened, newest first: drafts, submissions, decisions, people, law.",
    ),
    "levels": Command(
        "commands.levels:levels",
        "Say which levels of units retrieval searches in the project, or set them from now on.",
    ),
    "snapshots": Command(
        "commands.snapshots:snapshots",
        "List the snapshots of the law, or use another one of them. None is ever removed.",
    ),
    "compare": Command(
        "commands.compare:compare",
        "Compare two snapshots: what came, went, moved or changed, and what to check again.",
    ),
    "candidates": Command(
        "commands.data:candidates",
        "Resolve every citation and propose candidate provisions for each question.",
    ),
    "retrieve": Command(
        "commands.scoring:retrieve",
        "Run a retrieval method over the gold questions and keep the run.",
    ),
    "methods": Command(
        "commands.scoring:methods",
        "List the retrieval methods and presets, or say what one of them is.",
    ),
    "leaderboard": Command(
        "commands.leaderboard:leaderboard",
        "Print the runs with intervals, and how each differs from a baseline.",
    ),
    "evaluate": Command(
        "commands.scoring:evaluate",
        "Score a stored run against the gold, or a run file against a qrels file.",
    ),
    "statistics": Command(
        "commands.figures:statistics",
        "Print how alike questions, gold and answers are, beside other data sets, with tests.",
    ),
    "person": Group(
        "Add people to the project, and say what they are in it.",
        {
            "add": "commands.people:add",
            "role": "commands.people:role",
            "rename": "commands.people:rename",
            "deactivate": "commands.people:deactivate",
            "reactivate": "commands.people:reactivate",
            "list": "commands.people:listing",
            "invite": "commands.people:invite",
        },
    ),
    "account": Group(
        "Make and tend the accounts that people sign in with (team mode).",
        {
            "add": "commands.accounts:add",
            "password": "commands.accounts:password",
            "reset": "commands.accounts:reset",
            "deactivate": "commands.accounts:deactivate",
            "reactivate": "commands.accounts:reactivate",
            "list": "commands.accounts:listing",
        },
    ),
    "guideline": Group(
        "Read and edit guidelines and codebooks, and take answers over.",
        {
            "list": "commands.guidelines:listing",
            "show": "commands.guidelines:show",
            "edit": "commands.guidelines:edit",
            "diff": "commands.guidelines:difference",
            "decisions": "commands.guidelines:made_under",
            "migrate": "commands.guidelines:migrate",
        },
    ),
    "assign": Group(
        "Give items to people in batches.",
        {
            "make": "commands.assign:make",
            "people": "commands.assign:people",
            "overlap": "commands.assign:overlap",
            "deadline": "commands.assign:deadline",
            "out": "commands.assign:take_out",
            "close": "commands.assign:close",
            "known": "commands.assign:known",
            "list": "commands.assign:list_all",
        },
    ),
    "adjudicate": Group(
        "Settle the questions on which annotators differ.",
        {
            "list": "commands.adjudicate:listing",
            "show": "commands.adjudicate:show",
            "decide": "commands.adjudicate:decide",
            "refer": "commands.adjudicate:refer",
            "recall": "commands.adjudicate:recall",
            "ask": "commands.adjudicate:ask",
            "requests": "commands.adjudicate:requests",
            "give-back": "commands.adjudicate:give_back",
            "decline": "commands.adjudicate:decline",
        },
    ),
    "import": Group(
        "Read statutes, questions or annotations into the project.",
        {
            "statutes": "commands.data:statutes",
            "questions": "commands.data:questions",
            "annotations": "commands.exchange:bring_in",
            "labels": "commands.exchange:labels",
        },
    ),
    "graph": Group(
        "Build the citation graph, walk it and describe it.",
        {
            "build": "commands.graph:build",
            "neighbours": "commands.graph:neighbours",
            "report": "commands.report:report",
        },
    ),
    "judge": Group(
        "Judges of answers: bring in, ask, report, and what to review.",
        {
            "cases": "commands.judge:cases",
            "answer": "commands.judge:answer",
            "verdicts": "commands.judge:verdicts",
            "ratings": "commands.judge:ratings",
            "run": "commands.judge:run",
            "report": "commands.judge:report",
            "waiting": "commands.judge:waiting",
            "export": "commands.judge:export",
        },
    ),
    "cases": Group(
        "Court cases: bring judgments in, list and read them.",
        {
            "preview": "commands.cases:preview",
            "import": "commands.cases:bring_in",
            "list": "commands.cases:listing",
            "show": "commands.cases:show",
            "patterns": "commands.cases:patterns",
        },
    ),
    "groups": Group(
        "Standard groups of court cases, and the typology behind them.",
        {
            "report": "commands.groups:report",
            "list": "commands.groups:listing",
            "left-out": "commands.groups:left_out",
            "query": "commands.groups:query",
            "typology": "commands.groups:typology",
            "versions": "commands.groups:versions",
            "preview": "commands.groups:preview",
            "save": "commands.groups:save",
        },
    ),
    "stricter": Group(
        "Stricter groups of court cases, and the benchmarks made of them.",
        {
            "list": "commands.stricter:listing",
            "show": "commands.stricter:show",
            "export": "commands.stricter:export",
            "evaluate": "commands.stricter:evaluate",
        },
    ),
    "llm": Group(
        "Language models: which are set, what they cost, do they answer.",
        {
            "status": "commands.llm:status",
            "calls": "commands.llm:calls",
            "test": "commands.llm:test",
            "prompts": "commands.llm:prompts",
            "prompt": "commands.llm:prompt",
        },
    ),
    "mcq": Group(
        "Multiple-choice questions that need two provisions.",
        {
            "generate": "commands.mcq:generate",
            "import": "commands.mcq:bring_in",
            "solve": "commands.mcq:solve",
            "report": "commands.mcq:report",
            "replies": "commands.mcq:replies",
            "export": "commands.mcq:export",
            "disputes": "commands.mcq_settle:listing",
            "show": "commands.mcq_settle:show",
            "settle": "commands.mcq_settle:settle",
        },
    ),
    "ocr": Group(
        "Pages of law as images: bring in, draft, publish, report.",
        {
            "import": "commands.ocr:bring_in",
            "draft": "commands.ocr:draft",
            "list": "commands.ocr:listing",
            "publish": "commands.ocr:publish",
            "report": "commands.ocr:report",
        },
    ),
    "factors": Group(
        "Factors of court cases: codebook, items, suggestions, agreement.",
        {
            "items": "commands.factor_items:items",
            "suggest": "commands.factor_suggest:suggest",
            "suggestions": "commands.factor_suggest:setting",
            "report": "commands.factor_report:report",
            "tags": "commands.factor_report:tags",
            "disputes": "commands.factor_report:disputes",
            "dispute": "commands.factor_report:show",
            "settle": "commands.factor_report:settle",
            "codebook": Group(
                "The codebook of factors: read, check, import, export, compare.",
                {
                    "show": "commands.factors:show",
                    "check": "commands.factors:check",
                    "import": "commands.factors:bring_in",
                    "export": "commands.factors:export",
                    "diff": "commands.factors:difference",
                },
            ),
        },
    ),
    "export": Group(
        "Write the project's gold, runs or annotations to files.",
        {
            "gold": "commands.scoring:gold",
            "annotations": "commands.exchange:write_out",
            "run": "commands.scoring:run_file",
        },
    ),
    "run": Group(
        "Runs of retrieval methods, ours and those of other systems.",
        {
            "import": "commands.runs:import_file",
        },
    ),
    "experiment": Group(
        "Experiments as files: check, run, list and read them.",
        {
            "check": "commands.experiment:check",
            "run": "commands.experiment:run",
            "list": "commands.experiment:listing",
            "show": "commands.experiment:show",
            "export": "commands.experiment:export",
            "starters": "commands.experiment:starters",
        },
    ),
    "figure": Group(
        "Draw figures of questions and runs as SVG or PNG, or their data.",
        {
            "neighbourhood": "commands.figures:neighbourhood",
            "hits": "commands.figures:hits",
            "similarity": "commands.figures:similarity",
            "bars": "commands.figures:bars",
        },
    ),
    "index": Group(
        "Indexes of retrieval methods that are kept on disk.",
        {
            "list": "commands.index:listing",
            "clear": "commands.index:clear",
        },
    ),
}
