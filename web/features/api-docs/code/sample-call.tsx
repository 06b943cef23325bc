import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import type { EndpointDoc } from '../../../../contract/derive/endpoint-doc.ts'
import { languages } from '../../../../contract/derive/samples/languages.ts'
import { detail, examples } from '../../../texts/docs-messages.ts'
import { CodeBlock } from './code-block.tsx'
import { type RequestDraft, sampleOptionsOf } from '../try-it/request-draft.ts'
import { chooseLanguage, highlightingOf, useLanguage } from './sample-language.ts'

interface Props {
  endpoint: EndpointDoc
  draft: RequestDraft
  credential: string
}

/** The request as code in the selected language, with the typed values. */
export function SampleCall({ endpoint, draft, credential }: Props) {
  const selectId = useId()
  const language = useLanguage()
  const code = language.write(endpoint, {
    base: location.origin,
    token: credential,
    ...sampleOptionsOf(endpoint, draft),
  })
  return (
    <CodeBlock
      title={
        <label htmlFor={selectId} className="sr-only">
          {examples.language}
        </label>
      }
      code={code}
      language={highlightingOf[language.id]}
      of={detail.sample}
      what={language.id === 'curl' ? 'curl' : 'code'}
    >
      <span className="docs-language">
        <select
          id={selectId}
          value={language.id}
          onChange={(event) => chooseLanguage(languages[event.target.selectedIndex]?.id ?? language.id)}
        >
          {languages.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
        <ChevronDown className="size-4" aria-hidden />
      </span>
    </CodeBlock>
  )
}
