"""Words that tell facts from judgements: attributions, views, evaluative words, anchors. English."""

import re

from pipelines.conflicts.analysis import analyse
from pipelines.conflicts.lexicon import MONTHS
from pipelines.conflicts.names.names import Name

_I = re.IGNORECASE
SAYING = (
    r"(?:said|says|saying|told|tells|stated|states|added|adds|announced|announces|reported|reports|wrote|writes|claimed|claims|confirmed|"
    r"confirms|explained|explains|argued|argues|warned|warns|insisted|insists|denied|denies|testified|tweeted|posted|replied|"
    r"admitted|admits|called|calls|declared|declares|complained|complains|alleged|alleges|informed|informs|pointed\s+out|"
    r"points\s+out|accused|accuses|acknowledged|maintains|maintained|suggested|suggests|found\s+that|finds\s+that|shows\s+that|showed\s+that|estimated|estimates|stressed|noted|notes)"
)
ATTRIBUTED = re.compile(rf"(?<!what )\b(?!(?:I|we|you)\s)(?P<verb>{SAYING})\b|\baccording\s+to\b", _I)
HEDGED_VIEW = re.compile(
    r"^(?:(?:and|but|so|well|personally|honestly|frankly),?\s+)*(?:(?:i|we)\s+(?:do\s+|still\s+|really\s+|also\s+|simply\s+|just\s+|strongly\s+|firmly\s+|have\s+always\s+)*"
    r"(?:think|believe|believed|feel|felt|find|guess|suppose|suspect|reckon|consider|love|like|loved|hate|prefer|doubt|fear|mean|regret|admire|bet|imagine)\b(?:\s+that\b|,)?"
    r"|(?:in|to)\s+(?:my|our)\s+(?:\w+\s+)?(?:view|opinion|mind|eyes|experience|judgement|judgment),?|to\s+(?:me|us|my\s+mind),?|if\s+you\s+ask\s+(?:me|us),?|as\s+(?:i|we|far\s+as\s+i)\s+(?:\w+\s+)?(?:see|concerned)[^,]*,?"
    r"|(?:i|we)(?:['’]m|\s+am|['’]re|\s+are)\s+(?:\w+\s+)?(?:proud|sure|certain|convinced|afraid|confident|ashamed|sorry|sad|angry|worried|tired|optimistic|aware|committed)\b(?:\s+(?:of|that|to)\b)?)\s*",
    _I,
)
"""How somebody says that what follows is a view of theirs."""
_JUDGING = (
    "absurd amazing appalling astonishing awesome awful bad beautiful best-loved blatant brave breathtaking brilliant bright "
    "charming cheap clever clumsy comic cowardly crazy cruel cynical dangerous deplorable delicious delightful deplorable "
    "despicable disgraceful disgusting dishonest dismal disappointing divine dreadful dull easy elegant embarrassing enchanting "
    "essential excellent exciting fabulous fair fantastic fine foolish fresh funny glorious good gorgeous great grim handsome hard harmless "
    "heartless honest hopeless horrible hypocritical idiotic impressive incredible inexcusable insane inspiring intolerable irresponsible "
    "lazy lovely ludicrous magnificent marvellous marvelous mad masterly mediocre memorable miserable monstrous nasty naive nice one-sided "
    "outrageous overdue painful pathetic perfect phenomenal pitiful pleasant pointless pretty priceless proud pure reckless "
    "refreshing remarkable ridiculous right rude sad scandalous selfish senseless shameful shocking silly sleazy slow smart "
    "spectacular splendid stale stunning stupid sublime superb sweet tasteless terrible terrific thrilling touching tragic ugly "
    "unacceptable unbearable unbelievable unfair unforgivable unforgettable unjust unjustly unworthy useless vile wise wonderful worthless wrong "
    "amusing annoying boring cosy cozy fun lucky mean pointless slick tender tense tough weak worthwhile better worse "
    "serious seriously offensive decent vital pleased thrilled breath-taking mouth-watering unrivalled unparalleled unique"
)
_JUDGING_NOUNS = (
    "betrayal blessing catastrophe crime delight disaster disgrace dream embarrassment failure farce folly gem genius "
    "greed heart heartbeat horror insult jewel joke joy lie lunacy madness marvel masterpiece mess miracle mockery nightmare "
    "nonsense outrage parody pearl pity pleasure promise relief scandal shame sight soul spectacle stupidity success tragedy treat "
    "triumph vandalism waste wonder lesson truth courage envy love beauty forgiveness goosebumps money"
)
_LINKS = r"(?:is|are|was|were|be|been|being|am|['’]s|['’]re|['’]m|looks?|looked|seems?|seemed|feels?|felt|sounds?|sounded|tastes?|remains?|remained|becomes?|became|finds?|found|makes?|made|proved|calls?\s+it|consider(?:s|ed)?)"
_ADJECTIVES = rf"(?:(?:un)?(?:{'|'.join(sorted(set(_JUDGING.split()), key=len, reverse=True))})(?:ly|st|est)?|pretti(?:er|est)|silli(?:er|est)|ugli(?:er|est)|lazi(?:er|est)|loveli(?:er|est)|sweet(?:er|est)|wis(?:er|est))"
_NOUNS = rf"(?:{'|'.join(sorted(set(_JUDGING_NOUNS.split()), key=len, reverse=True))})"
EVALUATIVE = re.compile(
    rf"\b{_LINKS}\s+(?:not\s+|never\s+|nothing\s+(?:but|short\s+of|less\s+than)\s+|no\s+|only\s+|simply\s+|just\s+|such\s+|so\s+|too\s+|very\s+|really\s+|truly\s+|quite\s+|as\s+|\w+ly\s+|an?\s+|the\s+|it\s+|one\s+of\s+the\s+|most\s+|more\s+|rather\s+|all\s+|of\s+|to\s+|bit\s+|little\s+|kind\s+of\s+){{0,5}}(?:\w+\s+and\s+)?(?:{_ADJECTIVES}|(?:[\w-]+\s+){{0,2}}{_NOUNS})\b"
    rf"|\b(?:the|an?|most|more|such|very|so|too|what|his|her|its|their|this|these|nature['’]s)\s+(?:\w+\s+)?{_ADJECTIVES}\b(?=\s+(?:\w+\s+){{0,2}}(?:of\s+all|ever|indeed|i\s|we\s|plan|idea|decision|policy|thing|man|woman|people|mistake|choice|display|place|story|little))"
    r"|\bno\s+(?:shame|idea|excuse|heart|clue|conscience)\b|\b(?:nothing|no\s?one|nobody|nowhere)\s+(?:\w+\s+)?(?:comes?\s+close|compares?|beats?|is\s+(?:so|as|better|worse))\b"
    r"|\b(?:sadly|alas|unfortunately|luckily|thankfully|shamefully|outrageously|ridiculously|happily|surely|obviously|clearly|certainly|undoubtedly)\b"
    r"|\bto\s+die\s+for\b|\bgoosebumps\b|\bsink\s+in\b|\bnever\s+learn\b|\b(?:will|would|you(?:['’]ll)?)\s+(?:all\s+)?(?:love|adore|hate|enjoy)\b|\bdisappoint(?:s|ed|ing)?\b|\bshame\s+on\b|\bsimply\b|\bhow\s+(?:dare|can)\b",
    _I,
)
"""A judgement as what is said of something."""
_NUMBER_WORD = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|"
    r"twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|hundreds|thousand|thousands|million|millions|billion|billions|dozen|dozens|half|third|quarter|twice|double|percent|per\s+cent)\b|%|\d",
    _I,
)
_MONTH = re.compile(
    rf"\b(?:in|on|since|until|of|by|last|from|before|after|this|\d)\s+(?:{'|'.join(word.capitalize() for word in MONTHS)})\b"
)
_IDIOM = re.compile(
    r"\bone\s+of\s+(?:the|these|those|us|my|our)\b|\b(?:at|in)\s+(?:one|first|second)\s+(?:time|point|place|day|another|glance|thought)?\b|\bone\s+(?:another|day|thing|moment|more|can|must|should|has|might|could|way|or\s+another)\b|\bno\s?one\b|\bthis\s+one\b|\bthe\s+one\b|"
    r"\bthat\s+one\b|\b(?:two|a\s+few|three)\s+(?:things|points|words|questions|minutes|of\s+us|of\s+you)\b|\b(?:half|third)\s+of\s+the\s+battle\b|\bsecond\s+(?:to|nature|thoughts?)\b|\ba\s+(?:thousand|million|hundred)\s+(?:thanks|times|reasons|words|ways)\b|\b\d+\s?/\s?\d*$|\bpage\s+\d+|\bepisode\s+\d+|\b(?:in\s+)?a\s+minute\b",
    _I,
)
_PRONOUN_NAMES = frozenset({"I"})


