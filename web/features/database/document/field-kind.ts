import { panelLimits } from './panel-limits.ts'
// How a field of a document is edited (specification section 5, edit mode). The kind follows the stored value, not what is being
// typed: a field keeps its type, and its control while somebody is in it.

export type FieldKind = 'locked' | 'switch' | 'priority' | 'number' | 'long' | 'text' | 'null' | 'complex'
export type EditableKind = 'switch' | 'priority' | 'number' | 'long' | 'text'

/** What the server itself says of a document. */
const lockedFields: readonly string[] = ['_id', 'createdAt', '__v']
export const isLocked = (name: string) => lockedFields.includes(name)

export function fieldKind(name: string, value: unknown): FieldKind {
  if (isLocked(name)) return 'locked'
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'boolean') return 'switch'
  if (typeof value === 'number') return 'number'
  if (typeof value !== 'string') return 'complex'
  if (name === 'priority') return 'priority'
  // A field of one line would drop the breaks.
  return value.length > panelLimits.longTextChars || /[\n\r]/.test(value) ? 'long' : 'text'
}

export const isEditable = (kind: FieldKind): kind is EditableKind =>
  kind !== 'locked' && kind !== 'null' && kind !== 'complex'
