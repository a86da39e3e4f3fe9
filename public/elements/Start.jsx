import React from "react"
import { Button } from "@/components/ui/button"

// The person's research: searched in questions and reports, what is pinned first.
function Research({ latest }) {
  const R = window.rabbithole
  const { t } = R
  const [words, setWords] = React.useState("")
  const [runs, setRuns] = React.useState(latest)
  const [problem, setProblem] = React.useState("")
  const asked = React.useRef(0)
  const show = (wanted) => {
    const mine = ++asked.current
    return R.api(`/history?q=${encodeURIComponent(wanted)}`).then((found) => { if (mine === asked.current) { setRuns(found); setProblem("") } }, (e) => setProblem(e.message))
  }
  const search = (event) => { setWords(event.target.value); show(event.target.value) }
  const pin = (run) => R.api(`/threads/${run.thread}/pin`, { pinned: !run.pinned }).then(() => show(words), (e) => setProblem(e.message))
  // Begun elsewhere: it gets a conversation first.
  const adopt = (run) => R.api(`/runs/${run}/adopt`, {}).then((found) => { location.href = `/thread/${found.thread}` }, (e) => setProblem(e.message))
  const verb = (run) => t(run.status === "done" ? "action.open" : "action.continue")
  return (
    <section className="rh-card" aria-label={t("start.runs")}>
      <h2>{t("start.runs")}</h2>
      <input type="search" className="rh-input" placeholder={t("history.search")} aria-label={t("history.search")} value={words} onChange={search} />
      {problem ? <p className="rh-error" role="alert">{problem}</p> : null}
      <p className="rh-faint" role="status">{runs.length ? "" : t("history.none")}</p>
      <ul className="rh-plain rh-runs">{runs.map((run) => (
        <li key={run.id} data-run={run.id} data-status={run.status}>
          {run.thread ? <button type="button" className="rh-link rh-pin" aria-pressed={run.pinned} aria-label={t(run.pinned ? "history.unpin" : "history.pin", { query: run.query })} title={t(run.pinned ? "history.unpin" : "history.pin", { query: run.query })} onClick={() => pin(run)}>{run.pinned ? "★" : "☆"}</button> : null}
          <span className="rh-grow"><span className={`rh-badge rh-status-${run.status}`}>{t(`status.${run.status}`)}</span> {run.query} {run.follows ? <span className="rh-faint rh-small">{t("history.follows", { query: run.follows })} </span> : null}{run.collections.length ? <span className="rh-faint rh-small">{run.collections.join(", ")}</span> : null}</span>
          {run.thread
            ? <a className="rh-link" href={`/thread/${run.thread}`} aria-label={`${verb(run)}: ${run.query}`}>{verb(run)}</a>
            : <button type="button" className="rh-link" aria-label={`${verb(run)}: ${run.query}`} onClick={() => adopt(run.id)}>{verb(run)}</button>}
        </li>
      ))}</ul>
    </section>
  )
}

