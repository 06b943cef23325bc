import { useMemo } from 'react'
import { HighlightedLines } from '../../../ui/highlighted-lines.tsx'
import { highlightLines, type CodeLanguage } from './highlight.ts'

const maxColouredChars = 60_000

/** Syntax-highlighted code, one element per line. */
export function HighlightedCode({ code, language }: { code: string; language: CodeLanguage }) {
  return (
    <pre className="docs-code">
      <code translate="no">{code.length > maxColouredChars ? code : <Lines code={code} language={language} />}</code>
    </pre>
  )
}

function Lines({ code, language }: { code: string; language: CodeLanguage }) {
  const lines = useMemo(() => highlightLines(code, language), [code, language])
  return <HighlightedLines lines={lines} classOf={(kind) => `code-${kind}`} />
}
