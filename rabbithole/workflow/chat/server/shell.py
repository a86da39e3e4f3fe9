"""What the browser paints before Chainlit's scripts (4.6 MB) run: the outlines of the page, in light or dark.

It also hands these scripts the language that was chosen, for they ask the browser for its own.
"""

from __future__ import annotations

from rabbithole.workflow.chat.chosen_language import COOKIE

ROOT = '<div id="root"></div>'
# The choice of light or dark is the frame's own (``vite-ui-theme``); React replaces all of it when it first draws.
SHELL = (
    '<div id="root"><div class="rh-shell"><script>'
    "(() => { const chosen = localStorage.getItem('vite-ui-theme');"
    "const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);"
    "if (dark) document.currentScript.parentElement.classList.add('rh-shell-dark');"
    f"const spoken = document.cookie.match(/(?:^|; ){COOKIE}=(de|en)/);"
    "if (spoken) Object.defineProperty(navigator, 'language', { value: { de: 'de-DE', en: 'en-US' }[spoken[1]] }); })()"
    "</script><div></div><main><p>Rabbithole</p><div></div></main></div></div>"
)


def with_shell(html: str) -> str:
    """Return the page with the outlines in its empty root; a page of another form is returned as it is."""
    return html.replace(ROOT, SHELL)
