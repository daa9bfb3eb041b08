"""Paragraphs that are no part of an article, told by their words: pitches, pointers, labels, bylines, date lines."""

import re

from scraper.extraction.text import words

_POINTERS = (
    r"(?:(?-i:MORE)|read|watch|listen|related|also read|czytaj|lees|lire|leggi|leer|les|lesen sie)"
    r"(?: (?:more|also|next|now|on this(?: story)?|stories|articles|topics))?"
    r"(?: (?:wi\u0119cej|ook|aussi|anche|tambi\u00e9n|auch))?\s*[:\u00bb>|][^.!?]{0,250}[.!?]?",
    r"(?:see|more) (?:also|on this(?: story)?|stories|articles)\s*[:\u00bb>|][^.!?]{0,250}[.!?]?",
    r"(?:read more|czytaj wi\u0119cej|lire aussi|leggi anche|lee tambi\u00e9n)",
    r"(?:mehr zum thema|auch interessant|lees ook|les ogs\u00e5)",
    r"(?:l\u00e4s|l\u00e6s|les)(?: (?:mer|mere|meir|ocks\u00e5|ogs\u00e5|\u00e4ven))(?: om .{3,60})?\s*[:\u00bb>|][^.!?]{0,250}[.!?]?",
    r"related (?:coverage|stories|articles|content|news|posts|topics)|(?:l\u00e4s|l\u00e6s|les) (?:ocks\u00e5|ogs\u00e5|\u00e4ven)|lesen sie auch",
    r">>.{0,250}",
    r"(?-i:[A-Z][A-Z ]{3,30}) \| [^.!?]{0,250}[.!?]?",
    r"click here to .{0,160}",
    r"more from [\w' ]{2,40}",
)
_LABELS = (
    r"advertisement|sponsored(?: content)?|anzeige|werbung|publicidad|publicit\u00e9|annonse|reklama",
    r"article content|embed|\u25a0?(?:関連記事|関連キーワード|あわせて読みたい|相关阅读|相關新聞|관련기사)",
    r"(?:etiketler|tags|schlagw\u00f6rter|schlagworte|stichw\u00f6rter|emner|emneord|\u00e4mnen|mots-cl\u00e9s|etiquetas|trefwoorden|tagi)\s*:",
    r"(?:story|article) continues below.{0,60}|continue reading.{0,80}|scroll (?:down )?to continue.{0,60}",
    r"(?:weiterlesen nach der anzeige|art\w+ (?:forts\u00e4tter|fortsetter|forts\u00e6tter) (?:efter|etter|under) an\w+).{0,40}",
    r"share (?:this|on).{0,60}|swipe (?:left|right|\u2192).{0,60}|popular|most read|trending|recommended",
)
_CAPTIONS = (
    r"(?:.{0,400}[|\u00b7\u2022]\s?|(?:video|audio)\W{1,3})?\d{1,2}[.:]\d{2} min\.?",
    r"(?:quelle|bild|foto|photo|source|image|credit)s?: \S.{0,60}",
)
_PITCHES = (
    r"sign up (?:for|to) .{0,300}|subscribe (?:to|now|today) .{0,300}|get the latest news .{0,200}",
    r"(?:please )?(?:enable|turn on) javascript.{0,120}",
    r"thank you for visiting .{0,60} you are using a browser .{0,400}",
    r"il vous reste \d.{0,20} de cet article \u00e0 lire.{0,120}",
    r"please peer review .{0,100}|reviews and recommendations are unbiased .{0,300}",
)
_OUR = r"(?:our|unser\w{0,2}|v\u00e5r[ta]?|vores|notre|nos|nuestr[oa]s?|nostr[oaie]|ons|onze)"
_CHANNELS = (
    r"(?:newsletters?|nyhets?brev\w*|nyhedsbrev\w*|nieuwsbrie\w+|bolet\u00edn|app|(?:whatsapp|telegram|facebook|instagram)[\w\s-]{0,12}"
    r"(?:channel|community|group|kanal\w*|gruppe?\w*)|push-?\w+|e-?mail alerts?)"
)
_OFFERS = re.compile(
    rf"\b{_OUR} (?:[\w-]+ ){{0,3}}{_CHANNELS}(?!\w)"
    r"|\bwe (?:may |might |can )?(?:earn|receive|get|make) (?:an? )?(?:small |affiliate )*(?:commission|share of)\b"
    r"|\berhalten wir (?:[\w.]+ ){0,4}provision\b|\b(?:newsletter|nyhetsbrev|nyhedsbrev)-?(?:anmeld|abonnier|bestell|werbe)"
    r"|^(?:please )?(?:support (?:us|our|local|independent|quality|free)|become an?|help us)\b.{0,60}"
    r"\b(?:journalism|member|subscriber|supporter)\b",
    re.IGNORECASE,
)
"""What a house offers of itself in its own voice: its newsletter, its app, its shop, a membership."""
_TO_READERS = re.compile(
    r"\b(?:you|your|sie|ihr(?:e[rmns]?)?|du|dich|dir|dein\w{0,2}|dig|din|ditt|dine|deg|vous|votre|vos|usted|je|jij|jouw)\b"
    r"|(?:^|[.!?:\u2013\u2014-] )(?:please )?(?:sign|join|follow|subscribe|get|download|register|listen|find|try|click|tap|abonnieren"
    r"|folgen|hier|f\u00e5|meld|last|hent|tilmeld|prenumerera|anm\u00e4l|ladda|f\u00f8lg|f\u00f6lj|inscri\w+|suscr\w+|iscriv\w+)\b"
    r"|\bwe (?:may|might|can|earn|receive)\b|\berhalten wir\b|^(?:please )?(?:support|become|help)\b",
    re.IGNORECASE,
)
"""Readers are spoken to: a story that tells of "our app" does not speak to them."""
_SPOKEN = re.compile('^["\'\u201c\u201e\u00ab\u00bb\u2018\u201a\u2013\u2014-]|[\u201c\u201d\u00ab\u00bb"]')
"""Somebody is quoted: what is said is not the house's own voice."""
_NOTICES = (
    r"(?:.{0,60}\b)?(?:need|have|required?|must) .{0,30}javascript.{0,160}|javascript (?:is|seems|appears) .{0,160}",
    r"(?:.{0,80}\b)?(?:aktivieren|aktiver|aktivera|aktiv\u00e9r|activer|activez|activa|activar|habilit|attiva|w\u0142\u0105cz)\S* .{0,20}javascript.{0,160}",
    r"(?:.{0,40}\b)?javascript .{0,60}(?:aktivieren|aktiver|aktivera|aktivert|aktiverat|activ|habilit|einschalten|deaktiviert).{0,120}",
)
"""About scripts; each holds the word itself."""
_TAILS = (
    r"\bsign up (?:for|to)\b|\bsubscribe to (?:our|the)\b|\bin your inbox\b",
    r"\b(?:our|this|free|daily|weekly|morning|evening) .{0,20}newsletters?\b|^newsletter",
    r"\bfollow (?:us|our [\w ]{2,40}|@\w+) on\b|(?:^|[.!?:|] |\byou can )follow (?:\w+|\w+ \w+) on\b",
    r"\b(?:whatsapp|instagram|facebook)\b.{0,60}\b(?:folgen|follow|channel|kanal)",
    r"\bget in touch with (?:us|our)\b|\bfor more stories like this\b|\bbookmark \S+\.\w+",
    r"\b(?:log in|create an account) to continue\b|\baccess the most recent journalism\b|^explore the latest\b",
    r"\b(?:download|get) (?:the|our) .{0,20}app\b|\bnews-app\b|\bpreferred source\b",
    r"(?:^|[.!?] )(?:please )?(?:subscribe|support (?:us|our)|get (?:full|unlimited|digital))\b.{0,120}\ba month\b",
    r"\ba month\b.{0,60}(?:\b(?:our|independent|quality) journalism\b|[.!?:] subscribe\b)|^(?:please )?donate\b",
    r"\bsupport (?:our|independent) (?:work|journalism)\b",
    r"\ball rights reserved\b|^\u00a9|^copyright\s*(?:\u00a9|\(c\)|\d{4})|^copyright\b[^.!?]{0,60}$",
    r"^this is a breaking (?:news? )?story\b|(?:^|[.!?] )more to follow\W*$",
)
WALL = re.compile(
    r"(?:(?:subscribe|sign in|log in|login|register|create (?:a |an )?(?:free )?account|start your (?:free )?trial)"
    r"(?: now| today| or \w+(?: \w+)?)? (?:to|and) (?:continue|keep|read|unlock|finish|access|view)"
    r"|(?:this|the) (?:article|story|content|page) is (?:only |exclusively )?"
    r"(?:for|available to|reserved for|exclusive to) (?:our |paying |registered )?(?:subscribers|members)"
    r"|(?:unlock|read) (?:the )?(?:full|rest of (?:the|this)|complete) (?:article|story)|unlock this (?:article|story)"
    r"|subscribers? only (?:article|story|content)|(?:subscriber|member)-only"
    r"|to (?:continue|keep) reading(?: this)?|you(?:'ve| have) (?:reached|read) your .{0,30}(?:limit|free articles)"
    r"|r\u00e9serv\u00e9e? (?:\u00e0 nos|aux) abonn\u00e9s|nur f\u00fcr abonnenten|weiterlesen mit|jetzt weiterlesen"
    r"|(?:solo|exclusivo) para suscriptores|riservato agli abbonati|tylko dla prenumerator\u00f3w)",
    re.IGNORECASE,
)
"""What asks a reader to subscribe before reading on."""
_ANYWHERE = re.compile(f"^(?:{'|'.join((*_POINTERS, *_LABELS, *_CAPTIONS, *_PITCHES))})$", re.IGNORECASE)
_NOTICE = re.compile(f"^(?:{'|'.join(_NOTICES)})$", re.IGNORECASE)
_TAIL = re.compile("|".join(_TAILS), re.IGNORECASE)
_SOURCE_LINE = re.compile(
    r"^(?:sources?|quellen?|kilder?|k\u00e4llor?|k\u00e4lla|lähde|fuentes?|fontes?|fonti?|bron(?:nen)?|\u017ar\u00f3d\u0142o|kaynak|\u0438\u0441\u0442\u043e\u0447\u043d\u0438\u043a|\u6765\u6e90|\u4f86\u6e90|\u51fa\u5178|\ucd9c\ucc98"
    r"|tags?|topics?|themen|schlagw\u00f6rter|emner|\u00e4mnen|aihe(?:et)?|mots-cl\u00e9s|etiquetas|temas|category|categories|kategorie|filed under|in this article|keywords|section"
    r"|\u6807\u7b7e|\u95dc\u9375\u5b57|\u8d23\u4efb\u7f16\u8f91|\u7f16\u8f91|\u7de8\u8f2f)\s*[:\uff1a].{0,200}$"
    r"|^\W*(?:published|posted|(?:last |sist |senast )?(?:updated|oppdatert|uppdaterad)|ver\u00f6ffentlicht|aktualisiert|publisert"
    r"|publicerad|opdateret|udgivet|offentliggjort|publi\u00e9|mis \u00e0 jour|publicado|actualizado|pubblicato|aggiornato)"
    r"\b(?:.{0,60}\d.{0,40}| (?:on|am|den|le|el)\W*)?$"
    r"|^\W*(?:\d+\s*)?(?:share|teilen|del(?:e|a)?|partager|compartir|condividi|kommentare?|comments?|kommentarer|print|drucken|like|tweet|e-?mail|whatsapp|facebook|read(?:ing)? time)\W*(?:\d+\W*)?$"
    r"|^(?:reading time|lesezeit|lesedauer|lesetid|l\u00e6setid|l\u00e4stid|temps de lecture|tiempo de lectura)\b.{0,30}$|^\d+\s*(?:min(?:ut\w{0,2})?s?|Min\.?)(?: read| Lesezeit| lesetid)?\W*$"
    r"|^\W*(?:by |von )?(?:\d+|an?|one)\s+(?:seconds?|minutes?|mins?|hours?|hrs?|days?|weeks?)\s+ago\W*$|^vor \d+ (?:Minuten?|Stunden?|Tagen?)\W*$|^for \d+ (?:minutter|timer|dager) siden\W*$"
    r"|^[\d.,]+\s?[km]?\s+(?:people|readers|views|reads|Aufrufe|Leser|visninger|lesere)\b.{0,60}$",
    re.IGNORECASE,
)
_BYLINE = re.compile(r"^(?:by|von|par|por|di|av|af|door|text|story)\s*:?\s+\S.{0,80}$", re.IGNORECASE)
_MONTH_OR_CLOCK = re.compile(r"\b(?:19|20)\d\d\b|\d{1,2}:\d{2}|\d{1,2}\.\d{1,2}\.")
MAX_PITCH_CHARS = 400
MAX_LINE_CHARS = 90
MAX_DATE_WORDS = 5
BYLINE_SLACK = 12
"""Characters that a line which only names the authors has besides their names."""


