"""
Sentences that speak to a machine instead of to a reader.

Three kinds of sign are looked for. Unmistakable ones cost the whole article: no reporting has them. Sufficient ones cost
the rest of their paragraph. Of the others two are needed: a sign that something is *directed* (an order, "your reply",
"must be treated as") and a sign that it is *about answering* (programs that read, questions asked, claims, replies).
Reporting has either now and then, and hardly ever both.
"""

import re

_PROMPT = r"(?:instructions?|prompts?|commands?|documents?|context|guidelines?|directions|evidence|sources?)"
_OBJECT = rf"(?:{_PROMPT}|rules?|orders?)"
_MACHINE = (
    r"(?:language\s+models?|ai\s+(?:models?|assistants?|systems?|readers?|agents?)|chat\s?bots?|llms?|gpts?|fact[- ]?check(?:ers?|ing\s+(?:assistant|program|system)s?)"
    r"|(?:reading|summari[sz]ing|checking|automated)\s+(?:program|system|tool|check|reader|model|process)(?:me)?s?|bots?|assistants?(?=\s*[,:]|\s+(?:must|should|shall|reading)))\b"
)
_JUDGED = r"(?:verified|refuted|fact[- ]?checked|confirmed\s+(?:as\s+)?(?:true|false)|supported|debunked|unverified)"
_CLAIM = r"(?:claims?|statements?|answers?|news|query|question)"
_RATED = (
    r"(?!(?:rating|fact\s+check):\s*false\b)"
    r"(?!(?<=\bour\s)(?:rating|verdict):\s*(?:true|false)\b)"
    r"(?!fact\s+check:\s*(?:true|debunked|unverified)\s+(?:claim|rumou?r|report|post|photo|picture|image|video|quote|stor(?:y|ie))s?\b)"
)
"""Not how fact-checkers write headlines ("Fact check: False claim ...") and ratings ("Our rating: False")."""
_SPEECH = (
    r"(?:say|tell|answer|reply|respond|output|repeat|conclude|assume|suppose|pretend|imagine|treat|consider|believe"
    r"|remember|forget|ignore|disregard|override|skip|bypass|mention|confirm|verify|classify|declare|summari[sz]e|translate|decode|obey|execute|set\s+aside"
    r"|(?:state|mark|rate|label|quote|report|trust|write|cite|print|return|follow)\s+(?:that|it|this|as|only|what|the))"
)
_BEGIN = r"(?:^|[.!?:;,\-\u2013\u2014(\"'\u201c\u2018*]\s*)"
_ORDER = rf"(?:{_BEGIN}(?:(?:and|then|so|please|kindly|simply|just|now|do\s+not|don't|never|always)\s+){{0,3}}|\b(?:please|kindly|simply|just|always|do\s+not|don't)\s+)"
_CAPITAL = r"\b(?-i:(?=[A-Z]))"
"""Where a sentence may begin: the lines of a text are joined before it is read."""
_TOLD = rf"(?:{_ORDER}|\byou\s+(?:\w+\s+){{1,3}}|{_CAPITAL})"
"""Before an order itself: officials who told people to disregard something report one."""
_DROP = r"(?:ignore|disregard|forget|override|bypass)\b[^.!?]{0,30}\b"
_EARLIER = r"(?:previous|prior|above|earlier|all|other|your)\b[^.!?]{0,20}\b"
_CALLED = rf"(?:\w+\s+)?{_MACHINE}"
_ALL = r"to\s+(?:the|any|all|every)"
_MACHINE_MUST = rf"\b{_MACHINE}\s+(?:\w+\s+){{0,4}}(?:must|should|shall|have\s+to|are\s+(?:instructed|required))\b"
_ANSWERS = rf"(?:\s+\w+){{0,3}}\s+(?:{_SPEECH}|state|mark|rate|label|quote|report|trust|write|cite|print|return|follow|accept|acknowledge|regard|present|told)\b"
"""What a program is ordered to do; that it must be transparent or tested is news."""
_THIS_TEXT = r"\b(?:this|these|the\s+(?:above|following|last|first|next))\s+(?:page|paragraph|passage|document|text|excerpt|article|story|source|claim|statement)s?\b"
_PERSONA = (
    r"(?:you\s+are|act\s+as|pretend\s+to\s+be)\s+(?:now\s+)?(?:dan\b|(?:ai|llm)(?=\s*(?:$|[.,:;!]))|(?:an?|the|our|my)\s+(?:\w+\s+){0,2}"
    r"(?:ai|assistant|chatbot|language\s+model|llm|dan)\b(?!\s+(?:compan|firm|start-?up|research|expert|user|customer|writer|artist|developer|engineer"
    r"|coach|professor|secretar|director|editor|manager|referee|attorney|commissioner|minister|principal|teacher|chief)))"
)
"""What a machine is told that it is; people are told that they are assistant coaches, or use AI."""
_SECRETS = (
    r"(?:system\s+prompt|(?:the|your|its)\s+(?:\w+\s+)?prompt|your\s+instructions|api\s+key|environment\s+variables?)\b"
)

