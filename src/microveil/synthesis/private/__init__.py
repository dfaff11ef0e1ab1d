"""Differentially private models of declared columns: budget, noise, noisy marginals, inference."""
