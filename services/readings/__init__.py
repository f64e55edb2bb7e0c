"""Services for readings: what models or rules extract from units."""
