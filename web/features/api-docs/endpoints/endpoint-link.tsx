import type { MouseEvent, ReactNode } from 'react'
import type { EndpointDoc } from '../../../../contract/derive/endpoint-doc.ts'
import type { DocsLocation } from '../use-docs-address.ts'

interface Props {
  endpoint: EndpointDoc
  place: DocsLocation
  children: ReactNode
}

/** Opens the details in this page; with a modifier key the browser opens the link. */
export function EndpointLink({ endpoint: { id }, place, children }: Props) {
  return (
    <a
      href={place.hrefOf({ endpoint: id, detail: 'examples' })}
      onClick={(event) => {
        if (!isPlain(event)) return
        event.preventDefault()
        place.openEndpoint(id)
      }}
    >
      {children}
    </a>
  )
}

const isPlain = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey
