// Values as text, cut: a document may hold a megabyte in one field, and none of it may reach the page's tree.

/** Signs of a value in a cell. More is never seen: a column is not that wide. */
const cellLength = 200

/** As JSON in one line. Stops reading where enough is written, however deep or long the value goes on. */
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
