"""Import and export of annotations: lossless files, and labels of other tools."""
