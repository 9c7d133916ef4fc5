"""HTTP: the page, the API, the events."""
