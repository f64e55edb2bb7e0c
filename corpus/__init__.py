"""Law as data: import, segment, identify, find and resolve citations. Pure."""
