import { clsx } from 'clsx'
import { Fragment } from 'react'
import type { EndpointDoc } from '../../../../contract/derive/endpoint-doc.ts'
import { detail, docs, endpoints } from '../../../texts/docs-messages.ts'

export function MethodBadge({ method }: { method: string }) {
  return <span className={clsx('docs-method', `docs-${method.toLowerCase()}`)}>{method}</span>
}

/** The short text for the table, or the full one for the details. */
export function AccessBadge({ access, isDetail = false }: { access: EndpointDoc['access']; isDetail?: boolean }) {
  return (
    <span className={clsx('docs-badge', `docs-access-${access}`)}>
      {(isDetail ? detail.access : endpoints.auth)[access]}
    </span>
  )
}

export function CategoryBadge({ category }: { category: EndpointDoc['category'] }) {
  return <span className="docs-badge">{category === 'contact' ? docs.contact : docs.categories[category]}</span>
}

/** A path with highlighted parameters; a long one breaks before a slash. */
export function Path({ path }: { path: string }) {
  return (
    <span className="docs-path" translate="no">
      {path.split(/(?=\/)|(\{\w+\})/).map((part, at) =>
        part === undefined || part === '' ? null : (
          <Fragment key={at}>
            {part.startsWith('/') && <wbr />}
            <span className={part.startsWith('{') ? 'code-attribute' : undefined}>{part}</span>
          </Fragment>
        ),
      )}
    </span>
  )
}
