"""Pairs of words that cannot both be right of the same matter. English."""

import re
from collections.abc import Iterable
from functools import cache

from core.antonyms import antonyms, both_ways

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
voluntary compulsory|optional mandatory|welcomed criticised|welcomed criticized|welcomed condemned
granted denied|granted refused|promoted demoted|launched cancelled|launched canceled|launched scrapped|freed detained
reopened closed|reopened shut|resumed halted|resumed suspended|survived killed|backed blocked|backed rejected
cleared blocked|cleared banned|cleared barred|allowed blocked|allowed barred|released detained|released jailed
acquitted sentenced|overturned confirmed|dismissed upheld|dismissed granted|profit loss|profits losses
doubled tripled|doubled quadrupled|doubled halved|tripled quadrupled|tripled halved|quadrupled halved|double halve
double triple|upheld lifted|upheld quashed|imposed lifted|introduced abolished|introduced scrapped|kept lifted
above below|ahead behind|attend skip|attend boycott|hurt unhurt|injured unhurt|hurt unharmed|injured unharmed
convicted cleared|rose dropped|rose declined|climbed fell|climbed dropped|jumped fell|grew fell|increased fell
increased dropped|increased cut|increased reduced|raised reduced|approved blocked|passed rejected|adopted rejected
appointed dismissed|appointed sacked|hired sacked|backed opposed|endorsed opposed|endorsed rejected|joined quit
arrested released|banned permitted|legalised banned|legalized banned|signed vetoed|upheld annulled|extended ended
improved deteriorated|eased tightened|violated respected|surplus deficit|legally illegally
"""

_VAGUE = frozenset(
    "on off man men woman women left right well like set present future past lie stand sit long short".split()
)
"""Words whose entries in WordNet are not opposites in most sentences."""

CONVERSE = frozenset(
    "majority minority win wins won lose loses lost victory defeat buy buys bought sell sells sold "
    "above below ahead behind".split()
)
"""Of two parties one has this and the other the opposite: what one has won, the other has lost."""


_IRREGULAR = """
win wins won winning|lose loses lost losing|rise rises rose risen rising|fall falls fell fallen falling
grow grew grown|shrink shrank shrunk|begin began begun beginning|buy bought|sell sold|leave left leaving
uphold upheld|strike struck|cut cutting|stop stopped stopping|ban banned banning|bar barred barring|permit permitted
admit admitted admitting|hold held|find found|keep kept|give gave given|take took taken|come came|go went gone
freeze froze frozen|lend lent|skip skipped skipping|shoot shot|steal stole stolen|fly flew flown|drive drove driven
write wrote written|fight fought|send sent|pay paid|spend spent|build built|make made making|meet met|lead led
hear heard|break broke broken|choose chose chosen|draw drew drawn
withdraw withdrew withdrawn|speak spoke spoken|throw threw thrown
overthrow overthrew overthrown|catch caught|teach taught|seek sought|bring brought|think thought|become became|run ran
sink sank sunk|hide hid hidden|flee fled|lay laid|swear swore sworn|tear tore torn|shake shook shaken|know knew known
see saw seen|say said|tell told|stand stood|die died dies dying|deal dealt|feel felt|undergo underwent undergone
forbid forbade forbidden|drop dropped dropping|plan planned planning|stab stabbed stabbing|rob robbed robbing
kidnap kidnapped kidnapping|scrap scrapped scrapping|quit quitting|set setting|put putting|shut shutting|hit hitting
beat beaten beating|control controlled controlling|cancel cancelled cancelling
"""
"""Forms of one verb without -ed, or with a doubled letter."""
_ENDING = re.compile(r"(?:ies|ied|(?<=\w{3})ying|y|es|ed|ing|e|(?<!s)s)$")
_ROOT = 3
_SHORTEST = 4
"""Letters of words in -ed that may not be verbs: shed, need."""
_AGREED = frozenset({"agreed", "freed", "decreed", "guaranteed"})
"""No others in -eed, as speed, are past."""


def opposites_of(word: str) -> frozenset[str]:
    """
    Return the opposites of a folded word.

    Those of the list above, which has what news needs and WordNet lacks, and WordNet's.
    """
    more = frozenset() if word in _VAGUE else antonyms().get(word, frozenset())
    return _listed().get(word, frozenset()) | more


def contrary(word: str, told: Iterable[str]) -> bool:
    """Say whether any of some folded words is a form of an opposite of a word: "win" and "lost"."""
    wanted = _opposite_roots().get(root(word), frozenset())
    return any(root(other) in wanted for other in told)


@cache
def root(word: str) -> str:
    """Return what the forms of a verb have in common: win, won and winning; approve and approved."""
    base = _irregular().get(word, word)
    bare = _ENDING.sub("", base)
    return bare if len(bare) >= _ROOT else base


def is_past(word: str) -> bool:
    """Say whether a folded word looks like a past form or a participle: closed, won, taken."""
    regular = word.endswith("ed") and len(word) > _SHORTEST and not (word.endswith("eed") and word not in _AGREED)
    return regular or (_irregular().get(word, word) != word and not word.endswith(("s", "ing")))


@cache
def _irregular() -> dict[str, str]:
    families = _IRREGULAR.strip().replace("\n", "|").split("|")
    return {form: family.split()[0] for family in families for form in family.split()}


@cache
def _opposite_roots() -> dict[str, frozenset[str]]:
    known = _listed().keys() | antonyms().keys()
    return both_ways((root(word), root(other)) for word in known for other in opposites_of(word))


@cache
def _listed() -> dict[str, frozenset[str]]:
    return both_ways(pair.split() for pair in _PAIRS.strip().replace("\n", "|").split("|"))
