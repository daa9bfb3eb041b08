"""
Places that hold others, and what else they are called. English.

A place that is not listed may be within any area.
"""

import re
from functools import lru_cache
from itertools import takewhile

from pipelines.conflicts.lexicon import words

_HOLD = """
Africa: Algeria, Angola, Benin, Botswana, Burkina Faso, Burundi, Cameroon, Cape Verde, Central African Republic, Chad,
 Comoros, Congo, DR Congo, Djibouti, Egypt, Equatorial Guinea, Eritrea, Eswatini, Ethiopia, Gabon, Gambia, Ghana,
 Guinea, Guinea-Bissau, Ivory Coast, Kenya, Lesotho, Liberia, Libya, Madagascar, Malawi, Mali, Mauritania, Mauritius,
 Morocco, Mozambique, Namibia, Niger, Nigeria, Rwanda, Senegal, Seychelles, Sierra Leone, Somalia, Somaliland, South
 Africa, South Sudan, Sudan, Tanzania, Togo, Tunisia, Uganda, Western Sahara, Zambia, Zimbabwe
Asia: Afghanistan, Arabia, Armenia, Azerbaijan, Bahrain, Bangladesh, Bhutan, Brunei, Cambodia, China, Cyprus, East
 Timor, Georgia, India, Indonesia, Iran, Iraq, Israel, Japan, Jordan, Kazakhstan, Kuwait, Kyrgyzstan, Laos, Lebanon,
 Malaysia, Maldives, Mongolia, Myanmar, Nepal, North Korea, Oman, Pakistan, Palestine, Philippines, Qatar, Russia,
 Saudi Arabia, Singapore, South Korea, Sri Lanka, Syria, Taiwan, Tajikistan, Thailand, Turkey, Turkmenistan, United
 Arab Emirates, Uzbekistan, Vietnam, Yemen
Europe: Albania, Andorra, Armenia, Austria, Azerbaijan, Belarus, Belgium, Bosnia, Bulgaria, Croatia, Cyprus, Czech
 Republic, Denmark, Estonia, Finland, France, Georgia, Germany, Greece, Hungary, Iceland, Ireland, Italy, Kazakhstan,
 Kosovo, Latvia, Liechtenstein, Lithuania, Luxembourg, Malta, Moldova, Monaco, Montenegro, Netherlands, North
 Macedonia, Norway, Poland, Portugal, Romania, Russia, San Marino, Serbia, Slovakia, Slovenia, Spain, Sweden,
 Switzerland, Turkey, Ukraine, United Kingdom, Vatican
North America: Bahamas, Barbados, Belize, Canada, Costa Rica, Cuba, Dominica, Dominican Republic, El Salvador,
 Greenland, Grenada, Guatemala, Haiti, Honduras, Jamaica, Mexico, Nicaragua, Panama, Puerto Rico, Trinidad, United
 States
South America: Argentina, Bolivia, Brazil, Chile, Colombia, Ecuador, Guyana, Paraguay, Peru, Suriname, Uruguay,
 Venezuela
Oceania: Australia, Fiji, Kiribati, Marshall Islands, Micronesia, Nauru, New Zealand, Palau, Papua New Guinea, Samoa,
 Solomon Islands, Tonga, Tuvalu, Vanuatu
Arabia: Bahrain, Kuwait, Oman, Qatar, Saudi Arabia, United Arab Emirates, Yemen
United Kingdom: England, Northern Ireland, Scotland, Wales
United States: Alabama, Alaska, Arizona, Arkansas, California, Colorado, Connecticut, Delaware, Florida, Georgia,
 Hawaii, Idaho, Illinois, Indiana, Iowa, Kansas, Kentucky, Louisiana, Maine, Maryland, Massachusetts, Michigan,
 Minnesota, Mississippi, Missouri, Montana, Nebraska, Nevada, New Hampshire, New Jersey, New Mexico, New York, North
 Carolina, North Dakota, Ohio, Oklahoma, Oregon, Pennsylvania, Puerto Rico, Rhode Island, South Carolina, South Dakota,
 Tennessee, Texas, Utah, Vermont, Virginia, Washington, West Virginia, Wisconsin, Wyoming
Canada: Alberta, British Columbia, Manitoba, New Brunswick, Newfoundland, Nova Scotia, Ontario, Quebec, Saskatchewan
Australia: New South Wales, Queensland, South Australia, Tasmania, Victoria, Western Australia
Germany: Bavaria, Brandenburg, Hesse, Lower Saxony, North Rhine-Westphalia, Saxony, Saxony-Anhalt, Thuringia
Spain: Andalusia, Catalonia, Galicia
Italy: Lombardy, Sardinia, Sicily, Tuscany
France: Brittany, Corsica, Normandy
China: Guangdong, Hong Kong, Hubei, Macau, Sichuan, Tibet, Xinjiang
India: Assam, Bihar, Gujarat, Karnataka, Kashmir, Kerala, Maharashtra, Odisha, Punjab, Rajasthan, Tamil Nadu, Uttar
 Pradesh, West Bengal
Pakistan: Balochistan, Kashmir, Punjab, Sindh
Indonesia: Bali, Java, Sulawesi, Sumatra
Russia: Chechnya, Crimea, Dagestan, Siberia
Ukraine: Crimea, Donbas
Iraq: Kurdistan
Ethiopia: Tigray
Sudan: Darfur
Palestine: Gaza, Gaza Strip, West Bank
Israel: Gaza, Gaza Strip, West Bank
Tanzania: Zanzibar
"""
"""Continents, countries and states; of what is disputed, each that claims it."""
_REGIONS = """
Americas: North America, South America
Latin America: South America, Belize, Costa Rica, Cuba, Dominican Republic, El Salvador, Guatemala, Haiti, Honduras,
 Mexico, Nicaragua, Panama, Puerto Rico
Central America: Belize, Costa Rica, El Salvador, Guatemala, Honduras, Nicaragua, Panama
Caribbean: Bahamas, Barbados, Cuba, Dominica, Dominican Republic, Grenada, Haiti, Jamaica, Puerto Rico, Trinidad
Middle East: Arabia, Cyprus, Egypt, Iran, Iraq, Israel, Jordan, Lebanon, Palestine, Syria, Turkey
Balkans: Albania, Bosnia, Bulgaria, Croatia, Greece, Kosovo, Montenegro, North Macedonia, Romania, Serbia, Slovenia
Scandinavia: Denmark, Finland, Norway, Sweden
European Union: Austria, Belgium, Bulgaria, Croatia, Cyprus, Czech Republic, Denmark, Estonia, Finland, France,
 Germany, Greece, Hungary, Ireland, Italy, Latvia, Lithuania, Luxembourg, Malta, Netherlands, Poland, Portugal,
 Romania, Slovakia, Slovenia, Spain, Sweden, United Kingdom
"""
"""Of several countries, which may be in several of them."""
_TOWNS = """
Afghanistan: Kabul; Algeria: Algiers; Argentina: Buenos Aires; Armenia: Yerevan; Austria: Vienna; Azerbaijan: Baku;
 Bangladesh: Dhaka; Belarus: Minsk; Belgium: Antwerp, Brussels; Bosnia: Sarajevo; Bulgaria: Sofia; Cambodia: Phnom
 Penh; Brazil: Brasilia, Rio de Janeiro, Sao Paulo; California: Los Angeles, San Diego, San Francisco; Canada: Ottawa;
 Ontario: Toronto; Quebec: Montreal; British Columbia: Vancouver; Chile: Santiago; Colombia: Bogota; Croatia: Zagreb;
 China: Beijing, Shanghai, Wuhan; Cuba: Havana; Czech Republic: Prague; Denmark: Copenhagen; DR Congo: Kinshasa;
 Ecuador: Quito; Egypt: Cairo; England: Leeds, Liverpool, London, Manchester; Estonia: Tallinn; Ethiopia: Addis Ababa;
 Finland: Helsinki; Florida: Miami; France: Lyon, Marseille, Paris; Germany: Berlin, Frankfurt, Hamburg, Munich; Ghana:
 Accra; Greece: Athens; Haiti: Port-au-Prince; Hungary: Budapest; Iceland: Reykjavik; Illinois: Chicago; India: Delhi,
 Kolkata, Mumbai, New Delhi; Indonesia: Jakarta; Iran: Tehran; Iraq: Baghdad; Ireland: Dublin; Israel: Jerusalem, Tel
 Aviv; Italy: Milan, Rome, Venice; Japan: Osaka, Tokyo; Jordan: Amman; Kenya: Nairobi; Latvia: Riga; Lebanon: Beirut;
 Libya: Tripoli; Lithuania: Vilnius; Malaysia: Kuala Lumpur; Maryland: Baltimore; Massachusetts: Boston; Michigan:
 Detroit; Myanmar: Yangon; Nepal: Kathmandu; Netherlands: Amsterdam, Rotterdam, Hague; New South Wales: Sydney;
 Nigeria: Abuja, Lagos; North Korea: Pyongyang; Northern Ireland: Belfast; Norway: Oslo; Pakistan: Islamabad, Karachi,
 Lahore; Palestine: Jerusalem; Pennsylvania: Philadelphia; Peru: Lima; Philippines: Manila; Poland: Warsaw; Portugal:
 Lisbon; Qatar: Doha; Romania: Bucharest; Russia: Moscow, Saint Petersburg; Saudi Arabia: Riyadh; Scotland: Edinburgh,
 Glasgow; Senegal: Dakar; Serbia: Belgrade; Somalia: Mogadishu; South Africa: Cape Town, Johannesburg; South Korea:
 Seoul; Spain: Barcelona, Madrid; Sudan: Khartoum; Sweden: Stockholm; Switzerland: Geneva, Zurich; Syria: Aleppo,
 Damascus; Taiwan: Taipei; Texas: Dallas, Houston; Thailand: Bangkok; Tunisia: Tunis; Turkey: Ankara, Istanbul; Uganda:
 Kampala; Ukraine: Kharkiv, Kyiv; United Arab Emirates: Abu Dhabi, Dubai; Venezuela: Caracas; Victoria: Melbourne;
 Vietnam: Hanoi; Wales: Cardiff; Yemen: Sanaa; Zimbabwe: Harare
"""
"""Capitals and large towns."""
_OTHER_NAMES = """
United Kingdom: UK, U.K., Britain, Great Britain; United States: US, U.S., USA, U.S.A., America, United States of
 America; Netherlands: Holland; Myanmar: Burma; Ivory Coast: Côte d'Ivoire, Cote d'Ivoire; Czech Republic: Czechia;
 Eswatini: Swaziland; Turkey: Türkiye, Turkiye; Cape Verde: Cabo Verde; East Timor: Timor-Leste; North Macedonia:
 Macedonia; United Arab Emirates: UAE, U.A.E., Emirates; DR Congo: DRC, Democratic Republic of Congo, Democratic
 Republic of the Congo; European Union: EU, E.U.; Vatican: Vatican City, Holy See; Sri Lanka: Ceylon; Zimbabwe:
 Rhodesia; Iran: Persia; Bosnia: Bosnia and Herzegovina; Palestine: Palestinian Territories; Thailand: Siam; Belarus:
 Byelorussia; South Korea: Republic of Korea; North Korea: DPRK; Ireland: Republic of Ireland, Eire; Caribbean: West
 Indies; Kyiv: Kiev; Kharkiv: Kharkov; Mumbai: Bombay; Kolkata: Calcutta; Yangon: Rangoon; Saint Petersburg: St
 Petersburg; Beijing: Peking; Ho Chi Minh City: Saigon; Istanbul: Constantinople; Chennai: Madras
"""
_PEOPLES = """
Afghanistan: Afghan; Albania: Albanian; Algeria: Algerian; Argentina: Argentine, Argentinian; Armenia: Armenian;
 Australia: Australian; Austria: Austrian; Azerbaijan: Azerbaijani; Bangladesh: Bangladeshi; Belarus: Belarusian;
 Belgium: Belgian; Bolivia: Bolivian; Bosnia: Bosnian; Brazil: Brazilian; Bulgaria: Bulgarian; Cambodia: Cambodian;
 Canada: Canadian; Chile: Chilean; China: Chinese; Colombia: Colombian; Congo: Congolese; Croatia: Croatian; Cuba:
 Cuban; Cyprus: Cypriot; Czech Republic: Czech; Denmark: Danish; Ecuador: Ecuadorian; Egypt: Egyptian; England:
 English; Estonia: Estonian; Ethiopia: Ethiopian; Finland: Finnish; France: French; Germany: German; Ghana: Ghanaian;
 Greece: Greek; Haiti: Haitian; Hungary: Hungarian; Iceland: Icelandic; India: Indian; Indonesia: Indonesian; Iran:
 Iranian; Iraq: Iraqi; Ireland: Irish; Israel: Israeli; Italy: Italian; Jamaica: Jamaican; Japan: Japanese; Jordan:
 Jordanian; Kazakhstan: Kazakh; Kenya: Kenyan; Kosovo: Kosovar; Kuwait: Kuwaiti; Latvia: Latvian; Lebanon: Lebanese;
 Libya: Libyan; Lithuania: Lithuanian; Malaysia: Malaysian; Malta: Maltese; Mexico: Mexican; Moldova: Moldovan;
 Morocco: Moroccan; Myanmar: Burmese; Nepal: Nepalese, Nepali; Netherlands: Dutch; New Zealand: New Zealander; Nigeria:
 Nigerian; North Korea: North Korean; Norway: Norwegian; Pakistan: Pakistani; Palestine: Palestinian; Peru: Peruvian;
 Philippines: Filipino, Philippine; Poland: Polish; Portugal: Portuguese; Qatar: Qatari; Romania: Romanian; Russia:
 Russian; Rwanda: Rwandan; Saudi Arabia: Saudi; Scotland: Scottish, Scots; Senegal: Senegalese; Serbia: Serbian, Serb;
 Slovakia: Slovak; Slovenia: Slovenian, Slovene; Somalia: Somali; South Africa: South African; South Korea: South
 Korean; Spain: Spanish; Sudan: Sudanese; Sweden: Swedish; Switzerland: Swiss; Syria: Syrian; Taiwan: Taiwanese;
 Tanzania: Tanzanian; Thailand: Thai; Tunisia: Tunisian; Turkey: Turkish; Uganda: Ugandan; Ukraine: Ukrainian; United
 Kingdom: British; United States: American; Venezuela: Venezuelan; Vietnam: Vietnamese; Wales: Welsh; Yemen: Yemeni;
 Zambia: Zambian; Zimbabwe: Zimbabwean
"""
"""What is theirs."""
_NAMED = 4
"""Letters of a name of one word from which its forms are told by their beginning."""


