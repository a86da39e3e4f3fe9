import React from "react"

function Reply({ callAction, sendUserMessage }) {
  const R = window.rabbithole
  const ready = R.useTexts(React)
  const [found, setFound] = React.useState(null)
  const [problem, setProblem] = React.useState("")
  const say = R.voice(found && found.language)
  const { t } = say
  const { box, chips, tip, dismiss } = R.useChips(React, R, say, found && found.citations, callAction)
  const here = R.useArrival(React, found ? `${props.item}:reply` : "", "", true)
  React.useEffect(() => { R.api(`/threads/${props.thread}/replies/${props.item}`).then(setFound, (error) => setProblem(error.message)) }, [])
  if (!ready) return null
  if (problem) return <p className="rh-error" role="alert">{problem}</p>
  if (!found) return null
  return (
    <section lang={say.language} className="rh-card rh-reply" aria-label={t("reply.title")} ref={(node) => { box.current = node; here.current = node }} onKeyDown={dismiss}>
      <div className="rh-prose" dangerouslySetInnerHTML={{ __html: found.html }} {...chips} />
      {tip}
      <R.Next React={React} say={say} rows={found.next} ask={sendUserMessage} />
    </section>
  )
}

export default window.rabbithole.steady("Reply", props, { callAction, sendUserMessage }, Reply)
