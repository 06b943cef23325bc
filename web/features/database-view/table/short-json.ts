// Values as truncated text: a field can hold a megabyte, and none of that may reach the DOM.

/** The maximum length of a cell's text; a column shows less. */
const cellLength = 200

/** Single-line JSON. Stops reading the value at the limit, however deep or long it is. */
export function shortJson(value: unknown, length = cellLength): string {
  let text = ''
  const isFull = () => text.length > length

  function write(part: unknown): void {
    if (isFull()) return
    if (typeof part === 'string') text += JSON.stringify(part.slice(0, length + 1))
    else if (Array.isArray(part)) writeList('[', part.keys(), (at) => write(part[at]), ']')
    else if (typeof part === 'object' && part !== null)
      writeList(
        '{',
        Object.keys(part).values(),
        (key) => {
          text += `${JSON.stringify(key)}: `
          write((part as Record<string, unknown>)[key])
        },
        '}',
      )
    else text += String(part)
  }

  function writeList<T>(open: string, items: Iterable<T>, writeItem: (item: T) => void, close: string): void {
    text += open
    let isFirst = true
    for (const item of items) {
      if (isFull()) return
      if (!isFirst) text += ', '
      isFirst = false
      writeItem(item)
    }
    text += close
  }

  write(value)
  return shortText(text, length)
}

export const shortText = (text: string, length = cellLength) =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`
