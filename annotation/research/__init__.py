"""Research of gold passages: form, authorities and disputes."""