def told_names(sentence: str) -> list[Name]:
    """Return the names of a sentence that are surely names: not its single first word, unless that is one again."""
    first = re.match(r"\W*", sentence)
    begins = first.end() if first else 0
    found = [name for name in analyse(sentence).names if name.text not in _PRONOUN_NAMES]
    return [name for name in found if name.start > begins or " " in name.text or not _is_common(name.text, sentence)]


def _is_common(word: str, sentence: str) -> bool:
    """Say whether a capital at the beginning says nothing: the next word is not a verb of somebody's, or a plural."""
    return not word.isupper() and not re.match(
        rf"\W*{re.escape(word)}(?:['’]s\b|,|\s+(?:has|had|is|was|said|says|denied|won|lost|agreed)\b)", sentence
    )


def numbers_of(sentence: str) -> list[str]:
    """Return the numbers of a sentence as they are written, without those of idioms."""
    bare = _IDIOM.sub(" ", sentence)
    found = [quantity.text for quantity in analyse(bare).numbers] if _NUMBER_WORD.search(bare) else []
    return found or [match.group() for match in _NUMBER_WORD.finditer(bare)]


def has_date(sentence: str) -> bool:
    """Say whether a sentence names a month, or a year."""
    return _MONTH.search(sentence) is not None or re.search(r"\b(?:1[0-9]|20)\d\d\b", sentence) is not None


def has_anchor(sentence: str) -> bool:
    """Say whether a sentence holds a number, a date, or two names, or a name with an attribution."""
    if numbers_of(sentence) or has_date(sentence):
        return True
    count = len(told_names(sentence))
    return count > 1 or (count == 1 and ATTRIBUTED.search(sentence) is not None)
