"""Tables, sessions, migrations, import and export."""
