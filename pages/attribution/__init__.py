"""Screens of attribution: claims of answers, and the law that supports them."""
