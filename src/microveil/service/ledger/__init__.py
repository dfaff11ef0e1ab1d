"""The durable ledger of privacy budgets: reserve, answer, commit."""
