"""Parts shared by all screens: session context, sidebar, sign-in, notices, widgets."""
