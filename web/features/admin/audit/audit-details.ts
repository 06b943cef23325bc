// The details of an audit entry as one line of text.

/**
 * Such as `from: user, to: admin`, and `email: from a@example.com to b@example.com`. Values that are
 * not set are left out.
 */
export function detailsText(details: Record<string, unknown>): string {
  return Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${nameText(name)}: ${valueText(value)}`)
    .join(', ')
}

/** Words, except of settings, which are written as in the environment. */
const nameText = (name: string) =>
  /^[A-Z\d_]+$/.test(name) ? name : name.replaceAll(/_|(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()

function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null) return 'none'
  if (Array.isArray(value)) return value.map(valueText).join(' ')
  if (isChange(value)) return `from ${valueText(value.from)} to ${valueText(value.to)}`
  return JSON.stringify(value)
}

const isChange = (value: unknown): value is { from: unknown; to: unknown } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value
