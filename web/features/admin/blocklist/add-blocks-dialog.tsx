import { useId, useState } from 'react'
import { moderationLimits } from '../../../../contract/plain/moderation-limits.ts'
import { errorText } from '../../../format/error-text.ts'
import { blocklists, optionalNote } from '../../../texts/admin/blocklist-messages.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { LabelledField } from '../../../ui/forms/labelled-field.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { textIn, useSubmit } from '../../../ui/forms/use-submit.ts'
import { type BlockEnd, BlockEndSelect, daysOf } from './block-end.tsx'
import type { BlockKind } from './block-kinds.tsx'

interface Props<Row> {
  kind: BlockKind<Row>
  /** Receives the text of the success. */
  onDone: (text: string) => void
  onClose: () => void
}

/** Adds one block or, a line each, several. */
export function AddBlocksDialog<Row>({ kind, onDone, onClose }: Props<Row>) {
  const { texts } = kind
  const [text, setText] = useState('')
  const [end, setEnd] = useState<BlockEnd>('never')
  const id = useId()
  const names = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

  const { problems, ...form } = useSubmit<'names'>({
    async send(element) {
      const note = textIn(element, 'note').trim()
      const { done, left } = await kind.add({ names, note, endsInDays: daysOf(end) })
      onDone(done)
      if (left === undefined) return undefined
      setText(left.names.join('\n'))
      return { names: left.reason }
    },
    explain: (error) => ({ names: errorText(error, texts.addFailed) }),
  })

  return (
    <FormDialog
      title={texts.dialog}
      submit={blocklists.add}
      busy={blocklists.adding}
      form={form}
      isLocked={names.length === 0}
      onClose={onClose}
    >
      <LabelledField id={id} label={texts.field} hint={texts.fieldHint} error={problems.names}>
        <textarea
          id={id}
          className="field h-auto min-h-28 resize-y py-2.5 font-mono text-meta coarse:h-auto"
          name="names"
          rows={4}
          required
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={text}
          aria-invalid={problems.names !== undefined}
          aria-describedby={`${id}hint`}
          onChange={({ target }) => setText(target.value)}
        />
      </LabelledField>
      <TextField
        name="note"
        label={texts.note}
        hint={optionalNote}
        autoComplete="off"
        maxLength={moderationLimits.maxReasonLength}
      />
      {kind.canEnd && <BlockEndSelect value={end} onChange={setEnd} />}
    </FormDialog>
  )
}
