import { TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import type { Document } from '../../../../contract/endpoints/database-view.ts'
import { conflict as texts } from '../../../texts/database-view/database-panel-messages.ts'
import { changedFields, type Edits } from './document-changes.ts'
import { nameText } from './json-path.ts'

interface Props {
  base: Document
  newer: Document
  edits: Edits
  onLoadNew: () => void
  onKeepMine: () => void
}

const shownFields = 20

/** Shown when another version arrived during editing. The user chooses which one wins. */
export function EditConflict({ base, newer, edits, onLoadNew, onKeepMine }: Props) {
  const id = useId()
  const fields = changedFields(base, newer)
  return (
    <div role="alert" className="doc-conflict" aria-labelledby={id}>
      <p id={id} className="flex gap-2 font-medium">
        <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
        {texts.title}
      </p>
      {fields.length > 0 && (
        <>
          <p className="mt-1 text-meta">{texts.fields}</p>
          <ul className="doc-conflict-fields">
            {fields.slice(0, shownFields).map((name) => (
              <li key={name}>
                <bdi className="font-mono">{nameText(name)}</bdi>
                {!Object.hasOwn(newer, name) && ` ${texts.gone}`}
                {edits.has(name) && <b className="font-semibold"> {texts.alsoYours}</b>}
              </li>
            ))}
            {fields.length > shownFields && <li>{texts.others(fields.length - shownFields)}</li>}
          </ul>
        </>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        <button
          type="button"
          className="btn btn-quiet btn-sm coarse:h-11"
          title={texts.keepMineText}
          onClick={onKeepMine}
        >
          {texts.keepMine}
        </button>
        <button
          type="button"
          className="btn btn-quiet btn-sm coarse:h-11"
          title={texts.loadNewText}
          onClick={onLoadNew}
        >
          {texts.loadNew}
        </button>
      </div>
    </div>
  )
}
