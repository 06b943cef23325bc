import type { EndpointDoc } from '../../../../contract/derive/endpoint-doc.ts'
import { MethodBadge, Path } from './badges.tsx'
import { EndpointLink } from './endpoint-link.tsx'
import type { DocsLocation } from '../use-docs-address.ts'

interface Props {
  title: string
  shown: readonly EndpointDoc[]
  place: DocsLocation
}

/** Names of endpoints, each a link to its details. */
export function EndpointList({ title, shown, place }: Props) {
  return (
    <section className="docs-prose">
      <h2>{title}</h2>
      <ul className="docs-list">
        {shown.map((endpoint) => (
          <li key={endpoint.id}>
            <EndpointLink endpoint={endpoint} place={place}>
              <MethodBadge method={endpoint.method} />
              <Path path={endpoint.path} />
              <span className="docs-list-summary">{endpoint.summary}</span>
            </EndpointLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
