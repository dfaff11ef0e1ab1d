from __future__ import annotations

import ast
from concurrent.futures import ThreadPoolExecutor

from microveil import progress, specs
from microveil.source_trees import tree_of


def test_threads_read_trees_beside_each_other() -> None:
    things = [specs, progress, specs.Spec, tree_of] * 60
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(tree_of, things))
    assert all(isinstance(tree, ast.Module) for tree in found)
    assert [ast.dump(tree) for tree in found[:4]] == [ast.dump(tree) for tree in found[-4:]]


def test_a_method_is_read_without_its_indentation() -> None:
    tree = tree_of(specs.Spec.to_dict)
    assert isinstance(tree.body[0], ast.FunctionDef)
