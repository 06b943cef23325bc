// A form that sends its fields. It is busy meanwhile, shows a problem at its field, and everything else as its outcome.
import { useState, type InputEvent, type SubmitEvent } from 'react'
import { flushSync } from 'react-dom'
import type { ActionOutcome } from '../use-action.ts'

/** What is wrong with fields, by their names. */
export type Problems<Field extends string = string> = Partial<Record<Field, string>>

interface Options<Field extends string> {
  /** @returns what is wrong with the fields; or the text of the success, where the form shows one */
  send: (form: HTMLFormElement) => Promise<Problems<Field> | string | void>
  /** What an error of `send` says about a field, or else at all. */
  explain: (error: unknown) => Problems<Field> | string
  /** The name of the field that takes the focus after an error that is about no field. */
  refocus?: string
  /** A problem stays while somebody types in its field and this is true. */
  isStillWrong?: (field: HTMLInputElement) => boolean
}

export function useSubmit<Field extends string = never>({ send, explain, refocus, isStillWrong }: Options<Field>) {
  const [isBusy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Problems<Field>>({})
  const [outcome, setOutcome] = useState<ActionOutcome>()

  /** @returns whether the form was sent */
  async function onSubmit(event: SubmitEvent<HTMLFormElement>): Promise<boolean> {
    event.preventDefault()
    const form = event.currentTarget
    let kind: 'done' | 'failed' = 'done'
    let result: Problems<Field> | string | void
    setBusy(true)
    setProblems({})
    setOutcome(undefined)
    try {
      result = await send(form)
    } catch (error) {
      console.info('The form was not sent', error)
      kind = 'failed'
      result = explain(error)
    }
    const hasProblems = typeof result === 'object'
    // Rendered before the focus moves: a field is marked by then, or shown only because of its problem.
    flushSync(() => {
      setBusy(false)
      if (typeof result === 'string') setOutcome({ kind, text: result })
      else setProblems(result ?? {})
    })
    if (hasProblems) focusField(form.querySelector('[aria-invalid="true"]'))
    else if (kind === 'failed' && refocus !== undefined) focusField(form.elements.namedItem(refocus))
    return kind === 'done' && !hasProblems
  }

  function onInput({ target }: InputEvent<HTMLFormElement>): void {
    const field = target as HTMLInputElement
    if (field.name in problems && isStillWrong?.(field) !== true) clear(field.name as Field)
  }

  function clear(field: Field): void {
    setProblems((current) => ({ ...current, [field]: undefined }))
  }

  const clearOutcome = () => setOutcome(undefined)

  return { isBusy, problems, outcome, clear, clearOutcome, formProps: { noValidate: true, onSubmit, onInput } }
}

/** By their autocomplete: what nobody corrects in the middle. */
const typedAgain: ReadonlySet<string> = new Set(['one-time-code', 'current-password'])

function focusField(field: Element | RadioNodeList | null): void {
  if (!(field instanceof HTMLElement)) return
  const details = field.closest('details')
  if (details) details.open = true
  field.focus()
  if (field instanceof HTMLInputElement && typedAgain.has(field.autocomplete)) field.select()
}

/** What was typed in a field; empty when the form does not contain it. */
export function textIn(form: HTMLFormElement, name: string): string {
  const field = form.elements.namedItem(name)
  return field !== null && 'value' in field ? String(field.value) : ''
}
