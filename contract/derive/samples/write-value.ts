// Writes a JSON value as a literal of a programming language.

export interface Syntax {
  text(text: string): string
  /** Including the separator between key and value. */
  key(name: string): string
  literals: { null: string; true: string; false: string }
  list: [open: string, close: string]
  /** PHP needs to know the keys. */
  object(keys: string[]): [open: string, close: string]
  /** Padding inside the braces of an object on one line. */
  pad: string
  indent: string
  trailingComma: boolean
}

const maxLineLength = 72

/** Short values are written on one line. @param margin indentation of the lines after the first */
export function writeValue(value: unknown, syntax: Syntax, margin = ''): string {
  if (typeof value === 'string') return syntax.text(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : syntax.literals.null
  if (typeof value === 'boolean') return syntax.literals[`${value}`]
  if (typeof value !== 'object' || value === null) return syntax.literals.null

  const inner = margin + syntax.indent
  if (Array.isArray(value)) {
    const items = value.map((item) => writeValue(item, syntax, inner))
    return gather(items, syntax.list, '', syntax, margin)
  }
  const entries = Object.entries(value).map(([key, held]) => syntax.key(key) + writeValue(held, syntax, inner))
  return gather(entries, syntax.object(Object.keys(value)), syntax.pad, syntax, margin)
}

function gather(
  items: string[],
  [open, close]: [string, string],
  pad: string,
  { indent, trailingComma }: Syntax,
  margin: string,
): string {
  if (items.length === 0) return open + close
  const line = open + pad + items.join(', ') + pad + close
  if (line.length <= maxLineLength && !line.includes('\n')) return line
  const lines = items.map((item) => margin + indent + item)
  return `${open}\n${lines.join(',\n')}${trailingComma ? ',' : ''}\n${margin}${close}`
}

export const json: Syntax = {
  // Some languages treat these as line terminators.
  text: (text) => JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029]/g, unicodeEscape),
  key: (name) => `${json.text(name)}: `,
  literals: { null: 'null', true: 'true', false: 'false' },
  list: ['[', ']'],
  object: () => ['{', '}'],
  pad: ' ',
  indent: '  ',
  trailingComma: false,
}

export const unicodeEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