def _table(text: str) -> dict[str, frozenset[str]]:
    """Read "Germany: Berlin, Munich; Kenya: Nairobi"; what a blank begins goes on with the line before."""
    found: dict[str, frozenset[str]] = {}
    for entry in re.split(r";|\n(?! )", text.strip()):
        one, others = entry.split(":")
        names = frozenset(" ".join(other.split()) for other in others.split(","))
        name = " ".join(one.split())
        found[name] = found.get(name, frozenset()) | names
    return found


_AREAS, _WIDE, _WITH_TOWNS, _ALSO, _OF_PEOPLE = (
    _table(text) for text in (_HOLD, _REGIONS, _TOWNS, _OTHER_NAMES, _PEOPLES)
)
_CALLED = {
    name: _ALSO.get(name, frozenset()) | _OF_PEOPLE.get(name, frozenset()) for name in _ALSO.keys() | _OF_PEOPLE.keys()
}
_PARTS = {
    name: _AREAS.get(name, frozenset()) | _WIDE.get(name, frozenset()) | _WITH_TOWNS.get(name, frozenset())
    for name in _AREAS.keys() | _WIDE.keys() | _WITH_TOWNS.keys()
}
_ALL_AREAS = _PARTS.keys() | frozenset().union(*_AREAS.values())


