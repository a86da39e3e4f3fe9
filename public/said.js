// What the person answered so far, and the way back to it: it can be changed until the plan is approved.
import { act } from "./runs.js";

// The rounds before ``before`` that asked something.
export function askedBefore(rounds, before = Infinity) {
  return (rounds || []).filter((one) => one.index < before && one.questions.length);
}

const answerOf = (round, question) => round.answers.filter((one) => one.question === question).map((one) => one.text).join("; ");
// What was said beside the questions, in the field below the conversation.
const further = (round) => round.answers.filter((one) => !round.questions.some((question) => question.id === one.question));

export function Said({ React, say, rounds, back, hint }) {
  const h = React.createElement;
  const { t } = say;
  if (!rounds.length) return null;
  const line = (key, asked, text) => h("li", { key }, asked ? h("span", { className: "rh-faint" }, asked, " ") : null,
    text ? h("strong", null, text) : h("em", { className: "rh-faint" }, t("said.nothing")));
  return h("div", { className: "rh-said", role: "group", "aria-label": t("said.title") },
    h("p", { className: "rh-faint" }, t("said.title"), hint ? ` · ${hint}` : ""),
    rounds.map((round) => h("div", { key: round.index, className: "rh-said-round" },
      h("ul", { className: "rh-plain" },
        round.questions.map((one) => line(one.id, one.text, answerOf(round, one.id))),
        further(round).map((one, index) => line(`further-${index}`, "", one.text))),
      h("button", { type: "button", className: "rh-link", "aria-label": t("said.change.of", { n: round.index + 1 }), onClick: () => back(round.index) }, t("said.change")))));
}

// The answer to a question as its form shows it: options chosen, and one's own words.
export function filled(form, question) {
  const first = form.questions[0].id === question.id;
  const known = new Set(form.questions.map((one) => one.id));
  const said = (form.answers || []).filter((one) => one.question === question.id || (first && !known.has(one.question)));
  const parts = said.flatMap((one) => one.text.split("; "));
  const chosen = parts.filter((one) => question.options.includes(one)).slice(0, question.several ? undefined : 1);
  return { option: chosen, text: parts.filter((one) => !chosen.includes(one)).join("; ") };
}

export function goBack(run, id, round) {
  return act(run, "back", { id, round });
}
