"""Questions written by axes: the versions of the axes that a project keeps."""
