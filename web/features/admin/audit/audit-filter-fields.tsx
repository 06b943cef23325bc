import { SlidersHorizontal } from 'lucide-react'
import { useId, useState } from 'react'
import { auditActions, auditGroups, type AuditAction } from '../../../../contract/plain/audit-actions.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import { type AuditQuery, isWholeLog } from './admin-audit.ts'
import { audit } from '../../../texts/admin/admin-messages.ts'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { Select } from '../../../ui/forms/select.tsx'

interface Props {
  query: AuditQuery
  onQuery: (query: AuditQuery) => void
}

const actions = Object.entries(auditActions) as [AuditAction, (typeof auditActions)[AuditAction]][]
const groups = Object.entries(auditGroups).map(
  ([id, label]) =>
    [
      label,
      actions.flatMap(([action, { group, label: text }]) => (group === id ? [[action, text] as const] : [])),
    ] as const,
)

/** On a phone, all but the first are folded, so that entries are in sight. */
export function AuditFilterFields({ query, onQuery }: Props) {
  const { maxFilterLength: maxLength } = limits.audit
  const foldedId = useId()
  const [isOpen, setOpen] = useState(!isWholeLog({ ...query, actor: '' }))
  return (
    <>
      <SearchField
        className="toolbar-search"
        label={audit.actor}
        maxLength={maxLength}
        text={query.actor}
        onSearch={(actor) => onQuery({ ...query, actor })}
      />
      <button
        type="button"
        className="btn btn-quiet audit-fold"
        aria-expanded={isOpen}
        aria-controls={foldedId}
        onClick={() => setOpen(!isOpen)}
      >
        <SlidersHorizontal className="size-4" aria-hidden />
        {audit.filters}
      </button>
      <div id={foldedId} className="audit-folded" data-open={isOpen}>
        <SearchField
          className="toolbar-search"
          label={audit.target}
          maxLength={maxLength}
          text={query.target}
          onSearch={(target) => onQuery({ ...query, target })}
        />
        <Select<AuditAction | ''>
          label={audit.action}
          value={query.action ?? ''}
          options={[['', audit.anyAction]]}
          groups={groups}
          onChange={(action) => onQuery({ ...query, action: action === '' ? undefined : action })}
        />
        <DayField label={audit.from} day={query.from} max={query.to} onDay={(from) => onQuery({ ...query, from })} />
        <DayField label={audit.to} day={query.to} min={query.from} onDay={(to) => onQuery({ ...query, to })} />
      </div>
    </>
  )
}

interface DayFieldProps {
  label: string
  day: string
  min?: string
  max?: string
  onDay: (day: string) => void
}

/** A native date field. Its value is empty until the date is complete. */
function DayField({ label, day, min, max, onDay }: DayFieldProps) {
  return (
    <label className="flex items-center gap-2 text-dense text-text-2 max-xs:w-full">
      <span className="max-xs:w-9">{label}</span>
      <input
        type="date"
        className="field w-auto max-xs:flex-1 coarse:h-11"
        value={day}
        min={min}
        max={max === '' || max === undefined ? '9999-12-31' : max}
        onChange={(event) => onDay(event.target.value)}
      />
    </label>
  )
}
