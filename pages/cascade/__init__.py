"""Screen of the filter cascade: rejections per layer, findings per question."""
