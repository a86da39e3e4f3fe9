// Ends the server, if the person means it; what goes wrong is told to ``fail``.
import { api } from "./runs.js";
import { t } from "./texts.js";

export function leave(fail) {
  if (!confirm(t("leave.sure"))) return;
  api("/leave", {}).then(() => {
    document.body.innerHTML = "";
    const said = document.createElement("p");
    said.className = "rh-left";
    said.setAttribute("role", "status");
    said.textContent = t("leave.done");
    document.body.append(said);
  }, (error) => fail(error.message));
}
