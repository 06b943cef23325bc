import { useMemo } from 'react'
import { highlightLines, type CodeLanguage } from './highlight.ts'

/** Colours and lines for more than this would take longer than anybody wants to wait. */
const maxColoured = 60_000

/** Code in colours, a line for a line. What does not fit goes on below, a little to the right of where the line began. */
export function Code({ code, language }: { code: string; language: CodeLanguage }) {
  return (
    <pre className="docs-code">
      <code translate="no">{code.length > maxColoured ? code : <Lines code={code} language={language} />}</code>
    </pre>
  )
}

/** They and their tokens have no name but their place, and change all at once. */
function Lines({ code, language }: { code: string; language: CodeLanguage }) {
  const lines = useMemo(() => highlightLines(code, language), [code, language])
  return lines.map((line, at) => (
    <span key={at} className="block pl-[2ch] -indent-[2ch]">
      {line.map(([text, kind], place) => (
        <span key={place} className={kind && `code-${kind}`}>
          {text}
        </span>
      ))}
      {line.length === 0 && '\n'}
    </span>
  ))
}
