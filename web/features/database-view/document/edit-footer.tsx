import { LoaderCircle } from 'lucide-react'
import { useId } from 'react'
import { edit as texts } from '../../../texts/database-view/database-panel-messages.ts'
import { SmallButton } from '../../../ui/small-button.tsx'

/** In order of priority: the first state that applies is shown. */
export type EditState = 'saving' | 'conflict' | 'errors' | 'offline' | 'failed' | 'modified' | 'unchanged'

interface Props {
  state: EditState
  changes: number
  onCancel: () => void
  onSave: () => void
}

const canSave = (state: EditState) => state === 'modified' || state === 'failed' || state === 'saving'

/** The state of the changes, and the buttons to save or discard them. */
export function EditFooter({ state, changes, onCancel, onSave }: Props) {
  const id = useId()
  return (
    <div className="doc-footer" data-state={state}>
      <p id={id} role="status" className="doc-state">
        {stateText(state, changes)}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <SmallButton text={texts.cancel} onPress={onCancel} />
        <button
          type="button"
          className="btn btn-primary btn-sm coarse:h-11"
          disabled={!canSave(state)}
          aria-describedby={id}
          aria-keyshortcuts="Control+S Meta+S"
          onClick={onSave}
        >
          {state === 'saving' && <LoaderCircle className="spin size-4" aria-hidden />}
          {texts.save}
        </button>
      </div>
    </div>
  )
}

function stateText(state: EditState, changes: number): string {
  const counted = texts.changes(changes)
  switch (state) {
    case 'saving':
      return texts.saving
    case 'conflict':
      return texts.waits
    case 'errors':
      return texts.hasErrors
    case 'offline':
      return texts.offline
    case 'failed':
      return `${texts.notSaved}: ${counted}, ${texts.asDraft}`
    case 'modified':
      return `${counted}, ${texts.asDraft}`
    case 'unchanged':
      return texts.noChanges
  }
}
