import React from "react"
import { Button } from "@/components/ui/button"

function Question() {
  const R = window.rabbithole
  const { ready, parts, say, refresh } = R.useRun(React, props.run, props.thread)
  const { t } = say
  const form = parts.question
  const [drafts, setDrafts] = R.useKept(React, `answers:${props.run}`, {})
  const [sent, setSent] = React.useState("")
  const [problem, setProblem] = React.useState("")
  const here = R.useArrival(React, ready && form ? `${props.run}:${form.id}` : "")
  // What was sent goes at once: its buttons wait for nothing, and what comes next is another form.
  if (!ready || !form || form.id === sent || (parts.head && parts.head.status === "done")) return null

  const before = R.askedBefore(parts.rounds, form.round)
  const given = Object.fromEntries(form.questions.map((one) => [one.id, R.filled(form, one)]))
  const draft = drafts[form.id] || given
  const set = (question, field, value) => setDrafts((all) => {
    const now = all[form.id] || given
    return { ...all, [form.id]: { ...now, [question]: { ...now[question], [field]: value } } }
  })
  const picked = (id) => [draft[id]?.option || []].flat()
  const toggle = (one, option) => {
    const now = picked(one.id)
    const without = now.filter((each) => each !== option)
    set(one.id, "option", now.includes(option) ? without : one.several ? [...now, option] : [option])
  }
  const answers = form.questions
    .map((one) => ({ question: one.id, text: [...picked(one.id), draft[one.id]?.text?.trim()].filter(Boolean).join("; ") }))
    .filter((answer) => answer.text)
  const send = (end) => go(() => R.act(props.run, "answer", { id: form.id, answers, end }))
  const back = (round) => go(() => R.goBack(props.run, form.id, round))
  const go = async (act) => {
    setSent(form.id)
    try {
      await act()
      setProblem("")
    } catch (error) {
      setProblem(error.message)
      setSent("")
      refresh()
    }
  }
  return (
    <section ref={here} lang={say.language} className="rh-card rh-ask" aria-label={t("question.title")}>
      <h2>{t("question.title")}</h2>
      <R.Said React={React} say={say} rounds={before} back={back} />
      <form onSubmit={(event) => { event.preventDefault(); send(false) }}>
        {form.questions.map((one) => (
          <fieldset key={one.id}>
            <legend>{one.text}</legend>
            {one.why ? <p className="rh-faint">{t("question.why", { why: one.why })}</p> : null}
            <div className="rh-options">
              {one.options.map((option) => (
                <label key={option} className="rh-option">
                  <input type={one.several ? "checkbox" : "radio"} name={`${form.id}-${one.id}`} checked={picked(one.id).includes(option)}
                    onClick={() => !one.several && picked(one.id).includes(option) && toggle(one, option)}
                    onChange={() => (one.several || !picked(one.id).includes(option)) && toggle(one, option)} />
                  <span>{option}</span>
                </label>
              ))}
            </div>
            <input className="rh-input" type="text" aria-label={t("question.own", { question: one.text })} placeholder={t("question.placeholder")}
              value={draft[one.id]?.text || ""} onChange={(event) => set(one.id, "text", event.target.value)} />
          </fieldset>
        ))}
        <div className="rh-row rh-actions">
          <Button id={`answer-${props.run}`} type="submit" disabled={!answers.length}>{t("action.answer")}</Button>
          <Button id={`end-${props.run}`} type="button" variant="outline" title={t("action.start_now.hint")} onClick={() => send(true)}>{t("action.start_now")}</Button>
          {before.length ? <Button id={`back-${props.run}`} type="button" variant="ghost" title={t("action.back.hint")} onClick={() => back(before[before.length - 1].index)}>{t("action.back")}</Button> : null}
        </div>
        {problem ? <p className="rh-error" role="alert">{problem}</p> : null}
      </form>
    </section>
  )
}

export default window.rabbithole.steady("Question", props, {}, Question)
