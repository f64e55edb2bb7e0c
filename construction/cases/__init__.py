"""Typology of crimes, and grouping of court cases by charge and provision."""
