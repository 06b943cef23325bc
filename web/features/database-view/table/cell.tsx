// One value in the table: as JSON, or formatted by its kind. Always rendered as text.
import { clsx } from 'clsx'
import { memo } from 'react'
import type { DatabaseMode } from '../database-mode.ts'
import { dateAndTime } from '../../../format/dates.ts'
import { documentsTable as text } from '../../../texts/database-view/database-table-messages.ts'
import { typedValue, type Priority } from './typed-value.ts'
import { shortJson, shortText } from './short-json.ts'

interface Props {
  field: string
  value: unknown
  mode: DatabaseMode
}

export const Cell = memo(function Cell({ field, value, mode }: Props) {
  // The document does not have this field.
  if (value === undefined) return null
  return mode === 'json' ? <JsonCell value={value} /> : <TypedCell field={field} value={value} />
})

const jsonColours: Readonly<Partial<Record<string, string>>> = {
  string: 'code-string',
  number: 'code-constant',
  boolean: 'code-constant',
}

const JsonCell = ({ value }: { value: unknown }) => (
  <span className={clsx('dt-json', value === null ? 'text-text-3' : jsonColours[typeof value])}>
    {shortJson(value)}
  </span>
)

function TypedCell({ field, value }: Omit<Props, 'mode'>) {
  const typed = typedValue(field, value)
  switch (typed.kind) {
    case 'null':
      return <span className="text-text-3 italic">null</span>
    case 'boolean':
      return <Boolean isOn={typed.value} />
    case 'number':
      return <span className="tabular-nums">{typed.value}</span>
    case 'priority':
      return <PriorityBadge priority={typed.value} />
    case 'date':
      return (
        <time dateTime={typed.value} title={typed.value} className="tabular-nums">
          {dateAndTime(typed.value)}
        </time>
      )
    case 'list':
      return <span className="dt-chip">{text.itemCount(typed.size)}</span>
    case 'object':
      return <span className="dt-chip">{text.keyCount(typed.size)}</span>
    case 'text':
      // Right-to-left text is displayed in its own direction; the cell's alignment does not change.
      return typed.value === '' ? <span className="dt-json text-text-3">""</span> : <bdi>{shortText(typed.value)}</bdi>
  }
}

const badges: Readonly<Record<Priority, string>> = {
  low: 'bg-success-soft text-success-text',
  medium: 'bg-warning-soft text-warning-text',
  high: 'bg-danger-soft text-danger-text',
}

export const PriorityBadge = ({ priority }: { priority: Priority }) => (
  <span className={clsx('dt-badge', badges[priority])}>{priority}</span>
)

/** Looks like the switch of the edit form, but is read-only. */
const Boolean = ({ isOn }: { isOn: boolean }) => (
  <span className="inline-flex items-center gap-2 align-middle">
    <span className="dt-switch" data-on={isOn} aria-hidden />
    {String(isOn)}
  </span>
)
