"""Word lists and small word tools of the comparisons. English."""

from core.words import stem, words

UNITS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
TENS = {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
SCALES = {
    "dozen": 12.0,
    "hundred": 1e2,
    "thousand": 1e3,
    "lakh": 1e5,
    "lakhs": 1e5,
    "million": 1e6,
    "crore": 1e7,
    "crores": 1e7,
    "billion": 1e9,
    "trillion": 1e12,
    "lakhcrore": 1e12,
    "k": 1e3,
    "m": 1e6,
    "mn": 1e6,
    "mln": 1e6,
    "b": 1e9,
    "bn": 1e9,
    "bln": 1e9,
    "tn": 1e12,
    "trn": 1e12,
}
MONTHS = {
    name: number
    for number, names in enumerate(
        "january jan,february feb,march mar,april apr,may,june jun,july jul,august aug,september sept sep,"
        "october oct,november nov,december dec".split(","),
        start=1,
    )
    for name in names.split()
}
WEEKDAYS = {
    day: number for number, day in enumerate("monday tuesday wednesday thursday friday saturday sunday".split())
}
NOT_NAMES = (
    frozenset(
        "a an the in on at by from to for with of and but or nor so yet if as it its he she they we you i his her "
        "their this that these those there here who what which when where why how no not nobody none nothing never "
        "more most fewer less many much some any all both each every either neither several few one two three after "
        "before during while since until about over under between among against according because although though "
        "however only even just also nearly almost at least mr mrs ms dr sir lord lady president minister prime".split()
    )
    | frozenset(MONTHS)
    | frozenset(WEEKDAYS)
)
GENERIC = frozenset(
    "university college school party court supreme high president minister prime secretary senator governor king queen "
    "prince state states city county province republic government ministry department agency office party national "
    "international united federal north south east west northern southern eastern western new general council "
    "committee commission union association organization organisation group company corporation inc ltd bank news "
    "times police army force forces club team cup league world hospital airport river island islands the of and for "
    "de la el van von al street road house senate parliament congress assembly judge justice dr mr mrs ms sir".split()
)
NEGATIONS = frozenset(
    "not no never none nobody nothing neither nor without cannot n't hardly scarcely barely fail fails failed refuse "
    "refuses refused refusing deny denies denied denying reject rejects rejected rejecting decline declines declined "
    "lack lacks lacked unable".split()
)
BE = frozenset("am is are was were be been being".split())
HAVE = frozenset("have has had".split())
DO = frozenset("do does did".split())
MODALS = frozenset("will would can could may might must shall should".split())
_SAYS_NOTHING = BE | HAVE | DO | frozenset("will would can could".split())
"""What must be, or should be, is another matter."""
_SHORTEST = 3


def content_stems(text: str) -> frozenset[str]:
    """Return the beginnings of the words that say what a text is about, numbers among them."""
    return frozenset(
        stem(word)
        for word in words(text)
        if (len(word) >= _SHORTEST or word[0].isdigit()) and word not in NOT_NAMES | _SAYS_NOTHING
    )
