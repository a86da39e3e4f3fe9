import React from "react"
import { ArrowDown, ArrowUp, GripVertical, Plus, Trash2 } from "lucide-react"
import { Button } from "@/components/ui/button"

function Plan() {
  const R = window.rabbithole
  const { ready, parts, say, refresh } = R.useRun(React, props.run, props.thread)
  const { t, plural } = say
  const plan = parts.plan
  const [drafts, setDrafts] = R.useKept(React, `plan:${props.run}`, {})
  const [sent, setSent] = React.useState(null)
  const [problem, setProblem] = React.useState("")
  const [removed, setRemoved] = React.useState([])
  const [held, setHeld] = React.useState(-1)  // the task that is dragged
  const [over, setOver] = React.useState(-1)  // the task it is above
  const dragged = React.useRef(-1)  // as held, at once: the first move may come before the page is drawn again
  const focus = React.useRef("")
  const here = R.useArrival(React, ready && plan && !plan.approved ? `${props.run}:${plan.id}` : "")
  if (!ready || !plan) return null

  const approved = plan.approved ? plan.todos : sent && sent.id === plan.id ? sent.todos : null
  if (approved) {
    return (
      <details lang={say.language} className="rh-card rh-fold">
        <summary><strong>{t(plan.id === "unasked" ? "plan.title" : "plan.approved")}</strong> <span className="rh-faint">{plural("plan.tasks", approved.length)}</span></summary>
        <ol>{approved.map((todo) => <li key={todo.id}>{todo.text}</li>)}</ol>
      </details>
    )
  }
  // Tasks typed into the field below come after what was changed here.
  const draft = drafts[plan.id] && drafts[plan.id].todos ? drafts[plan.id] : null
  const todos = draft ? [...draft.todos, ...plan.todos.filter((todo) => !draft.known.includes(todo.id))] : plan.todos
  const change = (next) => setDrafts((all) => ({ ...all, [plan.id]: { todos: next, known: plan.todos.map((todo) => todo.id) } }))
  const undo = () => { const [before, ...rest] = removed; setRemoved(rest); change(before) }
  const edit = (index, text) => change(todos.map((todo, at) => (at === index ? { ...todo, text } : todo)))
  const move = (index, by, key) => {
    const next = [...todos]
    next.splice(index + by, 0, ...next.splice(index, 1))
    const edge = index + by === (by < 0 ? 0 : todos.length - 1)
    focus.current = `${key || (edge ? "text" : by < 0 ? "up" : "down")}-${todos[index].id}`
    change(next)
  }
  const keys = (event, index) => {
    const by = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : 0
    if (!by) return
    event.preventDefault()
    if (todos[index + by]) move(index, by, "text")
  }
  const take = (event, index) => {
    dragged.current = index
    setHeld(index)
    event.dataTransfer.effectAllowed = "move"
    event.dataTransfer.setData("text/plain", "")
    event.dataTransfer.setDragImage(event.currentTarget.closest("li"), 0, 0)
  }
  const put = () => { dragged.current = -1; setHeld(-1); setOver(-1) }
  const drop = (event, index) => {
    event.preventDefault()
    const next = [...todos]
    next.splice(index, 0, ...next.splice(dragged.current, 1))
    put()
    change(next)
  }
  const remove = (index) => { setRemoved([todos, ...removed]); change(todos.filter((_, at) => at !== index)) }
  const add = () => {
    const id = Math.max(0, ...plan.todos.map((todo) => todo.id), ...todos.map((todo) => todo.id)) + 1
    focus.current = `text-${id}`
    change([...todos, { id, text: "", context: "", status: "pending", origin: "person" }])
  }
  const refocus = (key) => (node) => {
    if (node && focus.current === key) { focus.current = ""; node.focus() }
  }
  const said = R.askedBefore(parts.rounds)
  const back = async (round) => {
    try {
      await R.goBack(props.run, plan.id, round)
      setProblem("")
    } catch (error) {
      setProblem(error.message)
      refresh()
    }
  }
  const full = todos.filter((todo) => todo.text.trim())
  const approve = async () => {
    const approval = { id: plan.id, todos: full.map((todo) => ({ ...todo, text: todo.text.trim() })) }
    setSent(approval)
    try {
      await R.act(props.run, "plan", approval)
      setProblem("")
    } catch (error) {
      setProblem(error.message)
      setSent(null)
      refresh()
    }
  }
  return (
    <section ref={here} lang={say.language} className="rh-card rh-ask" aria-label={t("plan.title")}>
      <h2>{t("plan.title")}</h2>
      <p className="rh-faint">{t("plan.hint")}</p>
      <R.Said React={React} say={say} rounds={said} back={back} hint={t("said.plan")} />
      <ol className="rh-plan">
        {todos.map((todo, index) => (
          <li key={todo.id} className={held < 0 || over !== index || held === index ? "" : held < index ? "rh-below" : "rh-above"}
            onDragOver={(event) => { if (dragged.current >= 0) { event.preventDefault(); setOver(index) } }} onDrop={(event) => dragged.current >= 0 && drop(event, index)} onDragEnd={put}>
            <div className="rh-todo">
              <span className="rh-grip" aria-hidden="true" title={t("plan.drag")} draggable="true" onDragStart={(event) => take(event, index)}><GripVertical /></span>
              <textarea className="rh-input" rows="2" ref={refocus(`text-${todo.id}`)} value={todo.text}
                aria-label={t("plan.task", { n: index + 1 })} aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown" onKeyDown={(event) => keys(event, index)} onChange={(event) => edit(index, event.target.value)} />
              <span className="rh-tools">
                <Button ref={refocus(`up-${todo.id}`)} size="icon" variant="ghost" aria-label={t("plan.up", { n: index + 1 })} title={t("plan.up", { n: index + 1 })} disabled={index === 0} onClick={() => move(index, -1)}><ArrowUp /></Button>
                <Button ref={refocus(`down-${todo.id}`)} size="icon" variant="ghost" aria-label={t("plan.down", { n: index + 1 })} title={t("plan.down", { n: index + 1 })} disabled={index === todos.length - 1} onClick={() => move(index, 1)}><ArrowDown /></Button>
                <Button size="icon" variant="ghost" aria-label={t("plan.remove", { n: index + 1 })} title={t("plan.remove", { n: index + 1 })} disabled={todos.length === 1} onClick={() => remove(index)}><Trash2 /></Button>
              </span>
            </div>
            {todo.context ? <p className="rh-faint">{todo.context}</p> : null}
          </li>
        ))}
      </ol>
      <div className="rh-row rh-actions">
        <Button id={`approve-${props.run}`} disabled={!full.length} onClick={approve}>{t("action.approve")}</Button>
        <Button id={`add-${props.run}`} variant="outline" onClick={add} disabled={todos.length >= 15}><Plus aria-hidden="true" />{t("plan.add")}</Button>
        {removed.length ? <Button id={`undo-${props.run}`} variant="ghost" onClick={undo}>{t("plan.undo")}</Button> : null}
        {said.length ? <Button id={`back-${props.run}`} variant="ghost" title={t("action.back.hint")} onClick={() => back(said[said.length - 1].index)}>{t("action.back")}</Button> : null}
      </div>
      {problem ? <p className="rh-error" role="alert">{problem}</p> : null}
    </section>
  )
}

export default window.rabbithole.steady("Plan", props, {}, Plan)
