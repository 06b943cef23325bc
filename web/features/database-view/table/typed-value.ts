// The kind of a value, for display. Pure.

export const priorities = ['low', 'medium', 'high'] as const
export type Priority = (typeof priorities)[number]

export type TypedValue =
  | { kind: 'null' }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'number'; value: number }
  | { kind: 'priority'; value: Priority }
  | { kind: 'date'; value: string }
  | { kind: 'text'; value: string }
  | { kind: 'list'; size: number }
  | { kind: 'object'; size: number }

/** @param value a JSON value */
export function typedValue(field: string, value: unknown): TypedValue {
  if (typeof value === 'string') return typedText(field, value)
  if (typeof value === 'boolean') return { kind: 'boolean', value }
  if (typeof value === 'number') return { kind: 'number', value }
  if (Array.isArray(value)) return { kind: 'list', size: value.length }
  if (typeof value === 'object' && value !== null) return { kind: 'object', size: Object.keys(value).length }
  return { kind: 'null' }
}

function typedText(field: string, value: string): TypedValue {
  const priority = field === 'priority' ? priorities.find((known) => known === value) : undefined
  if (priority !== undefined) return { kind: 'priority', value: priority }
  return isMoment(value) ? { kind: 'date', value } : { kind: 'text', value }
}

/** A date with a time in ISO 8601. A date alone is shown as text. */
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/
const isMoment = (text: string) => text.length < 40 && moment.test(text) && !Number.isNaN(Date.parse(text))
