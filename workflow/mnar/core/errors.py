"""The one exception that is meant for the user's eyes."""

_LONGEST = 2000


class UserError(Exception):
    """Bad input: one clear sentence that says where the fault is, what was found, and what to do."""

    def __str__(self) -> str:
        """Where a value found is very long, its middle is left out."""
        text = super().__str__()
        if len(text) <= _LONGEST:
            return text
        return f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 2 :]}"
