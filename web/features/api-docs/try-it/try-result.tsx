import { Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { EndpointDoc } from '../../../../contract/derive/endpoint-doc.ts'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { tryIt } from '../../../texts/docs-messages.ts'
import { HighlightedCode } from '../code/highlighted-code.tsx'
import type { DisplayedBody } from './response-body.ts'
import { StatusBadge } from '../endpoints/status-badge.tsx'
import type { TryState } from './use-try-request.ts'
import { maxReadBytes } from './try-request.ts'
import { useObjectUrl } from '../../../ui/use-object-url.ts'
import { FormFailure } from '../../../ui/forms/form-outcome.tsx'

/** The response headers that are useful to an API client. */
const shownHeaders =
  /^(content-(type|length|disposition)|cache-control|etag|link|location|x-total-count|retry-after|ratelimit-.*)$/

export function TryResult({ endpoint, trial }: { endpoint: EndpointDoc; trial: TryState | undefined }) {
  return (
    <section className="docs-result" aria-label={tryIt.result} aria-busy={trial?.state === 'sending'}>
      <p role="status" className="sr-only">
        {trial?.state === 'responded' && tryIt.said(trial.response.status, trial.response.ms)}
      </p>
      {trial?.state === 'failed' && <FormFailure text={trial.problem} />}
      {trial?.state === 'responded' && <ResponseView endpoint={endpoint} {...trial} />}
    </section>
  )
}

type ResponseView = Extract<TryState, { state: 'responded' }>

function ResponseView({ endpoint, response, body }: ResponseView & { endpoint: EndpointDoc }) {
  const headers = [...response.headers].filter(([name]) => shownHeaders.test(name))
  return (
    <>
      <div className="docs-block-head">
        <h3 className="text-dense font-medium">{tryIt.result}</h3>
        <StatusBadge status={response.status} />
        <span className="ml-auto text-meta text-text-2 tabular-nums">
          {tryIt.duration(response.ms)}
          {response.body && `, ${formatBytes(response.body.size)}`}
        </span>
      </div>
      <details className="docs-headers">
        <summary>
          {tryIt.replyHeaders} ({headers.length})
        </summary>
        <dl>
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      <Body endpoint={endpoint} body={body} />
    </>
  )
}

function Body({ endpoint, body }: { endpoint: EndpointDoc; body: DisplayedBody }) {
  switch (body.kind) {
    case 'none':
      return <p className="docs-body text-text-2">{tryIt.noBody}</p>
    case 'tooLarge':
      return <p className="docs-body text-text-2">{tryIt.tooLarge(formatBytes(maxReadBytes))}</p>
    case 'image':
    case 'file':
      return <Bytes endpoint={endpoint} {...body} />
    case 'json':
    case 'text':
      return (
        <>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
          <div role="region" aria-label={tryIt.replyBody} tabIndex={0} className="docs-body docs-scroll">
            <HighlightedCode code={body.text} language={body.kind} />
          </div>
          {body.text.length < body.length && (
            <p className="docs-cut">{tryIt.cut(formatCount(body.text.length), formatCount(body.length))}</p>
          )}
        </>
      )
  }
}

const formatCount = (n: number) => n.toLocaleString('en')

function Bytes({ endpoint, kind, blob }: { endpoint: EndpointDoc; kind: 'image' | 'file'; blob: Blob }) {
  const url = useObjectUrl(blob)
  // Without its content type: a browser that opens the link instead of saving it must not render an SVG in this origin.
  const plain = useMemo(() => blob.slice(0, blob.size, 'application/octet-stream'), [blob])
  const saved = useObjectUrl(plain)
  const [cannotShow, setCannotShow] = useState(false)
  return (
    <div className="docs-body grid justify-items-start gap-3">
      {kind === 'image' && !cannotShow ? (
        url !== undefined && (
          <img
            src={url}
            alt={tryIt.returnedImage(endpoint.path)}
            className="docs-picture"
            onError={() => setCannotShow(true)}
          />
        )
      ) : (
        <p className="text-text-2">{tryIt.bytes(formatBytes(blob.size))}</p>
      )}
      <a className="btn btn-quiet btn-sm coarse:h-11" href={saved} download={endpoint.saveAs ?? 'reply'}>
        <Download className="size-4" aria-hidden />
        {tryIt.save}
      </a>
    </div>
  )
}
