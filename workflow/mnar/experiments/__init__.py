"""What each paper shows: its tables and figures from the scores of the runs."""
