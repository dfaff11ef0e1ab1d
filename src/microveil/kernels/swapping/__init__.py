"""Values and households that change places; categories drawn anew."""
