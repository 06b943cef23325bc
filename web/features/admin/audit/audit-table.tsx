import type { ReactNode } from 'react'
import type { AuditEntry } from '../../../../contract/endpoints/audit.ts'
import { auditActions, type OtherActor, otherActors } from '../../../../contract/plain/audit-actions.ts'
import { exactTime } from '../../../format/dates.ts'
import { audit } from '../../../texts/admin/admin-messages.ts'
import { detailsText } from './admin-audit.ts'
import { CardRow, CardTable, Cell } from '../../../ui/card-table.tsx'

interface Props {
  entries: readonly AuditEntry[]
  onActor: (actor: string) => void
  onTarget: (target: string) => void
}

const { columns } = audit

export const AuditTable = ({ entries, ...rest }: Props) => (
  <CardTable
    className="audit-table"
    label={audit.title}
    columns={[columns.time, columns.action, columns.actor, columns.target, columns.address, columns.details]}
  >
    {entries.map((entry) => (
      <Row key={entry.id} entry={entry} {...rest} />
    ))}
  </CardTable>
)

function Row({ entry, onActor, onTarget }: Omit<Props, 'entries'> & { entry: AuditEntry }) {
  const { created_at: at, action, actor, actor_email: email, target, target_label: label, address } = entry
  const details = detailsText(entry.details)
  return (
    <CardRow head={<time dateTime={at}>{exactTime(at)}</time>}>
      <Cell label={columns.action}>{auditActions[action].label}</Cell>
      <Cell label={columns.actor}>
        <FilterButton name={audit.onlyActor(email ?? actor)} onPress={() => onActor(actor)}>
          {email ?? otherActors[actor as OtherActor] ?? <Id id={actor} />}
        </FilterButton>
      </Cell>
      <Cell label={columns.target}>
        {target === null ? (
          (label ?? audit.unknown)
        ) : (
          <FilterButton name={audit.onlyTarget(label ?? target)} onPress={() => onTarget(target)}>
            {label ?? <Id id={target} />}
          </FilterButton>
        )}
      </Cell>
      <Cell label={columns.address}>{address ?? audit.unknown}</Cell>
      <Cell label={columns.details} isWide>
        {details === '' ? audit.unknown : <Details text={details} />}
      </Cell>
    </CardRow>
  )
}

const Id = ({ id }: { id: string }) => <code className="font-mono text-meta">{id}</code>

/** Shows only the entries of the actor or target that it names. */
function FilterButton({ name, onPress, children }: { name: string; onPress: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      className="min-h-6 cursor-pointer text-left wrap-anywhere underline decoration-border-strong underline-offset-3 hover:decoration-current coarse:min-h-11"
      aria-label={name}
      onClick={onPress}
    >
      {children}
    </button>
  )
}

/** Characters that are shown without opening. */
const shownLength = 90

function Details({ text }: { text: string }) {
  if (text.length <= shownLength) return text
  return (
    <details className="group">
      <summary className="min-h-6 cursor-pointer group-open:text-text-2">{text.slice(0, shownLength)}…</summary>
      {text}
    </details>
  )
}
