// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- the rows are grids, for
// which browsers drop their implicit roles, so they are explicit.
import { Copy, PanelRightOpen } from 'lucide-react'
import type { EndpointDoc } from '../../../../contract/derive/endpoint-doc.ts'
import { curlOf } from '../../../../contract/derive/samples/curl.ts'
import { docs, endpoints } from '../../../texts/docs-messages.ts'
import { CopyButton } from '../../../ui/copy/copy-button.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { AccessBadge, MethodBadge, Path } from './badges.tsx'
import { copyDocs } from '../copy-docs.ts'
import { EndpointLink } from './endpoint-link.tsx'
import type { DocsLocation } from '../use-docs-address.ts'

/** A table row of an endpoint: copies its cURL command and opens its details. */
export function EndpointRow({ endpoint, place }: { endpoint: EndpointDoc; place: DocsLocation }) {
  const { id, method, path, summary, access } = endpoint
  const name = <span className="sr-only">{endpoints.of(`${method} ${path}`)}</span>
  return (
    <tr role="row" data-endpoint={id}>
      <td role="cell" className="docs-cell-method">
        <MethodBadge method={method} />
      </td>
      <th role="rowheader" scope="row" className="docs-cell-path">
        <EndpointLink endpoint={endpoint} place={place}>
          <Path path={path} />
        </EndpointLink>
      </th>
      <td role="cell" className="docs-cell-summary">
        {summary}
      </td>
      <td role="cell" className="docs-cell-access">
        <AccessBadge access={access} />
      </td>
      <td role="cell" className="docs-cell-actions">
        <span className="flex justify-end gap-1">
          <Tooltip text={endpoints.copyCurl}>
            <CopyButton
              className="btn-icon"
              icon={<Copy className="size-4" aria-hidden />}
              copied={docs.copiedMark}
              onCopy={() => copyDocs(plainCurl(endpoint), 'curl')}
            >
              <span className="sr-only">{endpoints.copyCurl}</span>
              {name}
            </CopyButton>
          </Tooltip>
          <Tooltip text={endpoints.view}>
            <button type="button" className="btn-icon" onClick={() => place.openEndpoint(id)}>
              <PanelRightOpen className="size-4" aria-hidden />
              <span className="sr-only">{endpoints.view}</span>
              {name}
            </button>
          </Tooltip>
        </span>
      </td>
    </tr>
  )
}

/** The cURL command with the sample values of the contract. */
export const plainCurl = (endpoint: EndpointDoc) => curlOf(endpoint, { base: location.origin })
