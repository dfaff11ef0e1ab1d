"""What a report says beyond numbers: opening sentence, codebook, meanings of measures."""
