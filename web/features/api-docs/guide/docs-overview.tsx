import { ExternalLink } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import type { EndpointDoc } from '../../../../contract/derive/endpoint-doc.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import { docs, overview } from '../../../texts/docs-messages.ts'
import { titles } from '../../../texts/messages.ts'
import { paths } from '../../../paths.ts'
import { Link } from '../../../ui/link.tsx'
import { CodeBlock } from '../code/code-block.tsx'
import { ColumnHeads } from '../column-heads.tsx'
import { CopyableText } from '../code/copyable-text.tsx'
import { plainCurl } from '../endpoints/endpoint-row.tsx'
import { StatusBadge } from '../endpoints/status-badge.tsx'
import { statusesOf, statusMeaning } from '../endpoints/http-statuses.ts'

export const DocsOverview = memo(function DocsOverview({ catalogue }: { catalogue: readonly EndpointDoc[] }) {
  return (
    <>
      <p className="max-w-[68ch] text-lead text-text-2">{overview.lead}</p>
      <div className="docs-columns">
        <div className="docs-prose">
          <Section title={overview.base}>
            <p>{overview.baseText}</p>
            <CopyableText text={location.origin} label={overview.copyBase} />
          </Section>
          <FirstRequest catalogue={catalogue} />
          <Rates />
          <Section title={overview.reference}>
            <p>{overview.referenceText}</p>
            <a className="link docs-line-link" href="/api/openapi.json" target="_blank" rel="noreferrer">
              {overview.referenceLink}
              <ExternalLink className="size-4" aria-hidden />
            </a>
          </Section>
          <Section title={overview.apps}>
            <p>{overview.appsText}</p>
            <Link to={paths.tools} className="link docs-line-link">
              {titles.tools}
            </Link>
          </Section>
          <Section title={overview.versioning}>
            <p>{overview.versioningText(docs.version)}</p>
          </Section>
        </div>
        <div className="docs-prose">
          <Statuses catalogue={catalogue} />
        </div>
      </div>
    </>
  )
})

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function Rates() {
  const { perMinute, perMinuteOfAdmin } = limits.rate
  const { who, rate } = overview.rateColumns
  return (
    <Section title={overview.rates}>
      <table className="docs-table">
        <ColumnHeads names={[who, rate]} />
        <tbody>
          <tr>
            <th scope="row">{overview.rateDefault}</th>
            <td>{overview.rateOfDefault(perMinute)}</td>
          </tr>
          <tr>
            <th scope="row">{overview.rateAdmin}</th>
            <td>{overview.rateOfAdmin(perMinuteOfAdmin)}</td>
          </tr>
        </tbody>
      </table>
      <p>{overview.rateText}</p>
    </Section>
  )
}

function FirstRequest({ catalogue }: { catalogue: readonly EndpointDoc[] }) {
  const endpoint = catalogue.find(({ name }) => name === 'uploadImage')
  if (endpoint === undefined) return null
  return (
    <Section title={overview.first}>
      <p>{overview.firstText}</p>
      <CodeBlock
        title={<span>{endpoint.summary}</span>}
        code={plainCurl(endpoint)}
        language="shell"
        of={endpoint.summary}
        what="curl"
      />
    </Section>
  )
}

function Statuses({ catalogue }: { catalogue: readonly EndpointDoc[] }) {
  const { status, meaning } = overview.statusColumns
  return (
    <Section title={overview.statuses}>
      <p>{overview.statusText}</p>
      <table className="docs-table">
        <ColumnHeads names={[status, meaning]} />
        <tbody>
          {statusesOf(catalogue).map((status) => (
            <tr key={status}>
              <th scope="row">
                <StatusBadge status={status} />
              </th>
              <td>{statusMeaning(status)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
