"""How far people, and models, agree on the answers to each sub-factor of court cases. Pure."""
