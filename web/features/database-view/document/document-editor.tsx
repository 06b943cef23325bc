import { useEffect, useRef, useState } from 'react'
import type { Document } from '../../../../contract/endpoints/database-view.ts'
import {
  draft as draftTexts,
  leave,
  edit as texts,
  tree,
} from '../../../texts/database-view/database-panel-messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { useLeaveGuard } from '../../../ui/forms/use-leave-guard.ts'
import { EditConflict } from './edit-conflict.tsx'
import { EditFooter } from './edit-footer.tsx'
import { useDocumentEdit } from './use-document-edit.ts'
import { usePanelKeys } from './use-panel-keys.ts'
import { FormFailure } from '../../../ui/forms/form-outcome.tsx'
import { changesOf, type Edit, type Edits, fieldNames, kindOf } from './document-changes.ts'
import { EditField } from './edit-field.tsx'
import { panelLimits } from './panel-limits.ts'
import { SmallButton } from '../../../ui/small-button.tsx'

interface Props {
  collection: string
  document: Document
  /** Called when the close button was pressed and nothing blocks closing. */
  isClosing: boolean
  onStay: () => void
  onClose: () => void
  onSaved: (saved: Document) => void
  onStale: () => Promise<void>
  /** Returns to reading. */
  onLeave: () => void
}

/** Edits one document. Every change is stored as a draft at once; only an explicit discard removes it. */
export function DocumentEditor({ collection, document, isClosing, onStay, onClose, onSaved, onStale, onLeave }: Props) {
  const editing = useDocumentEdit({ collection, document, onSaved, onStale })
  const [isLeaving, setLeaving] = useState(false)
  const { base, edits, newer, changes, failure, state, isRestored } = editing
  const isDirty = changes > 0
  const box = useRef<HTMLDivElement>(null)
  const isWanted = useRef(!isRestored)
  useEffect(() => {
    if (isWanted.current) focusFirst(box.current)
  }, [])
  // Only small drafts survive a reload, and none survives closing the tab.
  useLeaveGuard(isDirty)

  function cancel(): void {
    editing.discard()
    onLeave()
  }

  const isAsking = isDirty && (isLeaving || isClosing)
  // The draft preserves the changes.
  const closesAtOnce = isClosing && !isDirty
  useEffect(() => {
    if (closesAtOnce) onClose()
  }, [closesAtOnce]) // oxlint-disable-line react-hooks/exhaustive-deps -- once

  usePanelKeys(box, {
    save: () => void editing.save(),
    escape: () => (isDirty ? setLeaving(true) : cancel()),
  })

  return (
    <div ref={box} className="doc-editor">
      {isRestored && isDirty && (
        <div className="doc-restored">
          <p role="status">{draftTexts.restored}</p>
          <SmallButton text={draftTexts.discard} onPress={editing.discard} />
        </div>
      )}
      {newer !== undefined && (
        <EditConflict
          base={base}
          newer={newer}
          edits={edits}
          onLoadNew={() => {
            editing.discard()
            focusFirst(box.current)
          }}
          onKeepMine={() => {
            editing.keepMine()
            focusFirst(box.current)
          }}
        />
      )}
      {failure !== undefined && <FormFailure text={failure} />}
      <EditForm base={base} edits={edits} isFrozen={state === 'saving'} onEdit={editing.edit} />
      <EditFooter state={state} changes={changes} onCancel={cancel} onSave={() => void editing.save()} />
      {isAsking && (
        <ConfirmDialog
          title={leave.title}
          confirm={leave.discard}
          cancel={leave.keep}
          isDanger
          onConfirm={async () => {
            editing.discard()
            if (!isClosing) onLeave()
            return undefined
          }}
          onClose={() => {
            setLeaving(false)
            onStay()
          }}
        >
          {leave.text(changes)}
        </ConfirmDialog>
      )}
    </div>
  )
}

const controls = ':is(input, textarea, select):enabled, [role=switch]'

const focusFirst = (box: HTMLElement | null) => box?.querySelector<HTMLElement>(`.doc-form :is(${controls})`)?.focus()

const { slice } = panelLimits

interface FormProps {
  base: Document
  edits: Edits
  isFrozen: boolean
  onEdit: (name: string, edit: Edit) => void
}

/** Every field of the document; editable fields have a control of their type. */
function EditForm({ base, edits, isFrozen, onEdit }: FormProps) {
  const [count, setCount] = useState<number>(slice)
  const names = fieldNames(base, edits)
  const { changed, problems } = changesOf(base, edits)
  return (
    <div className="doc-body doc-form" role="group" aria-label={texts.form} aria-busy={isFrozen}>
      {names.slice(0, count).map((name) => (
        <EditField
          key={name}
          name={name}
          kind={kindOf(base, edits, name)}
          stored={Object.hasOwn(base, name) ? base[name] : undefined}
          edit={edits.get(name)}
          isModified={changed.has(name) || problems.has(name)}
          problem={problems.get(name)}
          isFrozen={isFrozen}
          onEdit={(edit) => onEdit(name, edit)}
        />
      ))}
      {names.length > count && (
        <SmallButton
          text={tree.moreFields(Math.min(slice, names.length - count))}
          onPress={() => setCount(count + slice)}
        />
      )}
    </div>
  )
}
