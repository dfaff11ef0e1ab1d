from __future__ import annotations

from microveil.reports.contents.pdf.blocks import blocks_of

PAGE = """<html><head><title>no</title><style>p {}</style></head><body><h1>Report</h1>
<p>All <b>good</b>.</p><ul><li>one</li></ul><dl><div><dt>records</dt><dd>5</dd></div></dl>
<table><tr><th>Name</th></tr><tr><td><strong>k</strong><small>why</small></td></tr></table>
<svg width="1"><text>a &lt; b</text></svg>end</body></html>"""


def test_a_page_becomes_its_blocks_in_order() -> None:
    found = blocks_of(PAGE)
    assert [(one.kind, one.text) for one in found if one.text] == [
        ("heading", "Report"),
        ("text", "All good."),
        ("item", "one"),
        ("text", "records: 5"),
        ("text", "end"),
    ]
    (table,) = [one for one in found if one.kind == "table"]
    assert table.rows == (("Name",), ("k why",))
    (figure,) = [one for one in found if one.kind == "figure"]
    assert figure.svg == '<svg width="1"><text>a &lt; b</text></svg>'


def test_quotes_and_marks_in_the_names_of_a_figure_stay_what_they_are() -> None:
    figure = '<svg aria-label="a &quot;b&quot; &lt;c&gt; &amp; &#x27;d&#x27;"></svg>'
    assert blocks_of(figure)[0].svg == figure


def test_names_in_a_row_are_told_apart() -> None:
    row = "<p>Columns: <code>a</code> <code>b</code> and <code>c</code></p>"
    gone = "<p><del><code>a</code></del><small> removed</small> <code>b</code></p>"
    assert [one.text for one in blocks_of(row + gone)] == [
        "Columns: a, b and c",
        "a removed, b",
    ]
