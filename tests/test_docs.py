"""The pages keep their word: code runs, commands print what is shown, links lead somewhere."""

from __future__ import annotations

import doctest
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import microveil as mv
from docs import consoles, hooks
from microveil.cli import main
from microveil.display import percent
from microveil.studies import ad_views, ad_views_recipe
from microveil.tabulation.protections import PROTECTIONS
from microveil.tabulation.rules import RULES

ROOT = consoles.ROOT
DOCS = ROOT / "docs"
_CODE = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(?<!`)\[[^\]]*\]\(([^)\s]+)\)")
_LOOSE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

PRELUDES = {
    "inspect.md": "frame = {'email': [f'u{i}@example.org' for i in range(20)]}",
    "service.md": "from tests.service.servers import start_example\nurl, key = start_example()",
    "workbook.md": (
        "from microveil.studies.examples import EXAMPLES\n"
        "EXAMPLES['register'].draw(4000, 2022).write_csv('register.csv')"
    ),
    "report.md": (
        "import microveil as mv\n"
        "recipe = mv.Recipe.read('examples/patients.yaml')\n"
        "release = mv.run(recipe, mv.read('examples/patients.csv'))"
    ),
}
"""What a page that speaks of "a frame" or "a release" takes for granted."""
REFRESH = "The page shows other output; `make refresh` prints it anew. Now:"
STUDIES: dict[str, tuple[int, str]] = {}
"""What studies printed: several pages show the same one, and it depends on no file."""
MANY_CHECKS = 100
"""Conformance alone has more for one method: each check on each kind of column."""


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path, language: str) -> Iterator[tuple[str, str]]:
    """Title and text of each block of code in a language."""
    for kind, title, text in _CODE.findall(page.read_text(encoding="utf-8")):
        if kind == language:
            yield title, text


PAGES = consoles.pages()
WITH_CODE = [
    page for page in PAGES if page.name != "CONTRIBUTING.md" and any(blocks(page, "python"))
]
WITH_COMMANDS = [
    page
    for page in PAGES
    if any(one.runs for one in consoles.shown(page.read_text(encoding="utf-8")))
]


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the examples, as if it were the project's root."""
    monkeypatch.chdir(consoles.workplace(tmp_path))
    monkeypatch.setenv("COLUMNS", str(consoles.WIDTH))
    return tmp_path


@pytest.mark.parametrize("page", WITH_CODE, ids=name_of)
@pytest.mark.usefixtures("workplace")
def test_python_on_a_page_runs(page: Path) -> None:
    names: dict[str, Any] = {}
    exec(PRELUDES.get(page.name, ""), names)  # noqa: S102  our own pages
    for number, (_, text) in enumerate(blocks(page, "python"), 1):
        place = f"{name_of(page)}, block {number}"
        if ">>>" in text:
            run_session(text, names, place)
        else:
            exec(compile(text, place, "exec"), names)  # noqa: S102  our own pages


def run_session(text: str, names: dict[str, Any], place: str) -> None:
    """Run a session; the names it makes stay for the next block."""
    session = doctest.DocTestParser().get_doctest(text, {}, place, None, None)
    session.globs = names
    complaints: list[str] = []
    doctest.DocTestRunner(optionflags=_LOOSE).run(session, out=complaints.append, clear_globs=False)
    assert not complaints, "".join(complaints)


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=name_of)
@pytest.mark.usefixtures("workplace")
def test_commands_on_a_page_print_what_it_shows_and_exit_as_it_says(
    page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for one in consoles.shown(page.read_text(encoding="utf-8")):
        if not one.runs:
            continue
        words = shlex.split(one.command)
        if one.command not in STUDIES:
            ours = words[0] == "microveil"
            code = run_in_process(words, monkeypatch) if ours else run_tool(words)
            captured = capsys.readouterr()
            printed = consoles.timeless(consoles.trimmed(captured.out + captured.err))
            if words[:2] == ["microveil", "study"]:
                STUDIES[one.command] = code, printed
        else:
            code, printed = STUDIES[one.command]
        assert code == one.code, f"{one.command}\n{printed}"
        shown = consoles.timeless(one.output)
        same = doctest.OutputChecker().check_output(shown, printed, _LOOSE)
        assert same or not shown, f"{REFRESH}\n$ {one.command}\n{printed}"


def run_in_process(words: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", words)
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def run_command(
    words: list[str], folder: Path, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603  our own commands
        words, cwd=folder, env=env, capture_output=True, text=True, check=False
    )


def run_tool(words: list[str]) -> int:
    done = run_command(words, Path.cwd())
    sys.stdout.write(done.stdout)
    return done.returncode


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    text = _CODE.sub("", page.read_text(encoding="utf-8"))
    for target in _LINK.findall(text):
        if re.match(r"https?:", target):
            continue
        path, _, anchor = target.partition("#")
        goal = (page.parent / path).resolve() if path else page
        assert goal.is_file(), f"{target} on {name_of(page)}"
        assert not anchor or anchor in anchors(goal), f"{target} on {name_of(page)}"


def anchors(page: Path) -> set[str]:
    """What the headings of a page are called in links to it."""
    text = _CODE.sub("", page.read_text(encoding="utf-8"))
    if page.name == "reference.md":
        text = hooks.filled(text)
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    plain = [re.sub(r"[^\w\s-]", "", head.lower()).strip() for head in heads]
    return {re.sub(r"[\s]+", "-", head) for head in plain}


def nav_pages(entry: Any) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
    else:
        for item in entry.values() if isinstance(entry, dict) else entry:
            yield from nav_pages(item)


def test_every_page_is_in_the_navigation() -> None:
    nav = list(nav_pages(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]))
    assert sorted(nav) == sorted(str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md"))


def test_every_method_has_its_page_and_its_line() -> None:
    index = (DOCS / "methods" / "index.md").read_text(encoding="utf-8")
    for method in mv.METHODS:
        assert (DOCS / "methods" / f"{method.kind()}.md").is_file()
        assert f"[`{method.kind()}`]({method.kind()}.md)" in index


def test_every_rule_and_protection_of_tables_has_its_page_with_its_parameters() -> None:
    overview = (DOCS / "tables.md").read_text(encoding="utf-8")
    for registry in (RULES, PROTECTIONS):
        for spec in registry:
            page = DOCS / "tables" / f"{spec.kind()}.md"
            text = page.read_text(encoding="utf-8")
            assert f"](tables/{page.name})" in overview
            assert any(blocks(page, "python")), page.name
            for name in spec.model_fields:
                assert name == spec.tag or f"| `{name}` |" in text, f"{name} of {page.name}"
            plans = [
                mv.TablePlan.parse({"tables": [{"by": ["town"]}]} | yaml.safe_load(one))
                for _, one in blocks(page, "yaml")
            ]
            given = [one for plan in plans for one in (*plan.rules, plan.protect)]
            assert any(isinstance(one, spec) for one in given), page.name


def test_the_reference_names_every_parameter() -> None:
    page = hooks.filled((DOCS / "reference.md").read_text(encoding="utf-8"))
    for spec in (
        *mv.METHODS,
        *mv.MODELS,
        *mv.RISK_MEASURES,
        *mv.UTILITY_MEASURES,
        *mv.HIERARCHIES,
        *mv.dp.QUERIES,
    ):
        section = page.partition(f"### {spec.kind()}\n")[2].partition("\n#")[0]
        assert spec.__name__ in section
        for name, field in spec.model_fields.items():
            assert name == spec.tag or f"| `{field.alias or name}` |" in section


@pytest.mark.slow  # `make check` builds the site, too
def test_the_site_builds_and_fetches_nothing_from_elsewhere(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(tmp_path)]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = run_command(command, ROOT, env)
    assert done.returncode == 0, done.stderr
    fetched = re.compile(
        r"<(?:link|script|img|iframe|source)\b[^>]*?(?:href|src)=\"?(https?:[^\s\">]+)"
    )
    for page in tmp_path.rglob("*.html"):
        found = [url for url in fetched.findall(page.read_text(encoding="utf-8")) if url]
        assert not found, f"{page.name}: {found}"
    for style in tmp_path.rglob("*.css"):
        assert not re.search(r"url\(\s*[\"']?https?:", style.read_text(encoding="utf-8"))
    assert_search_works_without_a_server(tmp_path)


def assert_search_works_without_a_server(site: Path) -> None:
    browser = shutil.which("chromium")
    if browser is None:
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = opened.new_page()
        page.goto((site / "index.html").as_uri())
        page.click("input.md-search__input")
        page.keyboard.type("l-diversity")
        page.wait_for_selector("a.md-search-result__link[href*=l_diversity]", timeout=60_000)
        opened.close()


def test_the_bundled_recipe_is_the_one_under_examples() -> None:
    bundled = Path(mv.__file__).parent / "studies" / "ad_views.yaml"
    assert (ROOT / "examples" / "ad_views.yaml").read_bytes() == bundled.read_bytes()


@pytest.mark.parametrize("name", ["patients", "visits"])
@pytest.mark.usefixtures("workplace")
def test_an_example_recipe_releases_its_data(name: str) -> None:
    mapping = "secret.csv" if name == "visits" else None
    recipe = mv.Recipe.read(f"examples/{name}.yaml")
    done = mv.run_file(recipe, f"examples/{name}.csv", "released.csv", mapping=mapping)
    assert done.holds
    assert 0 < done.n_suppressed < done.n_records / 2
    assert mv.read("released.csv").height == done.n_records


def test_the_example_script_runs(workplace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path("examples/patients.py")
    assert "5-anonymity holds" in capsys.readouterr().out
    assert {"released.csv", "report.html", "recipe.yaml"} <= {p.name for p in workplace.iterdir()}


@pytest.mark.parametrize(
    "n_rows",
    [
        pytest.param(260_000, marks=pytest.mark.slow),
        pytest.param(105_000, marks=pytest.mark.slow),
        51_000,
    ],
)
def test_the_numbers_of_the_petersburg_page_are_those_of_a_run(n_rows: int) -> None:
    recipe = ad_views_recipe()
    draft = mv.Draft.start(ad_views(n_rows), recipe.roles)
    for step in recipe.steps[:-1]:
        draft = draft.apply(step)
    recoded = draft.risk()
    release = draft.apply(recipe.steps[-1]).require(*recipe.require).release()
    risk, lost = release.risk, release.utility["cell_changes"]
    column = [f"{n_rows:,}", str(recoded.acceptable_k), "1", f"{n_rows:,}"]
    column += [
        "1",
        f"{recoded.n_unique:,}",
        f"{recoded.n_below:,} ({percent(recoded.below_share)})",
    ]
    column += [f"**{risk.k}**", f"{release.n_suppressed:,}", f"{risk.n_classes:,}"]
    column += [f"{risk.worst[4].size}, {percent(risk.worst[4].share)}"]
    column += [f"{risk.n_unique}, {risk.n_below}", percent(lost.value)]
    column += [percent(lost.parts[name]) for name in ("changed_share", "removed_share")]
    assert release.holds
    assert column in petersburg_columns()


def petersburg_columns() -> list[list[str]]:
    """The columns of numbers in the table of outputs."""
    page = (DOCS / "petersburg.md").read_text(encoding="utf-8")
    rows = page.partition("| rows | 260,000 |")[1:]
    lines = "".join(rows).partition("\n\n")[0].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [list(column) for column in zip(*cells[:1], *cells[2:], strict=True)][1:]


def test_the_recipe_of_getting_started_is_the_example() -> None:
    page = dict(blocks(DOCS / "getting-started.md", "yaml"))[""]
    example = (ROOT / "examples" / "patients.yaml").read_text(encoding="utf-8")
    assert yaml.safe_load(page) == yaml.safe_load(example)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_recipes_and_goals_on_a_page_parse(page: Path) -> None:
    for _, text in blocks(page, "yaml"):
        raw = yaml.safe_load(text)
        if isinstance(raw, dict) and {"audience", "analyses"} & set(raw):
            mv.Goal.from_yaml(text, source=name_of(page))
        elif isinstance(raw, dict) and {"roles", "steps", "require"} & set(raw):
            mv.Recipe.from_yaml(text, source=name_of(page))


@pytest.mark.slow
def test_the_worked_example_of_contributing_passes_the_tests_it_promises(tmp_path: Path) -> None:
    page = ROOT / "CONTRIBUTING.md"
    for folder in ("src", "docs", "tests/conformance"):
        copy(ROOT / folder, tmp_path / folder)
    for file in ("tests/conftest.py", "tests/test_counts.py", "README.md", "mkdocs.yml"):
        copy(ROOT / file, tmp_path / file)
    copy(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    for title, text in blocks(page, "diff"):
        apply_diff(tmp_path / title, text)
    found = list(blocks(page, "python"))
    trial = "".join(text for title, text in found if "/" not in title)
    for title, text in (one for one in found if "/" in one[0]):
        place = tmp_path / title
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    (tmp_path / "tests" / "test_trial.py").write_text(
        f"def test_trial() -> None:\n{''.join(f'    {line}' for line in trial.splitlines(True))}",
        encoding="utf-8",
    )
    asked = ["tests/methods", "tests/test_trial.py", "src/microveil/methods/blank.py"]
    asked += ["tests/conformance/test_methods.py", "tests/test_counts.py"]
    asked += ["-k", "blank or every or trial or page", "-q"]
    env = {**os.environ, "PYTHONPATH": f"{tmp_path / 'src'}"}
    written = run_command([sys.executable, "docs/listing.py"], tmp_path, env)
    assert "docs/methods/blank.md" in written.stdout, written.stderr
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", *asked]
    done = run_command(command, tmp_path, env)
    assert done.returncode == 0, done.stdout
    n_passed = re.search(r"(\d+) passed", done.stdout)
    assert n_passed, done.stdout
    assert int(n_passed[1]) > MANY_CHECKS, done.stdout


def copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        # The cache of compiled loops comes along: it is valid wherever the same text stands.
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.pyc", "*.tmp.*"))
    else:
        shutil.copy(source, target)


def apply_diff(path: Path, diff: str) -> None:
    """Put each added line below the line that stands above it in the diff."""
    text, above = path.read_text(encoding="utf-8"), ""
    for line in diff.splitlines():
        if line.startswith("+"):
            assert f"\n{above}\n" in text, f"{above} is not in {path.name}"
            text = text.replace(f"\n{above}\n", f"\n{above}\n{line[1:]}\n", 1)
        above = line[1:]
    path.write_text(text, encoding="utf-8")


@pytest.mark.usefixtures("workplace")
def test_the_recipe_that_searches_is_the_one_on_its_page_and_releases() -> None:
    text = (ROOT / "examples" / "optimal.yaml").read_text(encoding="utf-8")
    on_page = [yaml.safe_load(block) for _, block in blocks(DOCS / "recipes.md", "yaml")]
    assert yaml.safe_load(text) in on_page
    assert mv.run(mv.Recipe.read("examples/optimal.yaml"), mv.read("examples/patients.csv")).holds
