"""RefWalk: anchored multi-view retrieval with a walk along citations."""
