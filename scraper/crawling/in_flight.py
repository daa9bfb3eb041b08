"""How many pages are on their way, and when no more of them are asked for."""


class InFlight:
    """
    Counts the pages that were asked for and are not settled.

    Where extraction is slower than the site, pages come in bursts: single ones cost more.

    :param most: From so many on, it is time to rest.
    :param few: With so many, the rest is over.
    """

    def __init__(self, *, most: int, few: int) -> None:
        self.most, self.few = most, few
        self.pages = 0
        self.resting = False
        """No page is to be asked for."""

    def asked(self) -> None:
        """Count a page more."""
        self.pages += 1
        self.resting = self.pages >= self.most

    def settled(self) -> None:
        """Count a page less."""
        self.pages -= 1
        self.resting = self.resting and self.pages > self.few
