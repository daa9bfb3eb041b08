"""Steps of a reply to a refuted claim: material, candidates, scores."""
