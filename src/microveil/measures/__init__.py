"""What risk and utility measures share: their base, choosing, taking."""