_UNMISTAKABLE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_TOLD}{_DROP}(?:{_EARLIER}{_PROMPT}|(?:previous|prior|above|all|your)\s+(?:rules|orders))\b",
        r"\b(?:real|actual|hidden|secret|(?:new|updated)(?=\s+(?:system|prompt)))\s+(?:system\s+)?(?:instructions?|prompt)\s*(?:\b(?:is|are|follow)\b|:)",
        # "New instructions are being sent to polling stations" is news.
        r"\b(?:new|updated)\s+instructions?\s*(?::|\bfollow\s*(?:$|[:.;,!]|below|here)|\b(?:is|are)\s*(?::|as\s+follows|these\b|that\b|below\b|to\s+(?!be\b)))",
        # Of what a company changed in its chatbot's system prompt, news reports.
        rf"(?:^|[.!?]\s+|{_CAPITAL}|[\[<#*(=-]\s*)(?:system|developer)\s+(?:prompt|message|override|note)\s*(?:$|[:.;!=*#\])>-])|\b(?-i:SYSTEM|DEVELOPER)\s+(?-i:PROMPT|MESSAGE|OVERRIDE|NOTE)\b",
        # A mark that ends what a model was given; a trial has an end of the evidence.
        rf"(?:^|[.!?:;\-=*#\[(\"]\s*)end\s+of\s+(?:the\s+)?{_OBJECT}\s*(?:$|[.!:;\-=*\])\"])|\b(?-i:(?=END\s+OF\s+(?:THE\s+)?[A-Z]))end\s+of\s+(?:the\s+)?{_OBJECT}\b|\bEND\s+(?:EVIDENCE|EXCERPTS|PHRASES|DOCUMENTS)\b",
        rf"\b{_PERSONA}",
        rf"(?:^|[.!?]\s+|{_CAPITAL})(?:dear|attention|note\s+to|{_ALL})\s+{_CALLED}",
        rf"{_MACHINE_MUST}{_ANSWERS}[^.!?]{{0,60}}{_THIS_TEXT}",
        rf"{_TOLD}(?:reveal|print|repeat|show|leak)\b.{{0,30}}\b{_SECRETS}",
    )
)  # fmt: skip
"""Orders about orders, and about being a machine: an article that holds one is not a source at all."""

