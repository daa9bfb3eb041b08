"""The past of a verb, for edits that say that something was done."""

_IRREGULAR = dict(
    pair.split("/")
    for pair in """
    be/was become/became begin/began bring/brought build/built buy/bought come/came cut/cut do/did draw/drew fall/fell fight/fought
    find/found get/got give/gave go/went grow/grew have/had hit/hit hold/held keep/kept lead/led leave/left lose/lost make/made meet/met
    pay/paid put/put raise/raised read/read rise/rose run/ran see/saw sell/sold send/sent set/set shut/shut sit/sat speak/spoke
    spend/spent spread/spread stand/stood steal/stole strike/struck take/took teach/taught tell/told win/won write/wrote fly/flew
    seek/sought show/showed break/broke choose/chose drive/drove eat/ate feel/felt forget/forgot hear/heard know/knew let/let lie/lay
    lay/laid say/said shoot/shot sing/sang sink/sank think/thought throw/threw wear/wore withdraw/withdrew undergo/underwent
    """.split()
)
_VOWELS = frozenset("aeiou")
_DOUBLED = frozenset("bar stop plan ban drop admit commit permit submit refer step ship cap trim transfer".split())
_NO_VERBS = frozenset("the a an also then not only further more".split())


def past(verb: str) -> str:
    """Return the past of a verb; empty if the word is none that can be inflected safely."""
    if verb in _NO_VERBS or len(verb) < 2:
        return ""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if (
        verb.endswith(("ly", "ing", "ed", "s"))
        and not verb.endswith("ss")
        and verb not in {"reply", "apply", "need", "discuss", "focus"}
    ):
        return ""
    if verb.endswith("y") and verb[-2] not in _VOWELS:
        return f"{verb[:-1]}ied"
    ending = f"{verb[-1]}ed" if verb in _DOUBLED else "d" if verb.endswith("e") else "ed"
    return f"{verb}{ending}"
