from itertools import combinations
from math import prod

from hypothesis import given
from hypothesis import strategies as st

from microveil.synthesis.private.junction_tree import (
    Clique,
    JunctionTree,
    junction_tree,
    neighbour_masks,
    table_cells,
)

SIZES = st.lists(st.integers(1, 6), min_size=1, max_size=7)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[int], list[Clique]]:
    sizes = draw(SIZES)
    columns = st.integers(0, len(sizes) - 1)
    relation = st.sets(columns, min_size=1, max_size=3).map(lambda one: tuple(sorted(one)))
    return sizes, draw(st.lists(relation, max_size=8))


def _path(tree: JunctionTree, clique: int) -> list[int]:
    path = [clique]
    while tree.parents[path[-1]] >= 0:
        path.append(tree.parents[path[-1]])
    return path


@given(graphs())
def test_every_relation_has_a_home_and_shared_columns_run_along_the_tree(
    graph: tuple[list[int], list[Clique]],
) -> None:
    sizes, relations = graph
    tree = junction_tree(sizes, relations)
    assert {column for clique in tree.cliques for column in clique} == set(range(len(sizes)))
    assert all(tree.home(relation) is not None for relation in relations)
    for one, other in combinations(range(len(tree.cliques)), 2):
        shared = set(tree.cliques[one]) & set(tree.cliques[other])
        ups = _path(tree, one), _path(tree, other)
        if ups[0][-1] != ups[1][-1]:
            assert not shared
            continue
        between = set(ups[0]) ^ set(ups[1])
        assert all(shared <= set(tree.cliques[clique]) for clique in between)


@given(graphs())
def test_the_cost_is_that_of_the_tree(graph: tuple[list[int], list[Clique]]) -> None:
    sizes, relations = graph
    cliques = junction_tree(sizes, relations).cliques
    cells = sum(prod(sizes[column] for column in clique) for clique in cliques)
    assert table_cells(sizes, neighbour_masks(len(sizes), relations)) == cells


def test_parents_come_before_their_children() -> None:
    tree = junction_tree([2] * 6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)])
    assert all(parent < child for child, parent in enumerate(tree.parents))
    assert all(
        set(shared) == set(tree.cliques[child]) & set(tree.cliques[parent])
        for child, (parent, shared) in enumerate(zip(tree.parents, tree.separators, strict=True))
        if parent >= 0
    )
