from microveil.service.api.metrics import Metrics


def test_counts_are_told_in_the_format_of_prometheus() -> None:
    metrics = Metrics()
    for seconds in (0.001, 0.02, 99.0):
        metrics.request("/ask", 200, seconds)
    metrics.request("/ask", 404, 0.02)
    metrics.answer("paid")
    lines = metrics.text(n_steps=7, n_commits=3).splitlines()
    assert 'microveil_requests_total{route="/ask",status="200"} 3' in lines
    assert 'microveil_requests_total{route="/ask",status="404"} 1' in lines
    assert 'microveil_answers_total{why="paid"} 1' in lines
    assert 'microveil_request_seconds_bucket{le="0.005"} 1' in lines
    assert 'microveil_request_seconds_bucket{le="0.025"} 3' in lines
    assert 'microveil_request_seconds_bucket{le="10.0"} 3' in lines
    assert 'microveil_request_seconds_bucket{le="+Inf"} 4' in lines
    assert "microveil_request_seconds_sum 99.041000" in lines
    assert "microveil_request_seconds_count 4" in lines
    assert "microveil_ledger_steps_total 7" in lines
