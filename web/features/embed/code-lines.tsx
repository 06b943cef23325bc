import { ColouredLines } from '../../ui/coloured-lines.tsx'
import type { Line } from './code-formats.ts'

/** Classes for the token kinds of scripts/embed-templates.ts. */
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

export function CodeLines({ lines }: { lines: readonly Line[] }) {
  return (
    <code translate="no">
      <ColouredLines lines={lines} classOf={(kind) => classes[kind]} />
    </code>
  )
}
