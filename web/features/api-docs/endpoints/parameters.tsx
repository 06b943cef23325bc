import type { EndpointDoc, FieldDoc } from '../../../../contract/derive/endpoint-doc.ts'
import { detail } from '../../../texts/docs-messages.ts'
import { ColumnHeads } from '../column-heads.tsx'

export function Parameters({ endpoint }: { endpoint: EndpointDoc }) {
  const { params, query, headers, body, bodyKind } = endpoint
  if ([params, query, headers, body].every(({ length }) => length === 0))
    return <p className="text-text-2">{detail.noParameters}</p>
  return (
    <>
      <Fields title={detail.params} fields={params} />
      <Fields title={detail.query} fields={query} />
      <Fields title={detail.headers} fields={headers} />
      <Fields title={detail.body} kind={bodyKind === 'multipart' ? detail.form : detail.json} fields={body} />
    </>
  )
}

function Fields({ title, kind, fields }: { title: string; kind?: string; fields: FieldDoc[] }) {
  if (fields.length === 0) return null
  const { columns } = detail
  return (
    <section className="grid gap-3">
      <h3 className="flex flex-wrap items-baseline gap-x-3 text-h3">
        {title}
        {kind !== undefined && <code className="text-meta font-normal text-text-2">{kind}</code>}
      </h3>
      <table className="docs-table docs-fields">
        <ColumnHeads names={[columns.name, columns.type, columns.required, columns.description]} />
        <tbody>
          {fields.map(({ name, type, required, description }) => (
            <tr key={name}>
              <th scope="row">
                <code translate="no">{name}</code>
              </th>
              <td>{type}</td>
              <td>{required ? <span className="docs-required">{detail.required}</span> : detail.optional}</td>
              <td>{description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
