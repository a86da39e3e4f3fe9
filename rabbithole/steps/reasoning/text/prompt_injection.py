"""Recognises text that addresses a language model instead of people (prompt injection), and markup that is not text.

Both reasoners use it: neither quotes such text.
"""

from __future__ import annotations

import re
from functools import lru_cache

# Invisible characters: zero width, direction marks, tags, variation selectors.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# Markup that chat templates and tool callers treat as structure.
TEMPLATE = re.compile(
    r"<\|[^|>\n]{0,60}\|>|<\s*/?\s*(?:s|think|tool_call|tool_response|function_calls?|invoke|system|assistant|user|im_start|"
    r"im_end)\s*>|\[/?(?:INST|SYS|TOOL_CALLS|AVAILABLE_TOOLS)\]|<<\s*/?\s*SYS\s*>>|<\s*(?:start|end)_of_turn\s*>",
    re.IGNORECASE,
)
# German and English sentences that give instructions to a language model.
_MACHINE = (
    r"(?:ai|a\.i\.|ki|llm|llms|chatbot|(?:ai|ki)[- ](?:assistant|assistent\w*|modell?\w*|system\w*|agent\w*)|"
    r"(?:large )?language models?|sprachmodell\w*|assistant|assistent\w*|künstliche intelligenz)"
)
_ORDERS = r"(?:instructions?|instruktion\w*|prompts?|anweisung\w*|system ?prompts?|guidelines|vorgaben|befehle?)"
_COMMAND = re.compile(
    rf"\b(?:ignor\w*|disregard|forget|vergiss|vergessen|missachte\w*|überschreib\w*|override)\b[^.]{{0,40}}"
    rf"(?:\b(?:all|any|alle\w*|previous|prior|above|earlier|your|deine\w*|ihre\w*|bisherig\w*|vorherig\w*|obig\w*|"
    rf"vorangegangen\w*)\b[^.]{{0,30}})\b{_ORDERS}"
    r"|\bsystem[- ]?(?:prompt|nachricht|anweisung)|\bdeveloper message\b|\bjailbreak|\bprompt injection"
    rf"|\b(?:as an?|als) {_MACHINE}\b"
    rf"|\b(?:you are now|du bist (?:jetzt|nun|ab sofort)|sie sind (?:jetzt|nun|ab sofort) (?:ein|kein))\b"
    rf"|\b(?:dear|hello|attention|note to|notice to|message (?:to|for)|hinweis an|nachricht an|achtung|liebe[rs]?|"
    rf"wichtig für|important for|instructions? (?:to|for)|anweisung\w* (?:an|für))\b[^.]{{0,20}}\b{_MACHINE}\b"
    rf"|\b{_MACHINE}\b[^.]{{0,30}}\b(?:must|shall|should|muss|soll|have to)\b[^.]{{0,60}}"
    rf"\b(?:answer|respond|write|say|ignore|include|antwort\w*|schreib\w*|sagen|ignorier\w*|einfügen|behaupten)"
    r"|\b(?:in|into|to|at the (?:end|top) of|am ende|in) (?:your|deine[rmn]?|ihre[rmn]?) "
    r"(?:report|answer|response|output|summary|antwort|bericht|ausgabe|zusammenfassung)\b"
    r"|\b(?:respond|reply|answer|antworte\w*|antworten sie) (?:only|nur|always|immer|ausschließlich)\b"
    r"|\b(?:call|use|invoke|execute) the (?:tool|function)\b|\b(?:rufe|benutze|verwende) das werkzeug\b"
    r"|^\s*\W{0,4}(?:system|assistant|user|developer|tool)\W{0,2}:\s",
    re.IGNORECASE | re.MULTILINE,
)
_ACTIVE_MARKUP = re.compile(
    r"!\[[^\]]*\]\s*\(|\[[^\]]*\]\((?:\w+:|//)|<!--|\bjavascript:|\bdata:text|\{\s*\"(?:tool|name|function)\"\s*:"
    r"|</?(?:script|img|iframe|svg|object|embed|form|style|link|meta|a|video|audio|input|base|math)(?=[\s/>])",
    re.IGNORECASE,
)
_MARKS = re.compile(r"<<<\s*(?:END|DOCUMENT)\b")


def visible(text: str) -> str:
    """Return the text without invisible characters."""
    return _CONTROL.sub(" ", _INVISIBLE.sub("", text))


@lru_cache(maxsize=2048)  # called for a paragraph once for each of its sentences
def addresses_model(text: str) -> bool:
    """Return whether a text addresses a language model instead of people; such text is never quoted."""
    shown = visible(text)
    return bool(TEMPLATE.search(shown) or _MARKS.search(shown) or _COMMAND.search(shown))


def without_orders(text: str) -> str:
    """Return the text without paragraphs that address a model, so that it cannot obey them."""
    if not addresses_model(text):
        return text
    return "\n\n".join("[…]" if addresses_model(part) else part for part in re.split(r"\n\s*\n", text))


def has_markup(text: str) -> bool:
    """Return whether a text contains links, images, HTML or a tool call, which no quotation needs."""
    return bool(_ACTIVE_MARKUP.search(text))
