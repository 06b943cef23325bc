import { useId, useRef, useState, type SubmitEvent } from 'react'
import { moderationLimits } from '../../../../contract/plain/moderation-limits.ts'
import { blockedNetworks, blocklists, optionalNote } from '../../../texts/admin/blocklist-messages.ts'
import { common } from '../../../texts/messages.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { LabelledField } from '../../../ui/forms/labelled-field.tsx'
import type { BlockKind } from './block-kinds.tsx'

interface Props<Row> {
  kind: BlockKind<Row>
  attempt: (run: () => Promise<string>, failed: string) => Promise<string | undefined>
  onClose: () => void
}

type End = keyof typeof blockedNetworks.endsIn
const ends = ['never', '1', '7', '30', '365'] as const satisfies End[]

/** Adds one block or, a line each, several. */
export function AddDialog<Row>({ kind, attempt, onClose }: Props<Row>) {
  const { texts } = kind
  const [text, setText] = useState('')
  const [note, setNote] = useState('')
  const [end, setEnd] = useState<End>('never')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const names = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

  const close = () => form.current?.closest('dialog')?.close()

  function fail(reason: string): void {
    setProblem(reason)
    field.current?.focus()
  }

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (names.length === 0) return field.current?.focus()
    setBusy(true)
    setProblem(undefined)
    const rest: { names: string[]; reason: string }[] = []
    const reason = await attempt(async () => {
      const result = await kind.add({ names, note: note.trim(), endsInDays: end === 'never' ? undefined : Number(end) })
      if (result.left) rest.push(result.left)
      return result.done
    }, texts.addFailed)
    setBusy(false)
    if (reason !== undefined) return fail(reason)
    const [left] = rest
    if (left === undefined) return close()
    setText(left.names.join('\n'))
    fail(left.reason)
  }

  return (
    <Dialog title={texts.dialog} closeLabel={common.close} onClose={onClose}>
      <form ref={form} className="grid gap-5" noValidate onSubmit={submit}>
        <LabelledField id={`${id}names`} label={texts.field} hint={texts.fieldHint} error={problem}>
          <textarea
            ref={field}
            id={`${id}names`}
            className="field h-auto min-h-28 resize-y py-2.5 font-mono text-meta coarse:h-auto"
            rows={4}
            required
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={text}
            aria-invalid={problem !== undefined}
            aria-describedby={`${id}nameshint`}
            onChange={(event) => {
              setText(event.target.value)
              setProblem(undefined)
            }}
          />
        </LabelledField>
        <LabelledField id={`${id}note`} label={texts.note} hint={optionalNote} error={undefined}>
          <input
            id={`${id}note`}
            className="field"
            autoComplete="off"
            maxLength={moderationLimits.maxReasonLength}
            value={note}
            aria-describedby={`${id}notehint`}
            onChange={(event) => setNote(event.target.value)}
          />
        </LabelledField>
        {kind.canEnd && (
          <Select
            label={blockedNetworks.ends}
            hasLabel
            value={end}
            options={ends.map((one) => [one, blockedNetworks.endsIn[one]])}
            onChange={setEnd}
          />
        )}
        <div className="flex flex-wrap justify-end gap-3">
          <button type="button" className="btn btn-quiet" onClick={close}>
            {common.cancel}
          </button>
          <button type="submit" className="btn btn-primary" disabled={isBusy || names.length === 0}>
            {isBusy ? blocklists.adding : blocklists.add}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
