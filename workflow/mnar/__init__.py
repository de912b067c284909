"""What can you trust, when users chose what they rated? The library behind the workflow."""
