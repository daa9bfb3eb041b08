"""The page for people: HTML made on the server, better with a little JavaScript, no build step."""
