import '../styles/code.css'

interface Props<T> {
  /** A text and its kind; plain text has none. */
  lines: readonly (readonly (readonly [text: string, kind?: T])[])[]
  /** The classes of styles/code.css. */
  classOf: (kind: T) => string | undefined
}

/** Highlighted code. Lines and tokens are keyed by index, since they always change together. */
export function HighlightedLines<T>({ lines, classOf }: Props<T>) {
  return lines.map((line, at) => (
    // A wrapped line is indented relative to its start.
    <span key={at} className="block pl-[2ch] -indent-[2ch]">
      {line.map(([text, kind], place) => (
        <span key={place} className={kind === undefined ? undefined : classOf(kind)}>
          {text}
        </span>
      ))}
      {line.length === 0 && '\n'}
    </span>
  ))
}
