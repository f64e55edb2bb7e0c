"""OCR correction and verification of page images: what the database keeps."""
