"""HTTP server around the Streamlit app: access control, upload budget, media, sessions."""
