import { Fragment } from 'react'
import type { EndpointDoc } from '../../../../contract/derive/endpoint-doc.ts'
import { detail } from '../../../texts/docs-messages.ts'
import { ColumnHeads } from '../column-heads.tsx'
import { CodeBlock } from '../code/code-block.tsx'
import { StatusBadge } from './status-badge.tsx'

export function Responses({ endpoint }: { endpoint: EndpointDoc }) {
  const { status, responseKind, sampleResponse, failures } = endpoint
  const { failureColumns: columns } = detail
  return (
    <>
      <section className="grid gap-3">
        <h3 className="flex items-center gap-3 text-h3">
          {detail.success}
          {responseKind !== 'json' && <StatusBadge status={status} />}
        </h3>
        {responseKind === 'json' ? (
          <CodeBlock
            title={<StatusBadge status={status} />}
            code={JSON.stringify(sampleResponse, null, 2)}
            language="json"
            of={detail.tabs.responses}
            what="code"
          />
        ) : (
          <p className="text-text-2">{detail.bodies[responseKind]}</p>
        )}
      </section>
      <section className="grid gap-3">
        <h3 className="text-h3">{detail.failures}</h3>
        <table className="docs-table docs-fields">
          <ColumnHeads names={[columns.status, columns.code, columns.text]} />
          <tbody>
            {failures.map((failure) => (
              <tr key={failure.code}>
                <th scope="row" className="docs-beside">
                  <StatusBadge status={failure.status} />
                </th>
                <td>
                  <code translate="no">{breakable(failure.code)}</code>
                </td>
                <td>{failure.text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

/** Breaks after an underscore when the code is too long for its cell. */
const breakable = (code: string) =>
  code.split(/(?<=_)/).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))
