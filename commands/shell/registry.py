"""Every command and group of the command line, with the function that does it.

A function is named, not imported: `commands.shell.lazy` imports its module when the command is
asked for. The groups' help and the first lines of the commands outside groups stand here too, so
that the first help page imports no command; the tests hold the lines to the functions' docstrings.
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
        "commands.shell.workspace:init",
        "Create the workspace, or bring an older one up to date. Safe to repeat.",
    ),
    "serve": Command(
        "commands.shell.workspace:serve",
        "Serve the app on http://localhost:PORT, for this machine only unless in team mode.",
    ),
    "status": Command(
        "commands.shell.workspace:status",
        "Say what to do next, what the project holds, and how far people have come: its overview.",
    ),
    "check": Command(
        "commands.shell.workspace:check",
        "Prove that the derived gold equals a replay of what people did.",
    ),
    "backup": Command(
        "commands.shell.workspace:backup",
        "Write the whole database to one file. People may go on working meanwhile.",
    ),
    "restore": Command(
        "commands.shell.workspace:restore",
        "Check a backup and put it back, on the database that the workspace is set to.",
    ),
    "project": Command(
        "commands.shell.workspace:project",
        "Create a project, or list the projects of the workspace.",
    ),
    "agreement": Command(
        "commands.agreement:agreement",
        "Print progress per annotator, and agreement: every figure with n, interval and reading.",
    ),
    "history": Command(
        "commands.history:history",
        "Tell everything that happened, newest first: drafts, submissions, decisions, people, law.",
    ),
    "levels": Command(
        "commands.law.levels:levels",
        "Say which levels of units retrieval searches in the project, or set them from now on.",
    ),
    "snapshots": Command(
        "commands.law.comparison:snapshots",
        "List the snapshots of the law, or use another one of them. None is ever removed.",
    ),
    "compare": Command(
        "commands.law.comparison:compare",
        "Compare two snapshots: what came, went, moved or changed, and what to check again.",
    ),
    "candidates": Command(
        "commands.law.importing:candidates",
        "Resolve every citation and propose candidate provisions for each question.",
    ),
    "retrieve": Command(
        "commands.runs.scoring:retrieve",
        "Run a retrieval method over all questions and keep the run.",
    ),
    "methods": Command(
        "commands.runs.scoring:methods",
        "List the retrieval methods and presets, say what one is, or check one of your own.",
    ),
    "leaderboard": Command(
        "commands.runs.leaderboard:leaderboard",
        "Print the runs with intervals, and how each differs from a baseline.",
    ),
    "evaluate": Command(
        "commands.runs.scoring:evaluate",
        "Score a stored run against the gold, or a run file against a qrels file.",
    ),
    "statistics": Command(
        "commands.figures:statistics",
        "Print how alike questions, gold and answers are, beside other data sets, with tests.",
    ),
    "person": Group(
        "Add people to the project, and say what they are in it.",
        {
            "add": "commands.people.members:add",
            "role": "commands.people.members:role",
            "rename": "commands.people.members:rename",
            "deactivate": "commands.people.members:deactivate",
            "reactivate": "commands.people.members:reactivate",
            "list": "commands.people.members:listing",
            "invite": "commands.people.members:invite",
        },
    ),
    "account": Group(
        "Make and tend the accounts that people sign in with (team mode).",
        {
            "add": "commands.people.accounts:add",
            "password": "commands.people.accounts:password",
            "reset": "commands.people.accounts:reset",
            "deactivate": "commands.people.accounts:deactivate",
            "reactivate": "commands.people.accounts:reactivate",
            "list": "commands.people.accounts:listing",
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
            "builtin": "commands.guidelines:builtin",
            "migrate": "commands.guidelines:migrate",
        },
    ),
    "assign": Group(
        "Give items to people in batches.",
        {
            "make": "commands.batches:make",
            "people": "commands.batches:people",
            "overlap": "commands.batches:overlap",
            "deadline": "commands.batches:deadline",
            "out": "commands.batches:take_out",
            "close": "commands.batches:close",
            "pool": "commands.batches:pool",
            "known": "commands.batches:known",
            "list": "commands.batches:list_all",
        },
    ),
    "adjudicate": Group(
        "Settle the questions on which annotators differ.",
        {
            "list": "commands.adjudication:listing",
            "show": "commands.adjudication:show",
            "decide": "commands.adjudication:decide",
            "undo": "commands.adjudication:undo",
            "refer": "commands.adjudication:refer",
            "send-back": "commands.adjudication:refer",
            "recall": "commands.adjudication:recall",
            "ask": "commands.adjudication:ask",
            "requests": "commands.adjudication:requests",
            "give-back": "commands.adjudication:give_back",
            "decline": "commands.adjudication:decline",
        },
    ),
    "amended": Group(
        "What of every task rests on amended law, and what becomes of it.",
        {
            "list": "commands.law.watch:listing",
            "show": "commands.law.watch:show",
            "confirm": "commands.law.watch:confirm",
            "send-back": "commands.law.watch:send_back",
            "set-aside": "commands.law.watch:set_aside",
            "reopen": "commands.law.watch:reopen",
        },
    ),
    "import": Group(
        "Read statutes, questions or annotations into the project.",
        {
            "statutes": "commands.law.importing:statutes",
            "questions": "commands.law.importing:questions",
            "annotations": "commands.exchange:bring_in",
            "labels": "commands.exchange:labels",
        },
    ),
    "graph": Group(
        "Build the citation graph, walk it, describe it and map it.",
        {
            "build": "commands.law.graph:build",
            "neighbours": "commands.law.graph:neighbours",
            "report": "commands.law.graph:report",
            "map": "commands.law.graph:map_law",
        },
    ),
    "citations": Group(
        "Read the citations of any text in the law in use.",
        {"read": "commands.law.citations:read"},
    ),
    "answers": Group(
        "Answers that models write from stated evidence: plan, ask, read, report, export.",
        {
            "plan": "commands.answers.asking:plan",
            "run": "commands.answers.asking:ask",
            "list": "commands.answers.asking:listing",
            "show": "commands.answers.asking:show",
            "export": "commands.answers.asking:export",
            "report": "commands.answers.report:report",
        },
    ),
    "judge": Group(
        "Judges of answers: bring in, ask, report, and what to review.",
        {
            "cases": "commands.judging:cases",
            "answer": "commands.judging:answer",
            "verdicts": "commands.judging:verdicts",
            "ratings": "commands.judging:ratings",
            "run": "commands.judging:run",
            "report": "commands.judging:report",
            "waiting": "commands.judging:waiting",
            "export": "commands.judging:export",
        },
    ),
    "attribution": Group(
        "Claims and citations of answers: cut, label, review, report.",
        {
            "split": "commands.attribution.asking:split",
            "label": "commands.attribution.asking:label",
            "report": "commands.attribution.report:report",
            "show": "commands.attribution.asking:show",
            "items": "commands.attribution.review:items",
            "suggestions": "commands.attribution.review:suggestions",
            "corrected": "commands.attribution.review:corrected",
        },
    ),
    "cases": Group(
        "Court cases: bring judgments in, list and read them.",
        {
            "preview": "commands.cases.court_cases:preview",
            "import": "commands.cases.court_cases:bring_in",
            "list": "commands.cases.court_cases:listing",
            "show": "commands.cases.court_cases:show",
            "patterns": "commands.cases.court_cases:patterns",
        },
    ),
    "groups": Group(
        "Standard groups of court cases, and the typology behind them.",
        {
            "report": "commands.cases.standard_groups:report",
            "list": "commands.cases.standard_groups:listing",
            "left-out": "commands.cases.standard_groups:left_out",
            "query": "commands.cases.standard_groups:query",
            "typology": "commands.cases.standard_groups:typology",
            "versions": "commands.cases.standard_groups:versions",
            "preview": "commands.cases.standard_groups:preview",
            "save": "commands.cases.standard_groups:save",
        },
    ),
    "parallel": Group(
        "Parallel groups of provisions: declare them, decide on those that likeness proposes.",
        {
            "list": "commands.parallel:listing",
            "text": "commands.parallel:text",
            "versions": "commands.parallel:versions",
            "preview": "commands.parallel:preview",
            "save": "commands.parallel:save",
            "proposals": "commands.parallel:proposed",
            "confirm": "commands.parallel:confirm",
            "refuse": "commands.parallel:refuse",
        },
    ),
    "augment": Group(
        "Questions that a model writes by axes: type, difficulty and facets.",
        {
            "axes": Group(
                "The axes: facets, types, levels, the rubric and domains, as a text with versions.",
                {
                    "text": "commands.augmentation:axes_text",
                    "versions": "commands.augmentation:axes_versions",
                    "preview": "commands.augmentation:axes_preview",
                    "save": "commands.augmentation:axes_save",
                },
            ),
            "matrix": "commands.augmentation:matrix",
            "plan": "commands.augmentation:plan",
            "make": "commands.augmentation:make",
            "list": "commands.augmentation:listing",
            "show": "commands.augmentation:show",
        },
    ),
    "cascade": Group(
        "The layers that augmented questions go through: run, report, read, restore.",
        {
            "run": "commands.cascade:run",
            "report": "commands.cascade:report",
            "list": "commands.cascade:listing",
            "show": "commands.cascade:show",
            "restore": "commands.cascade:restore",
            "withdraw": "commands.cascade:withdraw",
            "layers": Group(
                "The layers as a text with versions.",
                {
                    "text": "commands.cascade:text",
                    "versions": "commands.cascade:versions",
                    "check": "commands.cascade:check",
                    "save": "commands.cascade:save",
                },
            ),
        },
    ),
    "split": Group(
        "Divide the gold into train, dev and test, and see what parts share.",
        {
            "make": "commands.splits:make",
            "show": "commands.splits:show",
            "list": "commands.splits:listing",
        },
    ),
    "datasheet": Group(
        "What only people know of the data: show it, fill it in, see its versions.",
        {
            "show": "commands.datasheet:show",
            "set": "commands.datasheet:set_answers",
            "history": "commands.datasheet:history",
        },
    ),
    "closure": Group(
        "Gold that is probably incomplete: what is missing by rule, and what becomes of it.",
        {
            "check": "commands.closure:check",
            "fix": "commands.closure:fix",
            "dismiss": "commands.closure:dismiss",
            "reopen": "commands.closure:reopen",
            "audit": "commands.closure:audit",
            "rules": Group(
                "The rules of closure: read them, compare, save a version.",
                {
                    "text": "commands.closure:text",
                    "versions": "commands.closure:versions",
                    "preview": "commands.closure:preview",
                    "save": "commands.closure:save",
                },
            ),
        },
    ),
    "downstream": Group(
        "How much what stands before a model helps it to answer: none, retrieved, gold.",
        {
            "report": "commands.downstream:report",
            "figure": "commands.downstream:figure",
            "questions": "commands.downstream:questions",
        },
    ),
    "readings": Group(
        "What is read out of each unit for methods: entities, relations, triples, questions.",
        {
            "show": "commands.readings:show",
            "counts": "commands.readings:counts",
            "ask": "commands.readings:ask",
        },
    ),
    "research": Group(
        "Questions whose rule of law people research: items, and the passages that they found.",
        {
            "items": "commands.research.searching:items",
            "export": "commands.research.searching:export",
        },
    ),
    "search": Group(
        "Search statutes and court cases.",
        {
            "tc": "commands.research.searching:tc",
        },
    ),
    "stricter": Group(
        "Stricter groups of court cases, and the benchmarks made of them.",
        {
            "list": "commands.stricter:listing",
            "show": "commands.stricter:show",
            "export": "commands.stricter:export",
            "evaluate": "commands.stricter:evaluate",
            "table": "commands.stricter:table",
        },
    ),
    "legalsearchlm": Group(
        "Generative retrieval: prepare pairs, train a model on them, evaluate it.",
        {
            "prepare": "commands.legalsearchlm:prepare",
            "train": "commands.legalsearchlm:train",
            "curve": "commands.legalsearchlm:curve",
            "evaluate": "commands.legalsearchlm:evaluate",
        },
    ),
    "llm": Group(
        "Language models: which are set, what they cost, do they answer.",
        {
            "status": "commands.models:status",
            "calls": "commands.models:calls",
            "test": "commands.models:test",
            "prompts": "commands.models:prompts",
            "prompt": "commands.models:prompt",
        },
    ),
    "mcq": Group(
        "Multiple-choice questions that need two provisions.",
        {
            "generate": "commands.mcq.questions:generate",
            "import": "commands.mcq.questions:bring_in",
            "votes": "commands.mcq.questions:bring_votes",
            "solve": "commands.mcq.questions:solve",
            "report": "commands.mcq.questions:report",
            "replies": "commands.mcq.questions:replies",
            "export": "commands.mcq.questions:export",
            "disputes": "commands.mcq.disputes:listing",
            "show": "commands.mcq.disputes:show",
            "settle": "commands.mcq.disputes:settle",
        },
    ),
    "curation": Group(
        "Questions that a model wrote: give them to people, admit those kept.",
        {
            "items": "commands.curation.questions:items",
            "list": "commands.curation.questions:listing",
            "admit": "commands.curation.questions:admit",
            "report": "commands.curation.questions:report",
        },
    ),
    "questions": Group(
        "Questions of a project: multiple-choice ones as yes/no questions.",
        {
            "reformulate": Group(
                "Options of multiple-choice questions as yes/no questions that people approve.",
                {
                    "plan": "commands.reformulation:plan",
                    "model": "commands.reformulation:model",
                    "list": "commands.reformulation:listing",
                    "approve": "commands.reformulation:approve",
                    "edit": "commands.reformulation:edit",
                    "refuse": "commands.reformulation:refuse",
                    "bounds": "commands.reformulation:bounds",
                },
            ),
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
            "items": "commands.tagging.suggestions:items",
            "suggest": "commands.tagging.suggestions:suggest",
            "suggestions": "commands.tagging.suggestions:setting",
            "report": "commands.tagging.report:report",
            "tags": "commands.tagging.report:tags",
            "disputes": "commands.tagging.report:disputes",
            "dispute": "commands.tagging.report:show",
            "settle": "commands.tagging.report:settle",
            "codebook": Group(
                "The codebook of factors: read, check, import, export, compare.",
                {
                    "show": "commands.tagging.codebook:show",
                    "check": "commands.tagging.codebook:check",
                    "import": "commands.tagging.codebook:bring_in",
                    "export": "commands.tagging.codebook:export",
                    "diff": "commands.tagging.codebook:difference",
                },
            ),
        },
    ),
    "export": Group(
        "Write the project's gold, runs or annotations to files.",
        {
            "gold": "commands.gold:gold",
            "annotations": "commands.exchange:write_out",
            "run": "commands.runs.scoring:run_file",
        },
    ),
    "run": Group(
        "Runs of retrieval methods, ours and those of other systems.",
        {
            "import": "commands.runs.leaderboard:import_file",
            "refresh": "commands.runs.marks:refresh",
            "list": "commands.runs.marks:listing",
            "retire": "commands.runs.marks:retire",
            "restore": "commands.runs.marks:restore",
            "tag": "commands.runs.marks:tag",
            "note": "commands.runs.marks:note",
            "questions": "commands.runs.questions:questions",
            "question": "commands.runs.questions:question",
            "failures": "commands.runs.questions:failures",
            "identifiers": "commands.runs.identifiers:identifiers",
            "view": Group(
                "Saved views of the leaderboard: list and remove them.",
                {
                    "list": "commands.runs.views:listing",
                    "remove": "commands.runs.views:remove",
                },
            ),
        },
    ),
    "experiment": Group(
        "Experiments as files: check, run, list and read them.",
        {
            "check": "commands.runs.experiments:check",
            "run": "commands.runs.experiments:run",
            "list": "commands.runs.experiments:listing",
            "show": "commands.runs.experiments:show",
            "export": "commands.runs.experiments:export",
            "starters": "commands.runs.experiments:starters",
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
            "list": "commands.runs.indexes:listing",
            "clear": "commands.runs.indexes:clear",
        },
    ),
}
