"""Published fact-checks: read from ClaimReview, kept in an index of their own, matched with what somebody says."""
