import type { Line } from './code-formats.ts'

/** By the kinds that scripts/embed-templates.ts gives to tokens. */
const classes = [
  undefined,
  'code-comment',
  'code-keyword',
  'code-string',
  'code-function',
  'code-constant',
  'code-punctuation',
  'code-tag',
  'code-attribute',
]

// Lines and tokens have no name but their place, and change all at once.
export function CodeLines({ lines }: { lines: readonly Line[] }) {
  return (
    <code translate="no">
      {lines.map((line, at) => (
        // What does not fit goes on below, a little to the right of where the line began.
        <span key={at} className="block pl-[2ch] -indent-[2ch]">
          {line.map(([text, kind], place) => (
            <span key={place} className={classes[kind]}>
              {text}
            </span>
          ))}
          {line.length === 0 && '\n'}
        </span>
      ))}
    </code>
  )
}
