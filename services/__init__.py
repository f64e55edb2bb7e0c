"""Work that both the app and the command line start: one function per piece of work."""
