from __future__ import annotations

from pathlib import Path

from microveil.metadata.model import DataTable, Metadata, Variable
from microveil.metadata.study import Study
from microveil.metadata.treatments import treatment_of


def made(*variables: Variable, names: tuple[str, ...] = ("one",)) -> Metadata:
    tables = tuple(DataTable(name, variables, 20) for name in names)
    return Metadata("Title", Study(), tables)


def test_protection_names_the_columns_once() -> None:
    noise = (treatment_of("additive_noise"),)
    told = made(
        Variable("a", "number", treatments=noise), Variable("b", "number", treatments=noise)
    )
    assert told.protection == ("Random noise was added to the values. Columns: a, b.",)


def test_columns_of_several_tables_are_told_with_their_table() -> None:
    noise = (treatment_of("additive_noise"),)
    told = made(Variable("a", "number", treatments=noise), names=("one", "two"))
    assert told.protection[0].endswith("Columns: one.a, two.a.")


def test_limitations_follow_from_what_was_done() -> None:
    told = made(Variable("a", "number", treatments=(treatment_of("round"),)))
    assert told.limitations == ("Recoded variables are coarser than they were collected.",)
    assert made(Variable("a", "number")).limitations == ()


def test_the_weight_is_found() -> None:
    table = made(Variable("a", "number"), Variable("w", "number", role="weight")).tables[0]
    assert table.weight is not None
    assert table.weight.role_words == "Sampling weight"
    assert table.variables[0].role_words is None


def test_it_writes_itself(tmp_path: Path) -> None:
    assert len(made(Variable("a", "number")).write(tmp_path)) == 5