def is_boilerplate(text: str) -> bool:
    """Say whether a paragraph is not part of the article wherever it stands."""
    if _ANYWHERE.match(text) or is_offer(text):
        return True
    return "javascript" in text.lower() and bool(_NOTICE.match(text))


def is_offer(text: str) -> bool:
    """Say whether a paragraph offers readers something of the house, in its own voice."""
    return (
        len(text) <= MAX_PITCH_CHARS
        and bool(_OFFERS.search(text))
        and bool(_TO_READERS.search(text))
        and not _SPOKEN.search(text)
    )


def is_source_line(text: str) -> bool:
    """Say whether a line names where a text comes from, what it is tagged with, or what a reader may do with it."""
    return bool(_SOURCE_LINE.match(text))


def is_tail(text: str) -> bool:
    """Say whether the last paragraph of a text is a pitch or a copyright line."""
    return len(text) <= MAX_PITCH_CHARS and bool(_TAIL.search(text))


def is_top_line(text: str, *, authors: tuple[str, ...]) -> bool:
    """Say whether one of the first paragraphs is a byline or a date line."""
    bare = text
    for author in authors:
        bare = re.sub(re.escape(author), "", bare, flags=re.IGNORECASE)
    if len(bare) > MAX_LINE_CHARS:
        return False
    named = bare != text
    letters = sum(word.isalpha() for word in words(bare))
    dated = letters <= MAX_DATE_WORDS and bool(_MONTH_OR_CLOCK.search(text)) and not text.endswith((".", "!", "?"))
    return dated or (
        named
        and (bool(_BYLINE.match(text) or _BYLINE.match(bare)) or len(text) <= sum(map(len, authors)) + BYLINE_SLACK)
    )
