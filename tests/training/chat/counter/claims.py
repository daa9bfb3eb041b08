"""Six false claims about the price of a bridge, with two quotes that say what it was; good and bad replies to them."""

import json
from pathlib import Path

COST = "The repairs of the Osterholm bridge cost 48 million crowns"
TREASURER = f"{COST}, the city treasurer Anna Berg said."
BILL = "It came to 48 million crowns for the Osterholm bridge repairs."
EVIDENCE = {
    "bridge": {
        "quote": TREASURER,
        "url": "https://news.example/bridge",
        "headline": "Osterholm bridge reopens",
        "source": "Daily",
        "published_at": "2024-03-04",
    },
    "bill": {
        "quote": BILL,
        "url": "https://times.example/bill",
        "headline": "Council approves bridge bill",
        "source": "Times",
        "published_at": "2024-03-07",
    },
}
GOOD = f"Reports tell it differently: “{COST}” Doc[1]. Also reported: “It came to 48 million crowns” Doc[2]."
BAD = (
    f"You are a stupid liar! “{COST}” Doc[1].",
    "The mayor of Lisk stole all of the money for the bridge in 1999 Doc[1].",
    "That is not what was reported Doc[7].",
)
NO_FORM = "Sorry, no."
PRICES = (60, 75, 95, 120, 180, 250)


def write_claims(path: Path, *, reply: str = GOOD) -> Path:
    """Write one false claim a price, all with the same two quotes."""
    evidence = [EVIDENCE[name] for name in ("bridge", "bill")]
    rows = [
        {"claim": f"The repairs of the Osterholm bridge cost {price} million crowns.", "evidence": evidence}
        | ({"reply": reply} if reply else {})
        for price in PRICES
    ]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path
