"""Who may do what: API keys, scopes, rates, and what a client may be told of an error."""
