"""Judgments of courts as data: read from files, divided into their sections."""
