"""The life of the sample project: its people's work, made by the product's own services.

The written files are in ``sample/work``; `scripts.make_sample` keeps the result as a backup.
"""
