"""History of every act: the rules of the work."""
