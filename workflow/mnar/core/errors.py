"""The one exception that is meant for the user's eyes."""


class UserError(Exception):
    """Bad input: one clear sentence with what was found where, and what to do about it."""
