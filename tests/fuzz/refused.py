"""Whether an action ends as it may: well, or with one sentence."""

from mnar.core.errors import UserError


def refused(action):
    """True where the action ended in a sentence; any other exception is a fault, and goes on."""
    try:
        action()
    except UserError as error:
        message = str(error)
        assert message.endswith((".", "?")), f"no sentence: {message!r}"
        assert "Traceback" not in message
        assert len(message) < 5000, f"{len(message)} characters: {message[:300]!r}"
        return True
    return False
