import React from "react"
import { Ban, Check, Circle, CircleAlert, Loader } from "lucide-react"

const ICONS = { pending: Circle, running: Loader, done: Check, failed: CircleAlert, skipped: Ban }
const TIERS = ["primary", "secondary", "tertiary"]
const GROUPS = [
  ["followed", (one) => one.decision === "follow"],
  ["missing", (one) => one.decision === "missing"],
  ["skipped", (one) => !["follow", "missing"].includes(one.decision)],
]

// The embedded reasoner's information is often the quotations themselves.
const plain = (text) => text.replace(/[\s…]+/g, "")
const said = (info, quotes) => quotes.some((quote) => plain(quote.text).startsWith(plain(info).slice(0, 400)))
  || quotes.reduce((rest, quote) => rest.replace(plain(quote.text), ""), plain(info)).length < 4

function Evidence({ row, open, say }) {
  const { t, plural, place } = say
  return (
    <li className="rh-evidence">
      <button type="button" className="rh-link" title={row.title} onClick={(event) => open(row, row.quotes[0] ? row.quotes[0].text : "", event.currentTarget)}>{row.where}, {place(row.label)}</button>
      <span className="rh-faint"> {row.depth ? `${plural("tasks.depth", row.depth)}: ${row.chain.join(" → ")}` : ""}</span>
      {said(row.info, row.quotes) ? null : <p>{row.info}</p>}
      {row.quotes.map((quote, index) => (
        <blockquote key={index} className="rh-quote">
          <button type="button" className="rh-link rh-quiet" onClick={(event) => open({ ...row, page: quote.page }, quote.text, event.currentTarget)}><q>{quote.text}</q></button>
          {quote.verified ? null : <em className="rh-warn"> {t("quote.unverified")}</em>}
        </blockquote>
      ))}
    </li>
  )
}

function Tier({ tier, rows, open, say }) {
  const { t } = say
  if (!rows.length) return null
  return (
    <details className="rh-fold" open={tier === "primary"}>
      <summary>{t(`tier.${tier}`)} <span className="rh-faint">({rows.length})</span></summary>
      <ul className="rh-plain">{rows.map((row) => <Evidence key={row.key} row={row} open={open} say={say} />)}</ul>
    </details>
  )
}

// That a document is missing is said by the heading; that a reference was followed too.
const repeats = (one) => one.decision === "missing" || (one.decision === "follow" && !one.reason)

function References({ name, rows, open, say }) {
  const { t, plural } = say
  if (!rows.length) return null
  return (
    <details className="rh-fold">
      <summary>{t(`references.${name}`)} <span className="rh-faint">({rows.length})</span></summary>
      <ul className="rh-plain">
        {rows.map((one, index) => (
          <li key={index} className={`rh-reference rh-${name}`}>
            {one.target_document ? <button type="button" className="rh-link" onClick={(event) => open({ document: one.target_document, page: one.page || 0 }, "", event.currentTarget)}>{one.text}</button> : <strong>{one.text}</strong>}
            {one.target && one.target !== one.text ? <> → {one.target}</> : null}
            <span className="rh-faint"> {t("references.from", { source: one.source })} · {plural("tasks.depth", one.depth)}</span>
            {repeats(one) ? null : <p className="rh-faint">{t(`decision.${one.decision}`)}{one.reason ? `: ${one.reason}` : ""}</p>}
          </li>
        ))}
      </ul>
    </details>
  )
}

function Task({ task, open, kept, keep, say }) {
  const { t, plural } = say
  const Icon = ICONS[task.status] || Circle
  const pieces = TIERS.reduce((sum, tier) => sum + task.evidence[tier].length, 0)
  const shown = kept[task.id] ?? task.status === "running"
  return (
    <details className={`rh-fold rh-task rh-task-${task.status}`} open={shown} data-task={task.id} data-status={task.status}
      onToggle={(event) => event.target === event.currentTarget && event.currentTarget.open !== shown && keep({ ...kept, [task.id]: event.currentTarget.open })}>
      <summary>
        <Icon className={task.status === "running" ? "rh-spin" : ""} aria-hidden="true" />
        <span className="rh-grow"><span className="rh-sr">{t(`task.${task.status}`)}: </span>{task.text || t("tasks.unnamed", { n: task.id })}
          <span className="rh-faint"> {plural("tasks.evidence", pieces)} · {plural("tasks.references", task.references.length)}</span></span>
      </summary>
      {task.summary ? (
        <div className="rh-summary">
          {task.summary.degraded ? <p className="rh-faint">{t("warning.degraded")}</p> : null}
          <div className="rh-prose" dangerouslySetInnerHTML={{ __html: task.summary.html }} />
          {task.summary.gaps.length ? <><h3>{t("tasks.gaps")}</h3><ul>{task.summary.gaps.map((gap) => <li key={gap}>{gap}</li>)}</ul></> : null}
        </div>
      ) : task.note ? <p className="rh-faint">{task.note}</p> : null}
      {task.queries.length ? <><h3>{t("tasks.queries")}</h3><ul>{task.queries.map((query) => <li key={query}>{query}</li>)}</ul></> : null}
      {TIERS.map((tier) => <Tier key={tier} tier={tier} rows={task.evidence[tier]} open={open} say={say} />)}
      {GROUPS.map(([name, belongs]) => <References key={name} name={name} rows={task.references.filter(belongs)} open={open} say={say} />)}
    </details>
  )
}

function Tasks({ callAction }) {
  const R = window.rabbithole
  const { ready, parts, say } = R.useRun(React, props.run, props.thread)
  const { t, plural } = say
  const [kept, keep] = R.useKept(React, `tasks:${props.run}`, {})
  const head = parts.head
  const tasks = head ? head.tasks.map((id) => parts[`task.${id}`]).filter(Boolean) : []
  if (!ready || !tasks.length) return null
  const open = (row, quote, from) => row.external ? undefined : R.openPage(callAction, { document: row.document, page: row.page, quote }, from)
  const done = tasks.filter((task) => ["done", "failed", "skipped"].includes(task.status)).length
  const list = tasks.map((task) => <Task key={task.id} task={task} open={open} kept={kept} keep={keep} say={say} />)
  return (
    <R.Fold React={React} say={say} name={`tasks-card:${props.run}`} open={!parts.report} title={t("tasks.title")} note={plural("tasks.done", done, { all: tasks.length })}>
      <progress className={done ? "" : "rh-none"} max={tasks.length} value={done} aria-label={t("tasks.title")} />
      {list}
    </R.Fold>
  )
}

export default window.rabbithole.steady("Tasks", props, { callAction }, Tasks)