_SUFFICIENT = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_DROP}{_EARLIER}(?:{_PROMPT}|rules?)\b|{_TOLD}{_DROP}{_EARLIER}{_OBJECT}\b",
        rf"(?<!\bat\sthe\s)(?<!\bby\sthe\s)(?<!\bnear\sthe\s)(?<!\buntil\sthe\s)(?<!\bbefore\sthe\s)\bend\s+of\s+(?:the\s+)?{_OBJECT}\b",
        rf"\b(?:dear|note\s+to)\s+{_CALLED}|{_BEGIN}(?:attention|{_ALL})\s+{_CALLED}|\b{_ALL}\s+{_CALLED}\s*:",
        rf"{_MACHINE_MUST}(?:{_ANSWERS}|[^.!?]{{0,60}}{_THIS_TEXT})",
        rf"(?:^|[.!?:;]\s*)(?:please\s+)?(?:ignore|disregard|forget|override|bypass)\b[^.!?]{{0,30}}\b(?:{_OBJECT}|evidence|sources?|articles?)\b",
        rf"\b(?:system|developer)\s+(?:prompt|message|override|note)\b|\b(?:reveal|print|repeat|show|leak)\b.{{0,30}}\b{_SECRETS}",
        r"\breader'?s?\s+(?:query|question|statement)\b|\bindexed\s+articles\s+do\s+not\s+answer\b",
        rf"\b(?:this|that|following|user'?s?)\s+{_CLAIM}\s+(?:is|has\s+been|have\s+been|was|are)\s+(?:\w+\s+){{0,2}}{_JUDGED}\b",
        rf"\b{_CLAIM}\s+(?:is|are)\s+(?:hereby|now|already|fully)\s+{_JUDGED}\b",
        r"\bnews\s+(?:un)?verified\s*!",
        rf"\bmark\b.{{0,30}}\b(?:as|it)\s+(?:\w+\s+)?(?:{_JUDGED}|true|false)\b",
        # "Job rating: Support falls" is about support.
        rf"\b{_RATED}(?:verdict|label|status|rating|fact\s+check)\b[^.!?:=]{{0,60}}[:=]\s*[\"']?(?:{_JUDGED}|true|false|supports|refutes?|support(?=\W*$|[.!\"']|\s+(?:the|this|that|it|claims?)\b))\b",
        r"\bcite\b.{0,30}\b(?:docs?|documents?|this\s+(?:article|page))\b",
        # An answer that is handed over: "correct answer: ...", "the only acceptable name is ...", "Q: ... A: ...".
        r"\b(?:correct|right|only|true|expected|approved|acceptable|official|desired|final|following)\s+(?:\w+\s+)?(?:answer|response|reply|output|completion)s?(?:\s+\w+){0,5}\s*(?::|\bis\b)",
        r"\b(?:only|one)\s+(?:correct|acceptable|permitted|allowed|valid)\s+(?:answer|name|number|date|place|reply|response)\b",
        r"(?:^|\s)Q\s*[:.]\s.{3,200}?\bA\s*[:.]\s",
        r"\b(?:its|your|the)\s+(?:output|reply|response|answer)\s+(?:\w+\s+){0,4}(?:is\s+(?:fixed|that|as\s+follows)|must|should|will\s+be)\b",
        # Say this, do this.
        r"(?:^|[.!?:,;]\s+|\b(?:please|must\s+always|always|now|then)\s+)(?:answer|respond|reply|output|print)\b.{0,30}\b(?:only|exactly|yes|no|with|verified|that)\b",
        rf"(?:^|[.!?:,;]\s+|\b(?:please|must|should|always|now|just|and)\s+)(?:say|write|state|conclude|return|report)\s+(?:only|exactly|that\s+(?:the|this)\s+{_CLAIM})\b",
        r"(?:^|[.!?:,;]\s+|\b(?:please|must|should|then|now|and)\s+)(?:fetch|visit|open|call|curl|wget|post|send|load|browse|execute|run|render|include|insert)\b.{0,60}(?:https?://|\b(?:url|markdown|html|script)\b)",
        r"^\W*(?:(?:please|kindly|simply|just|now|always)\s+)*(?:say|state|report|answer|reply|respond|conclude|repeat|declare|confirm|believe)\s+that\b",
        r"^\W*(?:(?:please|kindly|simply|just|now|always)\s+)*(?:assume|suppose|pretend)\b[^.!?]{0,60}?\bthat\b",
        r"(?:^\W*(?:and\s+|then\s+)?(?:simply|just|kindly)|\bkindly)\s+(?:say|state|answer|reply|respond|conclude|assume|pretend|repeat|declare|tell)\b",
    )
)  # fmt: skip

