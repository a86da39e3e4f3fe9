"""The English form of an EU act's name: "Regulation (EC) No 883/2004", "Directive 2013/59/Euratom"."""

from __future__ import annotations

import re

from rabbithole.kb.references.grammar.form import WS, WS1

ENGLISH_ACT = re.compile(
    rf"(?:(?:Commission|Council|Delegated|Implementing|Framework){WS1}){{0,3}}"
    rf"(?:Regulations?|Directives?|Decisions?|Recommendation){WS1}"
    rf"(?P<id>(?:\((?:EU|EC|EEC|Euratom)(?:,{WS}(?:EU|EC|EEC|Euratom|ECSC)){{0,2}}\){WS})?(?:No\.?{WS})?"
    rf"\d{{1,4}}/\d{{1,4}}(?:/(?:EU|EC|EEC|Euratom|JHA|CFSP))?)(?!\w)"
)


def english_number(raw: str) -> str:
    """Return the number of an EU act as a key: "(EC) No 883/2004" -> "(EC) 883/2004"."""
    return re.sub(r"^No\.?\s*", "", re.sub(r"\)\s*No\.?\s*", ") ", " ".join(raw.split())))
