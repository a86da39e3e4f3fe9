// What can be put right about a document: what it is called, how it was read, and whether it belongs here.
import { make } from "./make.js";
import { api } from "./runs.js";
import { t } from "./texts.js";

const FIELDS = ["title", "number", "alias", "year"];

export function corrections(one, changed) {
  const path = `/documents/${encodeURIComponent(one.id)}`;
  const state = make("p", { className: "rh-small", role: "status" });
  const said = (text, kind) => { state.className = `rh-small ${kind || "rh-faint"}`; state.textContent = text; };
  const inputs = Object.fromEntries(FIELDS.map((name) => [name, make("input", { className: "rh-input", name, value: name === "alias" ? "" : one[name] || "", inputMode: name === "year" ? "numeric" : "text", maxLength: name === "year" ? 4 : 300 })]));
  const act = async (doing, done, action, body) => {
    const buttons = form.querySelectorAll("button");
    buttons.forEach((button) => { button.disabled = true; });
    said(doing);
    try {
      await api(`${path}/${action}`, body);
      await changed(done);
    } catch (error) {
      said(error.message, "rh-warn");
      buttons.forEach((button) => { button.disabled = false; });
    }
  };
  const save = (event) => {
    event.preventDefault();
    const year = inputs.year.value.trim(), known = (name) => String(one[name] || "");
    if (year && !/^[12]\d{3}$/.test(year)) return said(t("documents.correct.year.wrong"), "rh-warn");
    const body = Object.fromEntries(FIELDS.filter((name) => inputs[name].value.trim() && inputs[name].value.trim() !== known(name)).map((name) => [name, name === "year" ? Number(year) : inputs[name].value.trim()]));
    return Object.keys(body).length ? act(t("documents.correct.saving"), t("documents.correct.saved"), "correct", body) : said(t("documents.correct.nothing"));
  };
  const again = () => act(t("documents.again.reading"), t("documents.again.read"), "again", {});
  const remove = () => confirm(t("documents.remove.sure", { name: one.name })) && act("", t("documents.removed", { name: one.name }), "remove", {});
  const form = make("form", { className: "rh-correct", onsubmit: save },
    ...FIELDS.map((name) => make("label", {}, make("span", { className: "rh-faint rh-small" }, t(`documents.correct.${name}`)), inputs[name])),
    make("p", { className: "rh-faint rh-small" }, t("documents.correct.hint")),
    make("div", { className: "rh-row" },
      make("button", { type: "submit", className: "rh-link" }, t("documents.correct.save")),
      make("button", { type: "button", className: "rh-link", onclick: again }, t("documents.again")),
      make("button", { type: "button", className: "rh-link", "aria-label": t("documents.remove.of", { name: one.name }), onclick: remove }, t("documents.remove"))),
    state);
  return make("details", { className: "rh-document-more" }, make("summary", { className: "rh-link rh-small", "aria-label": t("documents.change.of", { name: one.name }) }, t("documents.change")), form);
}
