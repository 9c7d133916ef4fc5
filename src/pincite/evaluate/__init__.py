"""Cases and releases → measures."""
