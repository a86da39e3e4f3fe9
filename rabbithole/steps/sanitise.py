"""Sanitise text before it is shown: no scripts, no remote images, no links but our own.

In Markdown, raw HTML becomes text, and foreign links and images are replaced by their text. HTML is cleaned with nh3
(ammonia), which parses it as browsers do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

import nh3

from .reasoning.text.prompt_injection import visible

_REFERENCE_LINK = re.compile(r"^[ \t]{0,3}\[([^\]\n]+)\]:[ \t]*\S.*$", re.MULTILINE)
_ADDRESS = r"(?:(?:https?|ftps?|file|data|javascript|vbscript|mailto|smb|ws|wss|intent|chrome|about)://?|www\.)"
_IN_ADDRESS = r"[^\s()\]>\"'„“”<`]"
_REST = rf"(?:{_IN_ADDRESS}|\({_IN_ADDRESS}*\))+(?<![.,;:!?])"
"""An address after its scheme: it ends before the punctuation of its sentence, and before a bracket opened earlier."""
_ACTIVE = re.compile(
    r"!\[(?P<image>[^\]]*)\]\s*(?:\([^)]*\)|\[[^\]]*\])"
    r"|\[(?P<words>(?:[^\[\]]|\[[^\[\]]*\])*)\]\((?P<target>[^)]*)\)"
    r"|<(?P<auto>[a-z][a-z0-9+.-]{1,30}:[^>\s]*|[^>\s@<]+@[^>\s]+)>"
    rf"|(?P<bare>\b{_ADDRESS}{_REST})"
    r"|(?P<tag><)(?=[a-z/!?])",
    re.IGNORECASE,
)
_SCHEME = re.compile(r"^[\s\x00-\x20]*([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_OPEN_FENCE = re.compile(r"^([ \t]{0,3})(?:`{3,}|~{3,})", re.MULTILINE)
_CODE = re.compile(r"(```.*?```|`[^`\n]+`)", re.DOTALL)

_TAGS = {
    *(
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "p",
        "br",
        "hr",
        "ul",
        "ol",
        "li",
        "blockquote",
        "pre",
        "code",
        "em",
        "strong",
    ),
    *(
        "b",
        "i",
        "sub",
        "sup",
        "del",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "a",
        "span",
        "div",
        "section",
        "figure",
    ),
    *(
        "details",
        "summary",
        "small",
        "mark",
        "cite",
        "q",
        "dl",
        "dt",
        "dd",
        "nav",
        "header",
        "footer",
        "main",
        "article",
    ),
}
_ATTRIBUTES = {
    "*": {"id", "class", "title", "lang"},
    "a": {"href"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "ol": {"start"},
}

Own = Callable[[str], bool]


def local_link(address: str) -> bool:
    """Return whether a link stays on this machine: an anchor, a file, or an address on loopback."""
    plain = re.sub(r"[\x00-\x20]", "", unquote(address))
    if plain.startswith(("//", "\\")):
        return False
    scheme = _SCHEME.match(plain)
    if scheme is None:
        return True
    if scheme.group(1).lower() == "file":
        return True
    return bool(re.match(r"https?://(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?:/|$)", plain, re.IGNORECASE))


def sanitise_markdown(markdown: str, own: Own = local_link) -> str:
    """Return Markdown that renders to text, structure and links accepted by ``own`` only; code stays as it is.

    A foreign address in the text becomes code, so that it stays readable but no renderer makes it a link.
    """
    parts = _CODE.split(visible_lines(markdown))
    return "".join(part if index % 2 else _clean(part, own) for index, part in enumerate(parts))


def visible_lines(text: str) -> str:
    """Return the text without invisible characters; line breaks are kept."""
    return "\n".join(visible(line) for line in text.split("\n"))


def _clean(text: str, own: Own) -> str:
    def passive(match: re.Match[str]) -> str:
        if match["image"] is not None:
            return _clean(match["image"], own)
        if match["words"] is not None:
            target = (match["target"].split() or [""])[0].strip("<>")
            return match.group() if own(target) and "<" not in match["target"] else _clean(match["words"], own)
        if match["auto"] is not None:
            return match.group() if own(match["auto"]) else f"`{match['auto']}`"
        if match["bare"] is not None:
            return match.group() if own(match["bare"]) else f"`{match['bare']}`"
        return "&lt;"

    # An unclosed fence would turn everything after it into code.
    return _ACTIVE.sub(passive, _OPEN_FENCE.sub(r"\1\\`\\`\\`", _REFERENCE_LINK.sub("", text)))


def sanitise_html(html: str, own: Own = local_link) -> str:
    """Return HTML without scripts, styles, images, forms and frames; links only if ``own`` accepts them."""

    def keep(tag: str, attribute: str, value: str) -> str | None:
        return value if attribute != "href" or own(value) else None

    return nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=keep,
        url_schemes={"http", "https", "file"},
        strip_comments=True,
        link_rel="noopener noreferrer",
        clean_content_tags={"script", "style"},
    )
