"""Reformulation: multiple-choice questions as yes/no questions."""
