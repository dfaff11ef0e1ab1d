"""What a released label means: its notation, the values it covers, how labels overlap."""
