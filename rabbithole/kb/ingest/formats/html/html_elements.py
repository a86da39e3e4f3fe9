"""Tells what an element of HTML is: left out, a block, a heading, the title of a box."""

from __future__ import annotations

import re
from typing import Any

from .html_site import is_banner
from .html_tables import whole_number

_LEFT_OUT = frozenset(
    "script style noscript template svg iframe object embed applet audio video canvas map nav select button textarea "
    "input form-control head link meta source track dialog menu".split()
)
BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main ol p pre section summary table tbody td tfoot th thead "
    "tr ul".split()
)
_NAVIGATION = frozenset("breadcrumb breadcrumbs docnav navfooter navheader related sphinxsidebar toc".split())
"""Classes of the contents and the lines "Previous, Up, Next" that generators of manuals write on each page."""
HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
_SIGNS = ("¶", "#", "🔗", "\uf0c1")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?!\.)", re.I)
_NOTICES = frozenset("admonition attention caution danger hint important note sidebar tip warning".split())
"""Classes of boxes in the text of manuals. Their titles begin no section, because the section goes on below the box."""
MAX_FOOTER = 120
"""Maximum number of words of a site's footer."""


def is_left_out(element: Any) -> bool:
    """Return whether an element is not read: it is hidden, navigation, a form, or the banner or footer of a site."""
    return (
        element.tag in _LEFT_OUT
        or element.get("hidden") is not None
        or element.get("aria-hidden") == "true"
        or bool(_HIDDEN.search(element.get("style") or ""))
        or element.get("role") == "navigation"
        or not _NAVIGATION.isdisjoint((element.get("class") or "").split())
        or (element.tag == "a" and _is_permalink(element))
        or (_is_footer(element) and _is_of_site(element))
        or (element.tag == "header" and is_banner(element))
    )


def _is_footer(element: Any) -> bool:
    return element.tag == "footer" or (
        element.tag == "div" and (element.get("class") == "footer" or element.get("role") == "contentinfo")
    )


def _is_of_site(footer: Any) -> bool:
    """Return whether a footer belongs to the site (copyright, imprint) rather than to an article, and has no notes."""
    if next(footer.iterancestors("article", "section", "main", "blockquote", "td"), None) is not None:
        return False
    noted = next(footer.iterdescendants("ol", "dl", "h1", "h2", "h3"), None)
    return noted is None and len("".join(footer.itertext()).split()) <= MAX_FOOTER


def _is_permalink(link: Any) -> bool:
    """Return whether a link is the sign after a heading or a term ("¶") that leads to the place itself."""
    sign, heading = "".join(link.itertext()).strip(), link.getparent()
    if sign in _SIGNS and str(link.get("href") or "").startswith("#"):
        return True
    return heading is not None and heading.tag in HEADINGS and not any(map(str.isalnum, sign))


def titles_notice(element: Any) -> bool:
    """Return whether an element is the title of a box: a heading or the first line of <div class="note">."""
    heading = element.tag in HEADINGS
    if not heading and element.tag not in ("p", "div"):
        return False
    if "admonition-title" in (element.get("class") or "").split():
        return True
    box = element.getparent()
    if not heading or box is None or box.tag not in ("div", "aside", "section"):
        return False
    return not _NOTICES.isdisjoint((box.get("class") or "").casefold().split())


def level_of(element: Any) -> int:
    tag = element.tag
    if titles_notice(element):
        return 0
    if tag in HEADINGS:
        return int(tag[1])
    if element.get("role") == "heading":
        return min(whole_number(element.get("aria-level")) or 2, 9)
    return 0
