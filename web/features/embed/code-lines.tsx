import { ColouredLines } from '../../ui/coloured-lines.tsx'
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

export function CodeLines({ lines }: { lines: readonly Line[] }) {
  return (
    <code translate="no">
      <ColouredLines lines={lines} classOf={(kind) => classes[kind]} />
    </code>
  )
}
