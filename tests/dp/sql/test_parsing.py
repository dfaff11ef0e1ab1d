from __future__ import annotations

import pytest

import microveil as mv
from microveil import dp
from tests.calls import count_calls
from tests.dp.tables import COLUMNS, declared

TABLE = dp.Declaration.parse(
    {
        "name": "survey",
        "columns": COLUMNS,
        "entity": {"column": "id", "max_rows": 4},
        "tables": {
            "places": {"key": "region", "columns": {"coast": {"type": "boolean"}}},
        },
    }
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT COUNT(*) FROM survey", dp.Count()),
        ("select count(1) as n from survey where age >= 30", dp.Count(where="age >= 30")),
        ("SELECT COUNT(income) FROM survey", dp.Count(column="income")),
        ("SELECT COUNT(DISTINCT job) FROM survey", dp.DistinctCount(column="job")),
        ("SELECT COUNT(DISTINCT id) FROM survey", dp.DistinctCount()),
        (
            "SELECT SUM(income) FROM survey s WHERE s.smokes",
            dp.Sum(column="income", where="smokes"),
        ),
        (
            "SELECT region, AVG(income) FROM survey WHERE age >= 30 GROUP BY region",
            dp.Mean(column="income", where="age >= 30", by="region"),
        ),
        ("SELECT VAR_SAMP(age) FROM survey", dp.Variance(column="age")),
        ("SELECT VARIANCE(age) FROM survey;", dp.Variance(column="age")),
        ("SELECT COVAR_SAMP(age, income) FROM survey", dp.Covariance(columns=["age", "income"])),
        ("SELECT CORR(age, income) FROM survey", dp.Correlation(columns=["age", "income"])),
        ("SELECT MEDIAN(age) FROM survey", dp.Median(column="age")),
        ("SELECT QUANTILE_CONT(age, 0.9) FROM survey", dp.Quantile(column="age", share=0.9)),
        (
            "SELECT PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY age) FROM survey",
            dp.Quantile(column="age", share=0.9),
        ),
        (
            "SELECT region, COUNT(*) FROM survey GROUP BY region ORDER BY COUNT(*) DESC LIMIT 2",
            dp.TopK(column="region", k=2),
        ),
        (
            "SELECT region, COUNT(*) AS n FROM survey GROUP BY region ORDER BY n DESC LIMIT 2",
            dp.TopK(column="region", k=2),
        ),
        (
            "SELECT COUNT(*) FROM survey JOIN places USING (region) WHERE coast",
            dp.Count(where="coast", join="places"),
        ),
        (
            "SELECT AVG(age) FROM survey s LEFT JOIN places p ON s.region=p.region WHERE NOT coast",
            dp.Mean(column="age", where="NOT coast", join="places"),
        ),
        (
            'SELECT "survey"."region", COUNT(*) FROM "survey" GROUP BY "region"',
            dp.Count(by="region"),
        ),
        (
            "SELECT COUNT(*) FROM survey -- a comment\n WHERE born >= DATE '1970-01-01'",
            dp.Count(where="born >= '1970-01-01'"),
        ),
    ],
)
def test_a_statement_is_read_as_its_question(text: str, expected: dp.Query) -> None:
    found = dp.parse_sql(text, TABLE)
    assert found.table == "survey"
    assert found.queries == (expected,)


def test_several_aggregates_are_several_questions() -> None:
    text = "SELECT region, COUNT(*), AVG(age), MEDIAN(age) FROM survey GROUP BY region"
    found = dp.parse_sql(text, [TABLE, dp.Declaration.parse({"name": "other", "columns": COLUMNS})])
    assert [query.kind() for query in found] == ["count", "mean", "median"]
    assert all(query.by == ("region",) for query in found)