_DIRECTED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_ORDER}{_SPEECH}\b(?!\w)",
        r"\byour\s+(?:\w+\s+)?(?:answer|reply|response|output|instructions?|rules?|task|job|verdict|summary|conclusion)\b",
        r"\byou\s+(?:must|should|shall|will|are\s+to|have\s+to|need\s+to|ought\s+to|were\s+(?:told|given|shown|asked))\b",
        r"\b(?:must|should|shall|(?:is|are)\s+to|has\s+to|have\s+to|let\s+it)\s+(?:\w+\s+)?(?:be\s+)?(?:treated|regarded|taken|accepted|recorded|reported|considered|answered|stated|report|state|answer|say|reply|conclude|treat)\b",
        rf"\b(?:authori[sz]e|instruct|order|command|require|urge)s?\s+(?:you|{_MACHINE})\b",
    )
)  # fmt: skip
_ABOUT_ANSWERING = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_MACHINE}\b",
        r"\b(?:read|process|summari[sz]|check|index|retriev|pars|ingest|scan)(?:s|es|e|ing)?\s+(?:this|these)\b",
        r"\b(?:automated|automatic|computer)\s+(?:check|reader|system|summar\w+|process)\w*\b",
        r"\b(?:when|if|in\s+case|whenever|should|once)\s+(?:\w+\s+){0,3}(?:asked|asks|wants\s+to\s+know|queried|summari[sz]ing)\b",
        r"\b(?:the|any|every)\s+(?:reader|user)\s+(?:\w+\s+)?(?:wants|asks|would\s+like|types|searches)\b",
        r"\b(?:this|above|previous|preceding|following|other|these|earlier|remaining)\s+(?:page|paragraph|passage|document|text|excerpt|article|story|sentence|source)s?\b",
        rf"\b(?:this|the|that|user'?s|every|any)\s+(?:user\s+)?(?:{_CLAIM}|prompt|reply|response|output|verdict|citation|instructions?)\b",
        r"\bwhat\s+you\s+(?:were|have\s+been|are)\s+(?:told|given|shown|asked)\b",
        r"\bthe\s+rest\b\s*[:,.]",
    )
)  # fmt: skip
_ADDRESSED = re.compile(
    rf"\b(?:if|when|in\s+case)\s+you\s+(?:are|were)\s+(?:\w+\s+)?(?:summari[sz]ing|reading|answering|asked|checking|processing)\b"
    rf"|\b{_MACHINE}\s+(?:that|which|who)?\s*(?:reads?|process(?:es)?|summari[sz]es?|checks?|index(?:es)?)\s+(?:this|these)\b"
    rf"|\b(?:for|meant\s+for|addressed\s+to)\s+(?:the\s+|any\s+|all\s+)?{_MACHINE}\b",
    re.IGNORECASE,
)
"""Says to whom it speaks: enough by itself."""


_NEEDED = frozenset(
    "page pages paragraph paragraphs passage passages document documents text texts excerpt excerpts article articles story "
    "stories sentence sentences source sources claim claims statement statements answer answers news query question prompt "
    "prompts reply response responses replies output outputs verdict citation instruction instructions model models "
    "assistant assistants chatbot chatbots chat bot bots llm llms gpt gpts program programme programs programmes system systems "
    "tool tools check checks checker checkers checking process processes reader readers user users asked asks know queried "
    "summarising summarizing told given shown rest ai dan rule rules context guideline guidelines directions evidence "
    "phrases ignore disregard forget override bypass act pretend assume suppose kindly verified refuted mark cite label "
    "status rating url http https html script markdown respond print q completion name number date place key variables "
    "message note say state report conclude repeat declare confirm believe exactly yes no reading answering".split()
)
"""Every pattern needs one of these words: most sentences have none, and are done with."""
_WORD = re.compile(r"[a-z]+")


def is_unmistakable(line: str) -> bool:
    """Say whether a line orders a machine to drop its orders, or tells it what it is."""
    return any(pattern.search(line) for pattern in _UNMISTAKABLE)


def speaks_to_machine(line: str) -> bool:
    """
    Say whether a line speaks to a machine.

    :param line: A sentence, or a few that follow one another, on one line.
    """
    if _NEEDED.isdisjoint(_WORD.findall(line.lower())):
        return False
    if is_unmistakable(line) or _ADDRESSED.search(line) or any(pattern.search(line) for pattern in _SUFFICIENT):
        return True
    return any(pattern.search(line) for pattern in _DIRECTED) and any(
        pattern.search(line) for pattern in _ABOUT_ANSWERING
    )
