"""Boxes that stand within or beside a story, told by their names, by a form to sign up, or by what they sell."""

import re
from functools import lru_cache

from lxml.html import HtmlElement

_NAME = re.compile(
    r"(?:^|[\s_-])(?:newsletters?|nyhets?brev|nyhedsbrev|related\w*|rel-?content|recommend(?:ed|ations?)?|recirc\w*"
    r"|more-(?:stories|on|from|news|articles|links)|read-?(?:more|also|next)"
    r"|lesen-?sie|weiterlesen|les-?ogsa|las-?mer|laes-?(?:ogsaa|mere)"
    r"|most-(?:read|viewed|popular)|share(?:-?(?:bar|tools|buttons|links))?|sharing|social(?:-?(?:bar|links|share|media))?"
    r"|breadcrumbs?|cookie|consent|sign-?up|subscri(?:be|ption)(?:-?(?:box|form|banner|promo|cta|widget|teaser))?"
    r"|promo(?:tion)?s?|outbrain|taboola|interstitial|tag-?(?:list|cloud|s)|tags|schlagwort\w*|schlagw\u00f6rter"
    r"|comments?|author-?(?:bio|box|info|card|profile)|bio|article-?list"
    r"|link-?list|page-?list|advert(?:isement)?|ad-?(?:slot|unit|wrapper|label)|werbung|anzeige|annon[sc]er?|reklame"
    r"|sponsor(?:ed)?|affiliate\w*|products?(?:-?(?:card|box|summary|widget|block|list|item|teaser|link)s?)?|shopping|deals?"
    r"|app-?(?:banner|promo|teaser)|podcast-?(?:box|promo)|donat(?:e|ion)|membership"
    r"|browser-?(?:notice|warning)|skip-?link|print-?only|sr-only|visually-?hidden)(?:$|[\s_-])",
    re.IGNORECASE,
)
_TEASER = re.compile(r"(?:^|[\s_-])(?:inline|intext|article)?teasers?(?:$|[\s_-])", re.IGNORECASE)
"""With a link: some systems call a story's own standfirst its teaser."""
_CAPTION = re.compile(
    r"(?:^|[\s_-])(?:captions?|credits?|photo-?credit|image-?(?:source|credit)|wp-caption-text|photographer|fotograf(?:in)?"
    r"|bild-?(?:unterschrift|text|zeile|nachweis|quelle)|bilde?-?tekst|billed-?tekst|copyright)(?:-?texts?)?(?:$|[\s_-])",
    re.IGNORECASE,
)
_EMBED = re.compile(
    r"(?:^|\s)(?:twitter-(?:tweet|video)|instagram-media|tiktok-embed|fb-post|bluesky-embed|mastodon-embed|reddit-embed\S*)(?:$|\s)"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_STATE = re.compile(r"(?:^|(?<=\s))(?:has|with|no|without|is-not|show)-\S+")
"""Says what an element has or lacks, not what it is."""
_STYLED = re.compile(r"styled__")
"""What a common compiler of style sheets puts behind the name of a component."""
_ADDRESS_INPUTS = frozenset({"email", "text", "tel"})
_BLOCKS = frozenset({"div", "section", "aside", "li"})
_PAGES = frozenset({"html", "body", "main", "article"})
MAX_BOX_CHARS = 500


def is_named_box(element: HtmlElement) -> bool:
    """Say whether classes and id of an element, or the tag of a custom one, are those of a box or a caption."""
    tag = element.tag if "-" in element.tag else ""
    if not element.attrib and not tag:
        return False
    is_box, is_teaser = _read_name(f"{tag} {element.get('class', '')} {element.get('id', '')}")
    return is_box or (is_teaser and next(element.iter("a"), None) is not None)


@lru_cache(maxsize=8192)
def _read_name(name: str) -> tuple[bool, bool]:
    """Say whether a name is that of a box, and whether it is that of a teaser."""
    parted = _STATE.sub("", _CAMEL.sub("-", _STYLED.sub("-", name)))
    is_box = _NAME.search(parted) or _CAPTION.search(parted)
    return bool(is_box), bool(_TEASER.search(parted))


def is_embed(element: HtmlElement) -> bool:
    """Say whether an element shows a post of a social network."""
    return bool(_EMBED.search(element.get("class", "")))


def special_boxes(tree: HtmlElement) -> list[HtmlElement]:
    """Return the small blocks around a form that asks for an address, and around a link that is paid for."""
    found = [box for form in tree.iter("form") if _asks_for_address(form) and (box := _box_of(form)) is not None]
    paid = [link for link in tree.iter("a") if "sponsored" in link.get("rel", "").lower().split()]
    return found + [box for link in paid if (box := _box_of(link)) is not None]


def _asks_for_address(form: HtmlElement) -> bool:
    inputs = (field.get("type", "text").lower() for field in form.iter("input"))
    return form.get("role") != "search" and not _ADDRESS_INPUTS.isdisjoint(inputs)


def _box_of(element: HtmlElement) -> HtmlElement | None:
    """Return the nearest block around an element; None where that is a part of the page, or too long for a box."""
    for outer in element.iterancestors():
        if outer.tag in _PAGES or outer.tag == "p":
            return None
        if outer.tag in _BLOCKS:
            is_short = len("".join(map(str, outer.itertext()))) <= MAX_BOX_CHARS
            return outer if is_short and next(outer.iter("h1"), None) is None else None
    return None