def _key(name: str) -> str:
    return " ".join(words(name.replace(".", "")))


_KNOWN = {_key(name): name for name in _ALL_AREAS.union(*_PARTS.values(), _CALLED)}
_KNOWN |= {_key(other): name for name, others in _CALLED.items() for other in others}
_BY_BEGINNING: dict[str, list[str]] = {}
for _name in _KNOWN:
    if " " not in _name:
        _BY_BEGINNING.setdefault(_name[:_NAMED], []).append(_name)


def place_of(name: str) -> str:
    """Return the listed place that a name, another name of it, or its people's means; empty: it is not listed."""
    return _KNOWN.get(_key(name), "")


def other_names(name: str) -> frozenset[str]:
    """Return what a place is called, too: Myanmar, Burma; empty: nothing else is known."""
    known = place_of(name)
    return (_CALLED[known] | {known}) - {name} if known in _CALLED else frozenset()


def may_be_within(one: str, other: str) -> bool:
    """
    Say whether what is in one place may be in the other, too: as one holds the other, or an area a place not listed.

    Two places that are not listed are taken for two.
    """
    first, second = place_of(one), place_of(other)
    if not (first and second):
        return (first or second) in _ALL_AREAS
    if is_seat(one, other):
        return True
    return not _WIDE.keys().isdisjoint({first, second}) and not _all_within(first).isdisjoint(_all_within(second))


