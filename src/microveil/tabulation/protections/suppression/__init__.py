"""Cell suppression: demands, flows, a fast pattern and the cheapest one."""
