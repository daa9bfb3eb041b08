"""Pairs of words that cannot both be right of the same matter. English; word beginnings."""

_PAIRS = """
rise fall|rose fell|increase decrease|grew shrank|gain lose|higher lower|up down|more fewer|more less|win lose|won lost
support oppose|supported opposed|back oppose|approve reject|approved rejected|accept refuse|accepted refused
accept reject|accepted rejected|allow ban|allowed banned|permit forbid|agree disagree|agreed refused|pass defeat
before after|first last|early late|open close|opened closed|begin end|began ended|start finish|started stopped
alive dead|survived died|survive die|guilty acquitted|convicted acquitted|innocent guilty|arrested freed|jailed freed
confirm deny|confirmed denied|admit deny|admitted denied|join leave|joined left|entered left|hire fire|hired fired
raise cut|raised cut|raised lowered|expand shrink|strengthen weaken|stronger weaker|true false|legal illegal
lawful unlawful|unanimous divided|unanimously narrowly|majority minority|public secret|publicly secretly|success failure
succeeded failed|victory defeat|buy sell|bought sold|male female|man woman|men women|boy girl|son daughter|father mother
husband wife|north south|northern southern|east west|eastern western|praise criticise|praised criticised
praised criticized|praised condemned|upheld overturned|upheld struck|extended shortened|delayed advanced
voluntary compulsory|optional mandatory
"""

ANTONYMS: dict[str, frozenset[str]] = {}
"""Word to its opposites, both ways."""
for _pair in _PAIRS.replace("\n", "|").split("|"):
    if _pair.strip():
        _one, _other = _pair.split()
        ANTONYMS[_one] = ANTONYMS.get(_one, frozenset()) | {_other}
        ANTONYMS[_other] = ANTONYMS.get(_other, frozenset()) | {_one}
