"""Speed and quality, measured and printed; every benchmark takes --json."""
