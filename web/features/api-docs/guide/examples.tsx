// The tab Examples of the API documentation: cURL commands that manage users, and an upload in each language.
import { memo, useId, useState } from 'react'
import type { EndpointDoc } from '../../../../contract/derive/endpoint-doc.ts'
import { curlExamples, resumableExample, uploadExamples } from '../../../../contract/derive/samples/examples.ts'
import { detail, examples } from '../../../texts/docs-messages.ts'
import { TabList, tabId } from '../../../ui/tab-list.tsx'
import { MethodBadge, Path } from '../endpoints/badges.tsx'
import { CodeBlock } from '../code/code-block.tsx'
import { KeyField } from '../try-it/key-field.tsx'
import { chooseLanguage, codeLanguages, highlightingOf, useLanguage } from '../code/sample-language.ts'

export const Examples = memo(function Examples({ catalogue }: { catalogue: readonly EndpointDoc[] }) {
  // The reader's API key, filled into the examples. It is never stored, and forgotten when this view closes.
  const [token, setToken] = useState('')
  return (
    <div className="docs-prose">
      <section>
        <h2>{examples.curl}</h2>
        <p>{examples.curlText}</p>
        <div className="max-w-lg">
          <KeyField label={detail.insertKey} text={detail.insertKeyText} credential={token} onCredential={setToken} />
        </div>
        <div className="docs-grid">
          {curlExamples(catalogue, { base: location.origin, token }).map(({ method, path, summary, code }) => (
            <CodeBlock
              key={`${method} ${path}`}
              title={
                <>
                  <MethodBadge method={method} />
                  <Path path={path} />
                  <span className="basis-full text-text-2">{summary}</span>
                </>
              }
              code={code}
              language="shell"
              of={`${method} ${path}`}
              what="curl"
            />
          ))}
        </div>
      </section>
      <Upload catalogue={catalogue} token={token} />
      <section>
        <h2>{examples.resumable}</h2>
        <p>{examples.resumableText}</p>
        <CodeBlock
          title={<span>tus-js-client</span>}
          code={resumableExample(catalogue, { base: location.origin, token })}
          language={highlightingOf.javascript}
          of={examples.resumable}
          what="code"
        />
      </section>
    </div>
  )
})

function Upload({ catalogue, token }: { catalogue: readonly EndpointDoc[]; token: string }) {
  const panelId = useId()
  const language = useLanguage(true)
  const sample = uploadExamples(catalogue, { base: location.origin, token }).find(({ id }) => id === language.id)
  return (
    <section>
      <h2>{examples.upload}</h2>
      <p>{examples.uploadText}</p>
      <TabList
        label={examples.language}
        tabs={codeLanguages}
        selected={language.id}
        onSelect={chooseLanguage}
        panelId={panelId}
      />
      <div id={panelId} role="tabpanel" aria-labelledby={tabId(panelId, language.id)}>
        <CodeBlock
          title={<span>{language.label}</span>}
          code={sample?.code ?? ''}
          language={highlightingOf[language.id]}
          of={`${examples.upload}, ${language.label}`}
          what="code"
        />
      </div>
    </section>
  )
}
