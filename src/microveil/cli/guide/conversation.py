"""The conversation: what to do, which file, which columns, what to require, where to write."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from microveil.cli import options
from microveil.cli.guide.language import Speaker
from microveil.cli.guide.telling import role_words, step_words, tell_inspection, tell_risk
from microveil.cli.output import console, print_grid
from microveil.errors import InputError, MicroveilError, did_you_mean
from microveil.texts import compose, join

if TYPE_CHECKING:
    import polars as pl

    from microveil.methods import Method
    from microveil.recipes import Recipe
    from microveil.release import Release
    from microveil.tables import Roles

EXAMPLE_ROWS = 20_000
CHOICES = {"1": "measure", "2": "protect", "3": "look", "4": "demo", "q": "leave"}


def guide(language: str = "en") -> None:
    """Ask what to do, do it, and say which command does the same."""
    say, out = Speaker(language), console()
    out.print(f"[bold]Microveil[/bold]: {say('motto')}\n")
    for key, name in CHOICES.items():
        out.print(f"  [bold]{key}[/bold]  {say(name)}")
    chosen = CHOICES[_choose(say, list(CHOICES))]
    try:
        _do(say, chosen)
    except MicroveilError as error:
        out.print(say.tell(error), style="red", markup=False)
        raise typer.Exit(error.exit_code) from None


def _do(say: Speaker, chosen: str) -> None:
    match chosen:
        case "measure":
            _measure(say)
        case "protect":
            _protect(say)
        case "look":
            _look(say)
        case "demo":
            _show_example(say)


def _measure(say: Speaker) -> None:
    source, frame = _ask_data(say)
    keys = _ask_columns(say, "known", frame.columns)
    from microveil.app import assess

    tell_risk(say, assess(frame, options.roles_of(list(keys))))
    _same_as(say, ["risk", source, "-q", ",".join(keys)])


def _look(say: Speaker) -> None:
    from microveil import app

    source, frame = _ask_data(say)
    tell_inspection(say, app.inspect(frame))
    _same_as(say, ["inspect", source])


def _show_example(say: Speaker) -> None:
    """The bundled example, protected: in English what ``microveil demo`` prints."""
    if say.language == "en":
        from microveil.cli.demo import demo

        demo()
        return
    from microveil import app
    from microveil.files import write
    from microveil.studies import ad_views, ad_views_recipe

    folder = Path("microveil-demo")
    folder.mkdir(exist_ok=True)
    source, saved, target = (folder / name for name in ("views.csv", "recipe.yaml", "released.csv"))
    frame, recipe = ad_views(EXAMPLE_ROWS), ad_views_recipe()
    write(frame, source, keep_order=True)
    recipe.write(saved)
    release = app.run(recipe, frame)
    _show_before_after(say, release)
    release.write(target)
    console().print(say("written", target=target, recipe=saved), markup=False)
    _same_as(say, ["run", str(saved), str(source), "--out", str(target)])


def _protect(say: Speaker) -> None:
    from microveil import app

    source, frame = _ask_data(say)
    recipe = _ask_recipe(say, frame)
    while True:
        release = app.run(recipe, frame)
        _show_before_after(say, release)
        k = _largest_k(recipe)
        if release.holds or k is None or not _confirm(say, say("coarsen"), default=True):
            break
        recipe = app.suggest(frame, recipe.roles, k=k)
    if not release.holds:
        console().print(say("not_met"), style="red")
        return
    target, saved = _write(say, release)
    _same_as(say, ["run", str(saved), source, "--out", str(target)])


def _write(say: Speaker, release: Release) -> tuple[Path, Path]:
    """Write the data and the recipe beside them; asked again until the place will do."""
    while True:
        target = Path(typer.prompt(say("where"), default="released.csv"))
        saved = target.with_suffix(".recipe.yaml")
        try:
            release.write(target)
            release.recipe.write(saved)
        except InputError as error:
            console().print(say.tell(error), style="red", markup=False)
            continue
        console().print(say("written", target=target, recipe=saved), markup=False)
        return target, saved


def _ask_recipe(say: Speaker, frame: pl.DataFrame) -> Recipe:
    """A recipe file, or one put together step by step."""
    from microveil import app
    from microveil.recipes import Recipe

    path = typer.prompt(say("recipe_file"), default="", show_default=False)
    if path:
        while True:
            try:
                return Recipe.read(path)
            except InputError as error:
                console().print(say.tell(error), style="red", markup=False)
            path = typer.prompt(say("recipe_file"), default="", show_default=False)
            if not path:
                break
    looked = app.inspect(frame)
    rows = [
        (i, c.name, role_words(say, c.role), say.tell(join(c.reasons, "; ")))
        for i, c in enumerate(looked.columns, 1)
    ]
    heads = ("", say("column"), say("role"), say("why"))
    print_grid(console(), say("suggested_roles"), heads, rows)
    roles = looked.roles
    if not _confirm(say, say("take_roles"), default=True):
        roles = _ask_roles(say, frame.columns, roles)
    elif not roles.quasi_identifiers:
        roles = _with_keys(roles, _ask_columns(say, "known", frame.columns))
    undecided = [name for name in frame.columns if name not in roles.named]
    if undecided and _confirm(
        say, say("release_undecided", names=", ".join(undecided)), default=False
    ):
        roles = roles.model_copy(update={"insensitive": (*roles.insensitive, *undecided)})
        undecided = []
    k = _ask_k(say, frame, roles)
    recipe = app.suggest(frame, roles, k=max(k, 2), inspection=looked)
    kept = [one for step in recipe.steps if (one := _decide(say, step, roles)) is not None]
    if undecided:
        from microveil.methods import Drop

        kept.insert(0, Drop(columns=tuple(undecided)))
    return recipe.model_copy(update={"steps": tuple(kept)})


def _ask_k(say: Speaker, frame: pl.DataFrame, roles: Roles) -> int:
    """The k to reach; what each audience asks for is told first."""
    from microveil.app.suggesting import K_BY_AUDIENCE, default_ground
    from microveil.tables import Table

    by_size = default_ground(Table(frame, roles)).k
    console().print(say("which_k", by_size=by_size, **K_BY_AUDIENCE), markup=False)
    chosen: int = typer.prompt(say("smallest_k"), default=by_size, type=int)
    return chosen


def _decide(say: Speaker, step: Method, roles: Roles) -> Method | None:
    """The step, or nothing; ids that are not to be dropped may be pseudonymized."""
    from microveil.methods import Drop, Pseudonymize

    if _confirm(say, say("step", step=step_words(say, step)), default=True):
        return step
    ids = {*roles.identifiers, roles.entity, roles.household}
    if not isinstance(step, Drop) or not ids.issuperset(step.columns):
        return None
    asked = say("pseudonymize_instead", names=", ".join(step.columns))
    return Pseudonymize(columns=step.columns) if _confirm(say, asked, default=True) else None


def _ask_roles(say: Speaker, columns: list[str], found: Roles) -> Roles:
    """Roles as told; persons and households are those that were found."""
    from microveil.app.inspection.persons import keep_links
    from microveil.tables import Roles

    told = Roles.parse(
        {
            "identifiers": _ask_columns(say, "identifiers", columns, needed=False),
            "quasi_identifiers": _ask_columns(say, "quasi_identifiers", columns),
            "sensitive": _ask_columns(say, "sensitive", columns, needed=False),
        }
    )
    return keep_links(told, found)


def _with_keys(roles: Roles, keys: tuple[str, ...]) -> Roles:
    return roles.without(keys).model_copy(update={"quasi_identifiers": keys})


def _show_before_after(say: Speaker, release: Release) -> None:
    tell_risk(say, release.risk_before, say("before"), n_uniques=5)
    tell_risk(say, release.risk, say("after"))
    out = console()
    lost = release.utility["cell_changes"]
    out.print(say("changed", share=lost.value))
    for check in release.checks:
        out.print(say.tell(check.sentence()), style="green" if check.holds else "red")
    for caution in (*release.cautions, *release.attacks):
        out.print(f"! {say.tell(caution.sentence)}", style="yellow", markup=False)


def _largest_k(recipe: Recipe) -> int | None:
    """The k that suppression is certain to reach; None if there are other requirements too."""
    from microveil.privacy import KAnonymity

    asked = [model.k for model in recipe.require if isinstance(model, KAnonymity)]
    return max(asked) if len(asked) == len(recipe.require) else None


def _ask_data(say: Speaker) -> tuple[str, pl.DataFrame]:
    """A file that can be read; asked again until there is one."""
    while True:
        source = typer.prompt(say("which_file"))
        try:
            frame = options.read_data(source)
        except MicroveilError as error:
            console().print(say.tell(error), style="red", markup=False)
            continue
        console().print(say("size", records=frame.height, columns=frame.width))
        return source, frame


def _ask_columns(
    say: Speaker, question: str, columns: list[str], *, needed: bool = True
) -> tuple[str, ...]:
    """Columns by number or name, comma-separated."""
    out = console()
    for number, name in enumerate(columns, 1):
        out.print(f"  {number:>3}  {name}", markup=False)
    while True:
        default = None if needed else ""
        asked = f"{say(question)} {say('numbers_or_names')}"
        text = typer.prompt(asked, default=default, show_default=False)
        try:
            wanted = options.names([text])
            return tuple(dict.fromkeys(_column(say, part, columns) for part in wanted))
        except InputError as error:
            out.print(say.tell(error), style="red", markup=False)


def _column(say: Speaker, text: str, columns: list[str]) -> str:
    if text in columns:
        return text
    if text.isdigit() and 1 <= int(text) <= len(columns):
        return columns[int(text) - 1]
    told = say("no_column", name=text)
    raise InputError(compose("{told}{hint}", told=told, hint=did_you_mean(text, columns)))


def _choose(say: Speaker, keys: list[str]) -> str:
    while True:
        answer: str = typer.prompt(say("what")).strip().lower()
        if answer in keys:
            return answer
        console().print(say("answer_one_of", choices=", ".join(keys)))


def _confirm(say: Speaker, question: str, *, default: bool) -> bool:
    """Yes or no, in the letters of the language; English ones are understood by all."""
    yes, no = {say.yes, "y"}, {say.no, "n"}
    shown = f"{say.yes.upper()}/{say.no}" if default else f"{say.yes}/{say.no.upper()}"
    while True:
        answer: str = typer.prompt(f"{question} [{shown}]", default="", show_default=False)
        first = answer.strip().lower()[:1]
        if not first:
            return default
        if first in yes | no:
            return first in yes
        console().print(say("answer_one_of", choices=f"{say.yes}, {say.no}"))


def _same_as(say: Speaker, words: list[str]) -> None:
    """The command that does the same, quoted for a shell, on a line that can be copied whole."""
    command = shlex.join(["microveil", *words])
    out = console()
    out.print(f"\n{say('same')}")
    out.print(command, style="bold", markup=False, highlight=False, soft_wrap=True)
