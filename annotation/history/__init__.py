"""History: entries of every act, their sources, visibility and details."""
