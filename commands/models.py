"""Commands about language models: status, calls, test, pretraining, prompts."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from commands.shell.arguments import argument, option
from commands.shell.groups import LLM
from commands.shell.options import (
    BaseModel,
    Device,
    ModelFolder,
    Rate,
    Seed,
    Threads,
    Warmup,
)
from commands.shell.state import State
from commands.shell.tables import read_text
from errors import Where, require_known
from messages import say

if TYPE_CHECKING:
    from llm.roles import Role
    from services.models.prompts import PromptView
    from services.models.workspace_models import RoleView, Tried
    from storage.models import Spent

ROLE_NAMES = ("draft_ocr", "generate", "solve", "judge", "tag_factors", "embed")
"""The roles of `llm.roles`, written out so that --help need not load them."""


@LLM.command("status")
def status(state: State) -> None:
    """Show which roles of models are set, and what a server would add where one is not."""
    from services.models.workspace_models import roles, settings_file

    found = roles(state.workspace)
    file = settings_file(state.workspace)
    lines = [f"Settings: {file}{'' if file.exists() else ' (not there yet, see docs/models.md)'}"]
    for each in found:
        lines += _role_lines(each)
    result = {"settings": str(file), "roles": [_role_json(each) for each in found]}
    state.emit(result, lines)


@LLM.command("calls")
def calls(state: State) -> None:
    """Show what calls to models came to and what they cost, by role and model."""
    from services.models.workspace_models import calls as made

    found = made(state.workspace)
    lines = [_spent_line(each) for each in found] or ["No call was made yet."]
    state.emit({"calls": [asdict(each) for each in found]}, lines)


@LLM.command("test")
def test(
    state: State,
    role: Annotated[
        list[str] | None,
        option(f"Only this role, one of: {', '.join(ROLE_NAMES)}; may be repeated."),
    ] = None,
) -> None:
    """Make one small call for each role that is set. Exit code 3 if one fails."""
    from services.models.workspace_models import try_roles

    tried = try_roles(state.workspace, [_parsed_role(name) for name in role or []])
    lines = [_tried_line(each) for each in tried] or [say("llm.none_set")]
    answered = all(each.status == "answered" for each in tried)
    told = {"answered": answered, "roles": [asdict(each) for each in tried]}
    state.emit(told, lines, failed=not answered)


@LLM.command("pretrain")
def pretrain(
    state: State,
    folder: ModelFolder,
    model: BaseModel,
    epochs: Annotated[int, option("How often the law is read.")] = 1,
    batch: Annotated[int, option("Blocks of a step.")] = 8,
    rate: Rate = 1e-5,
    warmup: Warmup = 0.1,
    max_length: Annotated[
        int, option("Tokens of a block; 0: 512, or what the model can read.")
    ] = 0,
    device: Device = "auto",
    threads: Threads = 0,
    seed: Seed = 0,
) -> None:
    """Go on pretraining a causal language model on the text of the law in use."""
    from services.generative.pretraining import law_texts
    from services.generative.pretraining import pretrain as train_model
    from services.generative.training_loop import LoopOptions

    options = LoopOptions(epochs, batch, rate, warmup, max_length, seed, threads, device)
    work = partial(train_model, law_texts(*state.chosen), model, folder, options)
    done = state.run("Training", work)
    told = asdict(done) | {"folder": str(done.folder), "end": str(done.end)}
    losses = ", ".join(f"{loss:.3f}" for loss in done.losses)
    name = "pretrained" if done.end == "done" else "stopped"
    lines = [say(f"generative.{name}", **told | {"losses": losses})]
    state.emit(told, lines, failed=done.end != "done")


@LLM.command("prompts")
def prompts(state: State) -> None:
    """Show every prompt as it holds in the project: version, whose, and where it is used."""
    from services.models.prompts import list_prompts

    found = list_prompts(*state.chosen)
    lines = [
        f"{each.id:<18} {each.language}  {each.version:<16} {'own' if each.own else 'packaged'}"
        for each in found
    ]
    state.emit({"prompts": [_prompt_json(each) for each in found]}, lines)


@LLM.command("prompt")
def prompt(
    state: State,
    name: Annotated[str, argument("The prompt, e.g. judge_binary.")],
    language: Annotated[str, option("Its language, en or ko.")] = "en",
    file: Annotated[Path | None, option("Text file whose words become its next version.")] = None,
    note: Annotated[str, option("Why it is changed.")] = "",
) -> None:
    """Print what a prompt says in the project, or save a new version of it from a file."""
    from services.models.prompts import list_prompts, packaged_body, save_prompt

    where = state.chosen
    packaged_body(name, language)  # raises for an unknown one
    here = {(each.id, each.language): each for each in list_prompts(*where)}
    if file is not None:
        number = here[name, language].number
        save_prompt(*where, name, language, read_text(file, "file_unreadable"), note, number)
        here = {(each.id, each.language): each for each in list_prompts(*where)}
    found = here[name, language]
    state.emit({**_prompt_json(found), "body": found.body}, [found.body])


def _prompt_json(each: PromptView) -> dict[str, object]:
    told = ("id", "language", "role", "version", "own", "places", "optional", "person")
    at = None if each.at is None else each.at.isoformat()
    return {name: getattr(each, name) for name in told} | {"at": at}


def _parsed_role(name: str) -> Role:
    from llm.roles import Role

    require_known("models_role_unknown", ROLE_NAMES, Where(field="role"), role=name)
    return Role(name)


def _role_lines(each: RoleView) -> list[str]:
    from services.models.workspace_models import trouble

    name = f"{each.role.value:<10}"
    if each.endpoint is None:
        return [f"{name} not set. {say(f'llm.adds.{each.role.value}')}"]
    if each.endpoint.local:
        lines = [f"{name} {each.endpoint.model} at {each.endpoint.base_url}, on this machine"]
        error = trouble(each.endpoint)
        return lines if error is None else [*lines, f"           {error.what()} {error.remedy()}"]
    key = "with a key" if each.has_key else "without a key"
    return [f"{name} {each.endpoint.model} at {each.endpoint.base_url}, {key}"]


def _role_json(each: RoleView) -> dict[str, object]:
    from services.models.workspace_models import trouble

    at = each.endpoint
    error = None if at is None else trouble(at)
    return {
        "role": each.role.value,
        "set": at is not None,
        "model": at and at.model,
        "server": at and at.base_url,
        "local": at is not None and at.local,
        "trouble": error and error.what(),
        "has_key": each.has_key,
        "adds": say(f"llm.adds.{each.role.value}"),
    }


def _spent_line(each: Spent) -> str:
    came = f"{each.answered:,} answered"
    for name in ("refused", "invalid", "failed"):
        number = getattr(each, name)
        came += f", {number:,} {name}" if number else ""
    tokens = f"{each.tokens_in:,} + {each.tokens_out:,} tokens"
    tokens += f" ({each.untold:,} calls do not tell)" if each.untold else ""
    cost = "cost unknown" if each.unpriced else f"cost {each.cost:,.4f}"
    if each.unpriced and each.cost:
        cost = f"cost {each.cost:,.4f} and {each.unpriced:,} calls without a price"
    return f"{each.role:<10} {each.model}: {each.calls:,} calls ({came}), {tokens}, {cost}"


def _tried_line(each: Tried) -> str:
    outcome = each.status.value if each.problem is None else each.problem.value
    reason = f": {each.reason}" if each.reason else ""
    return f"{each.role.value:<10} {each.model}: {outcome} in {each.seconds:.2f} s{reason}"
