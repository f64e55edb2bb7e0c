"""Transport of calls: connections, protocol, server abilities and rate limits."""
