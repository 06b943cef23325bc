import { useState } from 'react'
import type { Document } from '../../../../contract/endpoints/database-view.ts'
import { edit as texts, tree } from '../../../texts/database-view/database-panel-messages.ts'
import { changesOf, type Edit, type Edits, fieldNames, kindOf } from './document-changes.ts'
import { EditField } from './edit-field.tsx'
import { panelLimits } from './panel-limits.ts'

const { slice } = panelLimits

interface Props {
  base: Document
  edits: Edits
  isFrozen: boolean
  onEdit: (name: string, edit: Edit) => void
}

/** Every field of the document; editable fields have a control of their type. */
export function EditForm({ base, edits, isFrozen, onEdit }: Props) {
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
        <button type="button" className="btn btn-quiet btn-sm coarse:h-11" onClick={() => setCount(count + slice)}>
          {tree.moreFields(Math.min(slice, names.length - count))}
        </button>
      )}
    </div>
  )
}
