import { kindOf, statusName } from './http-statuses.ts'

export function StatusBadge({ status }: { status: number }) {
  return (
    <span className={`docs-status docs-status-${kindOf(status)}`}>
      {status} {statusName(status)}
    </span>
  )
}
