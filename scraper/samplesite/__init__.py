"""
A news site made from the bundled sample corpus, served on loopback, for the demo and the tests.

Article pages look as a news site would write them, so that crawling and extraction have real work to do.
"""
