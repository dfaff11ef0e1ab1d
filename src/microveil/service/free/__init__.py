"""Free answers: what follows from answers that were paid for, at no further loss of privacy."""
