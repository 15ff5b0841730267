"""A provider for Python: a stand-alone program that finds the Items of a source text."""
