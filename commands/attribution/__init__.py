"""The commands about claims of answers and what they rest on."""
