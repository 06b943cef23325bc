// A public form: checks its fields, sends it, and records the outcome and since when it is shown.
import { useRef, useState, type SubmitEvent } from 'react'

export type Problems<Name extends string> = Partial<Record<Name, string>>
export type SubmitOutcome = { isSent: true } | { isSent: false; reason: string }

/** A refusal about one field is shown there; an untimely one restarts the time since when the form is shown. */
type SendResult<Name extends string> =
  | { isSent: true }
  | { isSent: false; reason: string; field?: Name; isUntimely?: boolean }

interface Options<Name extends string> {
  /** In the order of the form: the first with a problem is focused. */
  fieldNames: readonly Name[]
  problemsIn: (form: HTMLFormElement) => Problems<Name>
  /** @param shownAt in milliseconds of this browser's clock */
  send: (form: HTMLFormElement, shownAt: number) => Promise<SendResult<Name>>
}

export function usePublicForm<Name extends string>({ fieldNames, problemsIn, send }: Options<Name>) {
  const [shownAt, setShownAt] = useState(() => Date.now())
  const [isBusy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Problems<Name>>({})
  const [outcome, setOutcome] = useState<SubmitOutcome>()
  const form = useRef<HTMLFormElement>(null)

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const sent = event.currentTarget
    setOutcome(undefined)
    const found = problemsIn(sent)
    setProblems(found)
    const first = fieldNames.find((name) => found[name] !== undefined)
    if (first !== undefined) return focusField(first)
    setBusy(true)
    const result = await send(sent, shownAt)
    setBusy(false)
    if (result.isSent || result.isUntimely === true) setShownAt(Date.now())
    if (result.isSent || result.field === undefined) return setOutcome(result)
    setProblems({ [result.field]: result.reason } as Problems<Name>)
    focusField(result.field)
  }

  function focusField(name: Name): void {
    const field = form.current?.elements.namedItem(name)
    if (field instanceof HTMLElement) field.focus()
  }

  const clearProblem = (name: Name) =>
    setProblems((current) => {
      const { [name]: _, ...rest } = current
      return rest as Problems<Name>
    })

  /** Shows the form again after it was sent. */
  function restart(): void {
    setOutcome(undefined)
    setShownAt(Date.now())
  }

  return { form, shownAt, isBusy, problems, outcome, submit, clearProblem, restart }
}
