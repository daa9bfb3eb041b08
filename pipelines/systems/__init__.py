"""One file per thing a user can ask for."""
