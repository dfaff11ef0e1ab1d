"""Free answers: derived from paid answers by post-processing, at no further privacy loss."""
