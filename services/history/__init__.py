"""History of every act: shared work."""
