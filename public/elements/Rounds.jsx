import React from "react"

function Passage({ chunk, open, say }) {
  const { t, place } = say
  return (
    <details className="rh-fold">
      <summary>
        <span className="rh-where" title={chunk.title}>{chunk.where}</span>
        <span className="rh-faint"> {place(chunk.label)}</span>
      </summary>
      <p className="rh-quote">{chunk.text}</p>
      <button type="button" className="rh-link" onClick={(event) => open(chunk, event.currentTarget)}>{t("action.open_page")}</button>
    </details>
  )
}

function Rounds({ callAction }) {
  const R = window.rabbithole
  const { ready, parts, say } = R.useRun(React, props.run, props.thread)
  const { t, plural } = say
  const rounds = parts.rounds || []
  if (!ready || !rounds.length) return null
  const open = (chunk, from) => R.openPage(callAction, { document: chunk.document, page: chunk.page, quote: chunk.text.slice(0, 300) }, from)
  const last = rounds[rounds.length - 1].index
  const asking = Boolean(parts.question)
  return (
    <R.Fold React={React} say={say} name={`rounds-card:${props.run}`} open={asking} title={t("rounds.title")} note={plural("rounds.count", rounds.length)}>
      {rounds.map((round) => (
        <details key={round.index} className="rh-fold" open={asking && round.index === last}>
          <summary>
            <strong>{t("rounds.round", { n: round.index + 1 })}</strong>{" "}
            <span className="rh-faint">{plural("rounds.chunks", round.chunks.length)} {plural("rounds.documents", new Set(round.chunks.map((chunk) => chunk.document)).size)}</span>
          </summary>
          <h3>{t("rounds.queries")}</h3>
          <ul>{round.queries.map((query) => <li key={query}>{query}</li>)}</ul>
          {round.gaps.length ? <><h3>{t("rounds.gaps")}</h3><ul>{round.gaps.map((gap) => <li key={gap}>{gap}</li>)}</ul></> : null}
          <h3>{t("rounds.passages")}</h3>
          {round.chunks.map((chunk, index) => <Passage key={index} chunk={chunk} open={open} say={say} />)}
          {round.answers.length ? (
            <><h3>{t("rounds.said")}</h3>
              <ul>{round.answers.map((answer, index) => {
                const asked = round.questions.find((question) => question.id === answer.question)
                return <li key={index}>{asked ? <span className="rh-faint">{asked.text} </span> : null}{answer.text}</li>
              })}</ul></>
          ) : null}
        </details>
      ))}
    </R.Fold>
  )
}

export default window.rabbithole.steady("Rounds", props, { callAction }, Rounds)
