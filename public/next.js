import { askAgain } from "./typed.js";

// Questions one may ask next, each one click; first the same one with other words for those (absent) that stand in no document.
export function Next({ React, say, rows, ask, query = "", absent = [] }) {
  const [asked, setAsked] = React.useState(false);
  const h = React.createElement;
  const { t } = say;
  if (!rows.length && !absent.length) return null;
  return h("nav", { className: "rh-next", "aria-label": t("next.title") },
    h("span", { className: "rh-faint" }, t("next.title")),
    absent.length ? h("button", { type: "button", className: "rh-example rh-again", onClick: () => askAgain(query, absent[0]) }, absent.length > 1 ? t("next.words") : t("next.word", { word: absent[0] })) : null,
    rows.map((question) => h("button", { key: question, type: "button", className: "rh-example", disabled: asked, onClick: () => { setAsked(true); ask(question); } }, question)));
}
