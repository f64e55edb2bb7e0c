"""Screens of attribution: what each claim of an answer rests on."""
