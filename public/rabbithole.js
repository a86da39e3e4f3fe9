// What the elements of the chat share: texts, the state of runs, drafts that survive a reload, pages beside the chat.
import "./connection.js";
import { arrive, closePage, openPage, watch } from "./beside.js";
import { useChips } from "./chips.js";
import { copy, withSources } from "./copy.js";
import { openDocuments } from "./documents.js";
import { Fold } from "./fold.js";
import { useArrival, useKept } from "./kept.js";
import { leave } from "./leave.js";
import "./names.js";
import { Next } from "./next.js";
import { act, api, useRun } from "./runs.js";
import { Said, askedBefore, filled, goBack } from "./said.js";
import { steady } from "./steady.js";
import { language, languageName, number, plural, t, useTexts, voice } from "./texts.js";

document.documentElement.lang = language;
// Light or dark as the person's system is, until they choose otherwise.
if (!localStorage.getItem("vite-ui-theme")) localStorage.setItem("vite-ui-theme", "system");

// Without a login there is nobody to log out.
function setLocal(local) {
  document.documentElement.toggleAttribute("data-local", Boolean(local));
}

window.rabbithole = {
  Fold, Next, Said, act, api, arrive, askedBefore, closePage, copy, filled, goBack, language, languageName, leave, number, openDocuments, openPage, plural, setLocal, steady, t,
  useArrival, useChips, useKept, useRun, useTexts, voice, watch, withSources,
};
