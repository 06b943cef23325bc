interface Props<T> {
  /** Text, and what it is; plain text is nothing. */
  lines: readonly (readonly (readonly [text: string, kind?: T])[])[]
  /** Those of styles/code.css. */
  classOf: (kind: T) => string | undefined
}

/** Code in colours. Lines and tokens have no name but their place, and change all at once. */
export function ColouredLines<T>({ lines, classOf }: Props<T>) {
  return lines.map((line, at) => (
    // What does not fit goes on below, a little to the right of where the line began.
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
