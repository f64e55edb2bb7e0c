"""Services for OCR correction and verification of page images."""
