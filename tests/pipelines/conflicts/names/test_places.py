"""Places within others, and places with several names."""

import pytest

from pipelines.conflicts.comparison import slot_conflict
from tests.pipelines.conflicts.test_comparison import slot

_HELD = "The talks were held in"


def conflicts(stated, found):
    """Ask where the talks were held, and return the kinds of conflict."""
    asked = slot(f"{_HELD} {stated}.", stated.removeprefix("the ").rstrip("."))
    conflict = slot_conflict(asked, found, f"{_HELD} {found} on Monday.")
    return [] if conflict is None else [conflict.kind]


@pytest.mark.parametrize(
    ("stated", "found"),
    [
        ("England", "Leeds"),
        ("Florida", "Miami"),
        ("Germany", "Berlin"),
        ("Germany", "Harwick"),  # which is not listed
        ("Australia", "Queensland"),
        ("Europe", "Paris"),
        ("the European Union", "Germany"),
        ("Leeds", "England"),
        ("Wales", "the UK"),
        ("Crimea", "Russia"),
        ("Georgia", "Atlanta"),
        ("Latin America", "the Caribbean"),
    ],
)
def test_a_place_within_another_is_no_conflict(stated, found):
    assert conflicts(stated, found) == []


@pytest.mark.parametrize(
    ("stated", "found"),
    [
        ("the UK", "Britain"),
        ("the UK", "British waters"),
        ("Britain", "the United Kingdom"),
        ("Burma", "Myanmar"),
        ("the Netherlands", "Holland"),
        ("America", "the U.S."),
        ("Kyiv", "Kiev"),
        ("Cologne", "Köln"),
        ("Munich", "München"),
        ("Moscow", "Moskau"),
        ("Turin", "Torino"),
        ("Kraków", "Cracow"),
        ("Lisboa", "Lissabon"),
        ("Mecca", "Makkah"),
        ("Germany", "Deutschland"),
        ("Allemagne", "Alemania"),
        ("the Bahamas", "Bahamian waters"),
        ("the Netherlands", "Dutch waters"),
    ],
)
def test_another_name_of_a_place_is_no_conflict(stated, found):
    assert conflicts(stated, found) == []


@pytest.mark.parametrize(
    ("stated", "found"),
    [
        ("France", "Germany"),
        ("Germany", "Paris"),
        ("Berlin", "France"),
        ("Berlin", "Paris"),
        ("Georgia", "Texas"),
        ("England", "Scotland"),
        ("Europe", "Asia"),
        ("Scandinavia", "Italy"),
        ("Velmont", "Harwick"),
        ("Niger", "Nigeria"),
        ("Austria", "Australia"),
        ("India", "Indiana"),
        ("Burma", "Bangladesh"),
    ],
)
def test_places_apart_are_a_conflict(stated, found):
    assert conflicts(stated, found) == ["name"]
    assert conflicts(found, stated) == ["name"]


@pytest.mark.parametrize(
    ("stated", "found", "kinds"),
    [
        ("China", "Beijing", []),
        ("the US", "Washington", []),
        ("Moscow", "Russia", []),
        ("the EU", "Brussels", []),
        ("China", "Washington", ["name"]),
        ("Iran", "Baghdad", ["name"]),
    ],
)
def test_a_government_is_called_by_its_seat(stated, found, kinds):
    asked = slot(f"Sanctions were imposed by {stated}.", stated.removeprefix("the "))
    conflict = slot_conflict(asked, found, f"Sanctions were imposed by {found}.")
    assert ([] if conflict is None else [conflict.kind]) == kinds


def test_who_is_no_place_is_asked_for_as_before():
    asked = slot("The final was won by Germany.", "Germany")
    assert slot_conflict(asked, "Harwick", "The final was won by Harwick.").kind == "name"


@pytest.mark.parametrize(
    ("stated", "found"),
    [
        ("France", "French waters"),
        ("the Netherlands", "Dutch waters"),
        ("Beijing", "Chinese waters"),
        ("Leeds", "British waters"),
    ],
)
def test_what_is_a_peoples_is_in_their_country(stated, found):
    assert conflicts(stated, found) == []


@pytest.mark.parametrize(("stated", "found"), [("France", "German waters"), ("Beijing", "Japanese waters")])
def test_what_is_another_peoples_is_elsewhere(stated, found):
    assert conflicts(stated, found) == ["name"]
