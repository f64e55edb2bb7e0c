"""The database: engines, transactions, migrations and backups."""
