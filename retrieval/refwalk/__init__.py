"""RefWalk: a question's anchor, three views of it, and a walk along citations."""
