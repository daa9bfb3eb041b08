"""Articles and queries as data: what could steer a model is found and made harmless."""
