"""History of every act: the screens."""
