"""Screens of OCR correction and verification of page images."""
