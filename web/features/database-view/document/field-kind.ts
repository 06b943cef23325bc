// The control for a field in edit mode (docs/behaviour.md, "Database view"). It follows the stored value, not the typed one.
import { panelLimits } from './panel-limits.ts'

export type FieldKind = 'locked' | 'switch' | 'priority' | 'number' | 'long' | 'text' | 'null' | 'complex'
export type EditableKind = 'switch' | 'priority' | 'number' | 'long' | 'text'

/** Fields that the server sets. */
const lockedFields: readonly string[] = ['_id', 'createdAt', '__v']
export const isLocked = (name: string) => lockedFields.includes(name)

export function fieldKind(name: string, value: unknown): FieldKind {
  if (isLocked(name)) return 'locked'
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'boolean') return 'switch'
  if (typeof value === 'number') return 'number'
  if (typeof value !== 'string') return 'complex'
  if (name === 'priority') return 'priority'
  // A single-line input would remove the line breaks.
  return value.length > panelLimits.longTextChars || /[\n\r]/.test(value) ? 'long' : 'text'
}

export const isEditable = (kind: FieldKind): kind is EditableKind =>
  kind !== 'locked' && kind !== 'null' && kind !== 'complex'