function Start({ sendUserMessage }) {
  const R = window.rabbithole
  const { t, plural, number } = R
  const ready = R.useTexts(React)
  const [data, setData] = React.useState(null)
  const [problem, setProblem] = React.useState("")
  const [adding, setAdding] = React.useState(false)
  const [asked, setAsked] = React.useState(false)
  const load = () => R.api(`/start?lang=${R.language}`).then((found) => { R.setLocal(!found.login); setData(found); setProblem("") }, (error) => setProblem(error.message || t("error.server")))
  React.useEffect(() => { load() }, [])
  if (!ready) return null
  const sample = () => {
    setAdding(true)
    R.api("/sample", {}).then(load, (e) => setProblem(e.message)).then(() => setAdding(false))
  }
  const ask = (question) => { setAsked(true); sendUserMessage(question) }
  const none = data && data.reasoner.name === "extractive" && data.reasoner.reason.startsWith("REASONER=auto")
  const chosen = data && data.reasoner.reason.startsWith("chosen by")
  const gone = data && data.reasoner.name === "extractive" && !none && !chosen  // a model is set, and cannot be reached
  const why = !data || data.reasoner.name !== "extractive" ? "" : t(none ? "reasoner.extractive.why" : chosen ? "reasoner.extractive.chosen" : "reasoner.gone.why")
  const files = (of) => of.names.join(", ") + (of.count > of.names.length ? ` ${t("changes.more", { n: number(of.count - of.names.length) })}` : "")
  const names = (of) => of.names.join(", ") + (of.more ? ` ${t("changes.more", { n: number(of.more) })}` : "")
  const empty = data && !data.collections.some((one) => one.documents)
  return (
    <div className="rh-start">
      <h1>{t("start.title")}</h1>
      <p>{t("start.intro")}</p>
      {problem ? <p className="rh-error" role="alert">{problem} <button type="button" className="rh-link" onClick={load}>{t("action.retry")}</button></p> : null}
      {data ? (
        <>
          <section className="rh-card" aria-label={t("start.kb")}>
            <h2>{t("start.kb")}</h2>
            {empty ? (
              <div className="rh-notice"><p>{t("start.empty")}</p>
                {data.sample ? <Button id="add-sample" size="sm" disabled={adding} onClick={sample}>{t(adding ? "start.sample.adding" : "start.sample")}</Button> : null}</div>
            ) : (
              <ul className="rh-collections">{data.collections.map((one) => (
                <li key={one.name}><strong>{one.name}</strong> <button type="button" className="rh-link rh-small rh-held" title={t("scope.open")} onClick={R.openDocuments}>{plural("start.documents", one.documents)}</button> <span className="rh-faint">· {plural("start.pages", one.pages)} · {one.languages.map(R.languageName).join(", ")}</span>
                  {one.unread.count ? <div className="rh-warn rh-small">⚠ {plural("start.unread", one.unread.count, { names: files(one.unread) })}</div> : null}
                  {one.in_part.count ? <div className="rh-warn rh-small">⚠ {plural("start.in_part", one.in_part.count, { names: files(one.in_part) })}</div> : null}</li>
              ))}</ul>
            )}
            <p className="rh-faint">{t("start.add")}</p>
            <p data-reasoner={data.reasoner.name}><strong className={gone ? "rh-warn" : undefined}>{t(gone ? "reasoner.gone" : `reasoner.${data.reasoner.name}`)}</strong>{data.reasoner.model ? ` (${data.reasoner.model})` : ""} <span className="rh-faint" title={data.reasoner.reason}>{why}</span></p>
          </section>
          {data.changes ? (
            <section className="rh-card" id="changes" aria-label={t("changes.title")}>
              <h2>{t("changes.title")}</h2>
              <ul>{["added", "changed", "removed"].filter((kind) => data.changes[kind].names.length).map((kind) => (
                <li key={kind}><strong>{t(`changes.${kind}`)}</strong> {names(data.changes[kind])}</li>
              ))}</ul>
              {data.changes.reports.length ? <h3>{t("changes.reports")}</h3> : null}
              <ul className="rh-plain">{data.changes.reports.map((one) => (
                <li key={one.id}><a className="rh-link" href={`/thread/${one.thread}`}>{one.query}</a> <span className="rh-faint">{plural("changes.citations", one.citations)}</span></li>
              ))}</ul>
            </section>
          ) : null}
          {data.examples.length ? (
            <section className="rh-card" aria-label={t("start.examples")}>
              <h2>{t("start.examples")}</h2>
              <ul className="rh-plain rh-examples">{data.examples.map((question) => (
                <li key={question}><button type="button" className="rh-example" disabled={asked} onClick={() => ask(question)}>{question}</button></li>
              ))}</ul>
            </section>
          ) : null}
          {data.runs.length ? <Research latest={data.runs} /> : null}
          {data.login ? null : <p className="rh-row"><span className="rh-grow" /><Button size="sm" variant="ghost" title={t("action.leave.hint")} onClick={() => R.leave(setProblem)}>{t("action.leave")}</Button></p>}
        </>
      ) : problem ? null : <p className="rh-faint" role="status">{t("page.loading")}</p>}
    </div>
  )
}

export default window.rabbithole.steady("Start", props, { sendUserMessage }, Start)
