// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- where CSS lays a table out
// as cards, browsers drop its implicit roles, so they are explicit.
import { Trash2 } from 'lucide-react'
import type { ApiKey } from '../../../contract/endpoints/api-keys.ts'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { dateAndTime, shortDate } from '../../format/dates.ts'
import { apiKeys } from '../../texts/api-keys-messages.ts'
import { Cell, ColumnHeaders } from '../../ui/card-table.tsx'

const { columns } = apiKeys

interface Props {
  keys: readonly ApiKey[]
  onDelete: (key: ApiKey) => void
}

/** A table on wide screens; on narrow ones each row is a card. */
export function KeyTable({ keys, onDelete }: Props) {
  return (
    <table role="table" className="keys" aria-labelledby="keys">
      <ColumnHeaders
        names={[columns.name, columns.scopes, columns.expiry, columns.lastUsed, columns.created]}
        actions={columns.actions}
      />
      <tbody role="rowgroup">
        {keys.map((key) => (
          <tr key={key.id} role="row">
            <th role="rowheader" scope="row" className="keys-name">
              {key.name}
              <code className="keys-prefix">{key.prefix}…</code>
            </th>
            <Cell label={columns.scopes} isWide>
              <Rights apiKey={key} />
            </Cell>
            <Cell label={columns.expiry}>
              <Expiry at={key.expiresAt} />
            </Cell>
            <Cell label={columns.lastUsed}>
              <LastUse apiKey={key} />
            </Cell>
            <Cell label={columns.created}>
              <time dateTime={key.createdAt}>{shortDate(key.createdAt)}</time>
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

/** What the key may do, and its own limits. */
function Rights({ apiKey: { scopes, uploadsPerHour, maxBytes, uploadedBytes } }: { apiKey: ApiKey }) {
  return (
    <>
      <ul className="keys-scopes">
        {scopes.map((scope) => (
          <li key={scope} className="keys-scope">
            {apiKeys.scopes[scope]}
          </li>
        ))}
      </ul>
      {uploadsPerHour !== null && <p className="keys-detail">{apiKeys.hourly(uploadsPerHour)}</p>}
      {maxBytes !== null && (
        <p className="keys-detail">{apiKeys.usage(formatBytes(uploadedBytes), formatBytes(maxBytes))}</p>
      )}
    </>
  )
}

function Expiry({ at }: { at: string | null }) {
  if (at === null) return <span className="text-text-2">{apiKeys.noExpiry}</span>
  const isExpired = Date.parse(at) <= Date.now()
  return (
    <time dateTime={at} title={dateAndTime(at)} className={isExpired ? 'font-medium text-danger-text' : undefined}>
      {isExpired ? apiKeys.expired(shortDate(at)) : shortDate(at)}
    </time>
  )
}

function LastUse({ apiKey: { lastUsed, lastUsedFrom } }: { apiKey: ApiKey }) {
  if (lastUsed === null) return <span className="text-text-2">{apiKeys.never}</span>
  return (
    <>
      <time dateTime={lastUsed}>{shortDate(lastUsed)}</time>
      {lastUsedFrom !== null && <p className="keys-detail">{apiKeys.usedFrom(lastUsedFrom)}</p>}
    </>
  )
}
