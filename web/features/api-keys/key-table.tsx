import { Trash2 } from 'lucide-react'
import type { ApiKey } from '../../../contract/endpoints/api-keys.ts'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { dateAndTime, shortDate } from '../../format/dates.ts'
import { apiKeys } from '../../texts/api-keys-messages.ts'
import { CardRow, CardTable, Cell } from '../../ui/card-table.tsx'
import { SmallButton } from '../../ui/small-button.tsx'

const { columns } = apiKeys

interface Props {
  keys: readonly ApiKey[]
  onDelete: (key: ApiKey) => void
}

export const KeyTable = ({ keys, onDelete }: Props) => (
  <CardTable
    className="keys"
    label={apiKeys.list}
    columns={[columns.name, columns.scopes, columns.expiry, columns.lastUsed, columns.created]}
    actions={columns.actions}
  >
    {keys.map((key) => (
      <CardRow
        key={key.id}
        head={
          <>
            {key.name}
            <code className="block font-mono text-meta font-normal text-text-2">{key.prefix}…</code>
          </>
        }
        actions={
          <SmallButton
            icon={Trash2}
            text={apiKeys.delete}
            name={apiKeys.deleteNamed(key.name)}
            isGhost
            isDanger
            onPress={() => onDelete(key)}
          />
        }
      >
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
      </CardRow>
    ))}
  </CardTable>
)

/** What the key may do, and its own limits. */
function Rights({ apiKey: { scopes, uploadsPerHour, maxBytes, uploadedBytes } }: { apiKey: ApiKey }) {
  return (
    <>
      <ul className="flex gap-1">
        {scopes.map((scope) => (
          <li key={scope} className="badge">
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
