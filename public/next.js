import { t } from "./texts.js";

// Questions one may ask next, each one click.
export function Next({ React, rows, ask }) {
  const [asked, setAsked] = React.useState(false);
  const h = React.createElement;
  if (!rows.length) return null;
  return h("nav", { className: "rh-next", "aria-label": t("next.title") },
    h("span", { className: "rh-faint" }, t("next.title")),
    rows.map((question) => h("button", { key: question, type: "button", className: "rh-example", disabled: asked, onClick: () => { setAsked(true); ask(question); } }, question)));
}