def is_seat(one: str, other: str) -> bool:
    """Say whether of two listed places one lies in the other, by which it may be called: Beijing, China, Chinese."""
    first, second = place_of(one), place_of(other)
    if not (first and second):
        return False
    return first in _all_within(second) or second in _all_within(first)


def is_another_place(one: str, other: str) -> bool:
    """
    Say whether of two folded words with one beginning each is a place of its own, or a form of such: Niger, Nigerian.

    A word is no form of a place if it has more letters of another one, which has no more letters left: Nigerian, of
    Niger and Nigeria.
    """
    if one in _KNOWN and other in _KNOWN:
        return _KNOWN[one] != _KNOWN[other]
    place, word = (one, other) if one in _KNOWN else (other, one)
    if place not in _KNOWN:
        return False
    shared = shared_letters(place, word)
    nearby = (name for name in _BY_BEGINNING.get(word[:_NAMED], ()) if _KNOWN[name] != _KNOWN[place])
    others = ((len(name), shared_letters(name, word)) for name in nearby)
    return any(has > shared and letters - has <= len(place) - shared for letters, has in others)


def is_place(word: str) -> bool:
    """Say whether a folded word is a listed place."""
    return word in _KNOWN


def shared_letters(one: str, other: str) -> int:
    """Count the letters that two words begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


@lru_cache(maxsize=1024)
def _all_within(name: str) -> frozenset[str]:
    """Return a place and all that it holds."""
    return frozenset({name}).union(*(_all_within(part) for part in _PARTS.get(name, ())))
