"""What kind of house a source is, as the publisher files name it."""

from enum import StrEnum


class PublisherType(StrEnum):
    """What kind of house it is."""

    NATIONAL_PAPER = "national_paper"
    REGIONAL_PAPER = "regional_paper"
    AGENCY = "agency"
    BROADCASTER = "broadcaster"
    ONLINE = "online"
    MAGAZINE = "magazine"
    FACT_CHECKER = "fact_checker"
    GOVERNMENT = "government"
    OTHER = "other"