REFUSED = [
    ("SELECT * FROM survey", "rows"),
    ("SELECT age FROM survey", "GROUP BY"),
    ("SELECT age, COUNT(*) FROM survey GROUP BY region", "GROUP BY"),
    ("SELECT survey.* FROM survey", "GROUP BY|rows"),
    ("SELECT COUNT(*) FROM elsewhere", "no such table"),
    ("SELECT COUNT(*) FROM main.survey", "one word"),
    ("SELECT COUNT(*) FROM read_csv('/etc/passwd')", "FROM|table"),
    ("SELECT COUNT(*) FROM 'survey.parquet'", "table"),
    ("SELECT COUNT(*) FROM survey, survey", "JOIN|public"),
    ("SELECT COUNT(*) FROM survey JOIN survey USING (region)", "public table"),
    ("SELECT COUNT(*) FROM survey JOIN places ON TRUE", "USING"),
    ("SELECT COUNT(*) FROM survey CROSS JOIN places", "JOIN"),
    ("SELECT COUNT(*) FROM survey RIGHT JOIN places USING (region)", "JOIN"),
    ("SELECT COUNT(*) FROM survey NATURAL JOIN places", "JOIN"),
    ("SELECT COUNT(*) FROM (SELECT * FROM survey)", "subqueries"),
    ("WITH t AS (SELECT 1) SELECT COUNT(*) FROM survey", "WITH"),
    ("SELECT COUNT(*) FROM survey UNION SELECT COUNT(*) FROM survey", "SELECT"),
    ("SELECT COUNT(*) FROM survey HAVING COUNT(*) > 3", "HAVING"),
    ("SELECT DISTINCT region FROM survey", "DISTINCT"),
    ("SELECT COUNT(*) OVER () FROM survey", "window"),
    ("SELECT COUNT(*) FROM survey LIMIT 3", "LIMIT"),
    ("SELECT region, COUNT(*) FROM survey GROUP BY region ORDER BY region", "ORDER BY"),
    ("SELECT COUNT(*) FROM survey OFFSET 3", "OFFSET"),
    ("SELECT MAX(income) FROM survey", "MAX"),
    ("SELECT MIN(income) FROM survey", "MIN"),
    ("SELECT SUM(income + 1) FROM survey", "column"),
    ("SELECT SUM(income) / COUNT(*) FROM survey", "DIV"),
    ("SELECT STRING_AGG(job, ',') FROM survey", "not allowed"),
    ("SELECT COUNT(*) FILTER (WHERE age > 3) FROM survey", "FILTER"),
    ("SELECT SUM(DISTINCT income) FROM survey", "column"),
    ("SELECT COUNT(*) FROM survey WHERE age IN (SELECT age FROM survey)", "subqueries|IN"),
    ("SELECT COUNT(*) FROM survey GROUP BY ROLLUP (region)", "ROLLUP"),
    ("SELECT COUNT(*) FROM survey GROUP BY ALL", "ALL"),
    ("SELECT COUNT(*) FROM survey GROUP BY 1", "column"),
    ("SELECT COUNT(*) FROM survey TABLESAMPLE 10%", "options|read"),
    ("SELECT COUNT(*); DROP TABLE survey", "one statement"),
    ("SELECT COUNT(*) FROM survey; SELECT 1", "one statement"),
    ("DROP TABLE survey", "DROP"),
    ("INSERT INTO survey VALUES (1)", "INSERT"),
    ("UPDATE survey SET age = 3", "UPDATE"),
    ("DELETE FROM survey", "DELETE"),
    ("COPY survey TO 'x'", "COPY|read"),
    ("ATTACH 'x' AS y", "ATTACH|read"),
    ("PRAGMA database_list", "PRAGMA|read"),
    ("SELECT COUNT(*)", "FROM"),
    ("SELECT 1 FROM survey", "not allowed"),
    ("SELECT pg_sleep(10) FROM survey", "not allowed"),
    ("SELECT COUNT(*) INTO x FROM survey", "INTO|read"),
    ("SELECT COUNT(*) FROM survey FOR UPDATE", "[Ll]ocks|UPDATE"),
    ("SELECT QUANTILE_CONT(age, 'x') FROM survey", "number"),
    ("SELECT QUANTILE_CONT(age, 3) FROM survey", "less than or equal"),
    ("", "one statement"),
    (";", "one statement"),
    ("SELECT", "SQL|FROM|Ask"),
    ("'", "read"),
    ("SELECT COUNT(*) FROM survey WHERE job = 'x' OR 1 = 1 --", "column"),
    ("SELECT COUNT(* EXCLUDE (age)) FROM survey", "EXCEPT in STAR"),
    ("SELECT COUNT(* REPLACE (age AS x)) FROM survey", "STAR"),
    ("SELECT COUNT(*) FROM survey WHERE age BETWEEN SYMMETRIC 40 AND 30", "SYMMETRIC"),
    ("SELECT COUNT(*) FROM survey WHERE NOT (age BETWEEN SYMMETRIC 4 AND 3)", "SYMMETRIC"),
    ("SELECT region, COUNT(*) FROM survey GROUP BY 1", "GROUP BY|column"),
    (
        "SELECT region, COUNT(*) FROM survey GROUP BY region ORDER BY COUNT(*) DESC LIMIT 3%",
        "LIMIT",
    ),
    ("SELECT COUNT(*) FROM survey AS s (a, b)", "TABLEALIAS"),
    ("SELECT COUNT(*) FROM ONLY survey", "one word"),
    ("SELECT COUNT(*) FROM survey ASOF JOIN places USING (region)", "JOIN"),
    ("SELECT COUNT(*) FROM survey WHERE age IS NOT DISTINCT FROM 3", "not allowed"),
    ("SELECT COUNT(*) FROM survey WHERE job = 'x' COLLATE NOCASE", "constant"),
    ("SELECT AVG(age ORDER BY age) FROM survey", "column"),
    ("SELECT COUNT(*) FROM survey WHERE elsewhere.age > 3", "table in FROM"),
    ("SELECT COUNT(*) FROM survey s WHERE survey.age > 3", "table in FROM"),
    (
        "SELECT COUNT(*) FROM survey s JOIN places p USING (region) WHERE p.region IS NULL",
        "table in FROM",
    ),
    ("SELECT COUNT(*) FROM survey s JOIN places p USING (region) WHERE p.age > 3", "in FROM"),
    ("SELECT COUNT(*) FROM survey WHERE TRY_CAST('1970-01-01' AS DATE) < born", "TRYCAST"),
    ("SELECT AVG(job) FROM survey", "number is needed"),
    ("SELECT AVG(agee) FROM survey", "Did you mean 'age'"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_what_is_beyond_the_subset_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(mv.InputError, match=reason):
        dp.parse_sql(text, TABLE)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT COUNT(*) FROM survey WHERE " + "(" * 3000 + "age > 1" + ")" * 3000,
        "SELECT COUNT(*) FROM survey WHERE " + "NOT " * 4000 + "smokes",
        "SELECT " + "COUNT(" * 2000 + "*" + ")" * 2000 + " FROM survey",
        "SELECT COUNT(*) FROM survey WHERE " + "age > 1 OR " * 9000 + "smokes",
        "SELECT " + "CASE WHEN smokes THEN " * 500 + "1" + " END" * 500 + " FROM survey",
        "SELECT COUNT(*) FROM survey WHERE age > " + "1+" * 1900 + "1",
        "SELECT COUNT(*) FROM survey WHERE age IN (" + "1," * 3000 + "2)",
        "SELECT COUNT(*) FROM survey WHERE age > " + "9" * 19_000,
        "SELECT COUNT(*) FROM survey WHERE job = '" + "x" * 19_990,
        "SELECT " + "COUNT(*), " * 800 + "COUNT(*) FROM survey",
        "\x00",
        "SELECT COUNT(*) FROM survey WHERE job = '\ud800'",
    ],
    ids=lambda text: text[:45] + f"… {len(text)}",
)
def test_monsters_are_refused_after_little_work(text: str) -> None:
    with count_calls() as calls, pytest.raises(mv.InputError) as caught:
        dp.parse_sql(text, TABLE)
    assert calls.n < 1_000_000
    assert len(str(caught.value)) < 2000


def test_a_refusal_quotes_no_constant_of_the_statement() -> None:
    for text in (
        "SELECT COUNT(*) FROM survey WHERE job = 'zebra-77' AND (",
        "SELECT 'zebra-77' FROM survey",
        "SELECT COUNT(*) FROM survey WHERE age > 'zebra-77'",
        "SELECT 'zebra-77",
    ):
        with pytest.raises(mv.InputError) as caught:
            dp.parse_sql(text, TABLE)
        assert "zebra" not in str(caught.value)


def test_sql_answers_what_the_spec_answers() -> None:
    from tests.dp.tables import survey

    session = dp.Session(survey(300), declared(), budget=1e7)
    (by_sql,) = session.sql("SELECT COUNT(*) FROM survey WHERE age > 40", spend=1e6)
    assert by_sql.value == (survey(300)["age"] > 40).sum()
    assert session.ask(dp.Count(where="age > 40"), 1e6) is by_sql
