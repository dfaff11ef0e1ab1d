"""An Airflow DAG: the gate, then the run; the gate's exit code 3 stops the DAG."""

# ruff: noqa: INP001  a file for Airflow's folder of DAGs
from datetime import UTC, datetime

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

COMMON = "--source discharges --person patient --registry /srv/releases/releases.db"

with DAG(
    "release", start_date=datetime(2026, 1, 1, tzinfo=UTC), schedule="@monthly", catchup=False
):
    gate = BashOperator(
        task_id="gate",
        bash_command=f"microveil gate recipe.yaml /srv/data/month.csv --baseline last {COMMON}",
    )
    run = BashOperator(
        task_id="run",
        bash_command=f"microveil run recipe.yaml /srv/data/month.csv --out released.csv {COMMON}",
    )
    gate >> run
