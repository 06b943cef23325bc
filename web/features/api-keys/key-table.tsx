// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- where CSS lays a table out
// as cards, browsers drop its implicit roles, so they are explicit.
import { Trash2 } from 'lucide-react'
import type { ApiKey } from '../../../contract/api-keys.ts'
import { shortDate } from '../../format/dates.ts'
import { apiKeys } from '../../texts/api-keys-messages.ts'
import { Cell, ColumnHeaders } from '../../ui/card-table.tsx'

const { columns } = apiKeys

interface Props {
  keys: readonly ApiKey[]
  onDelete: (key: ApiKey) => void
}

/** A table on wide screens; on a phone each row is a card. */
export function KeyTable({ keys, onDelete }: Props) {
  return (
    <table role="table" className="keys" aria-labelledby="keys">
      <ColumnHeaders names={[columns.name, columns.key, columns.created, columns.lastUsed]} actions={columns.actions} />
      <tbody role="rowgroup">
        {keys.map((key) => (
          <tr key={key.id} role="row">
            <th role="rowheader" scope="row" className="keys-name">
              {key.name}
            </th>
            <Cell label={columns.key}>
              <code className="font-mono text-meta">{key.prefix}…</code>
            </Cell>
            <Cell label={columns.created}>
              <time dateTime={key.createdAt}>{shortDate(key.createdAt)}</time>
            </Cell>
            <Cell label={columns.lastUsed}>
              {key.lastUsed === null ? (
                <span className="text-text-2">{apiKeys.never}</span>
              ) : (
                <time dateTime={key.lastUsed}>{shortDate(key.lastUsed)}</time>
              )}
            </Cell>
            <td role="cell" className="keys-action">
              <button
                type="button"
                className="btn btn-ghost btn-sm btn-icon-danger coarse:h-11"
                data-delete=""
                aria-label={apiKeys.deleteNamed(key.name)}
                onClick={() => onDelete(key)}
              >
                <Trash2 className="size-4" aria-hidden />
                {apiKeys.delete}
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
