import { useEffect, useState } from 'react'
import type { Backup } from '../../../../contract/endpoints/backups.ts'
import { useStartedBackup } from './admin-backups.ts'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { timeOfDay } from '../../../format/dates.ts'
import { backups } from '../../../texts/admin/admin-messages.ts'
import { displayedFraction, remainingMs } from './backup-estimate.ts'

const tickMs = 1000
const minuteMs = 60_000

/** The progress bar of a running backup, and the estimate of its end. */
export function BackupProgress({ backup }: { backup: Backup }) {
  const now = useNow()
  const started = useStartedBackup()
  const own = started?.id === backup.id ? started : undefined
  const elapsedMs = now - (own?.startedAt ?? Date.parse(backup.created_at))
  const running = { elapsedMs, estimateMs: own?.estimateMs, percent: backup.progress ?? 0 }
  const percent = Math.floor(displayedFraction(running) * 100)
  const facts = [
    leftText(remainingMs(running)),
    backups.since(timeOfDay(backup.created_at)),
    ...(backup.size > 0 ? [backups.written(formatBytes(backup.size))] : []),
  ]
  return (
    <div className="grid gap-2">
      <div className="flex items-baseline justify-between gap-3 tabular-nums">
        <p className="font-medium">{backups.running}</p>
        <p className="text-dense text-text-2">{backups.percent(percent)}</p>
      </div>
      <div
        role="progressbar"
        className="progress"
        aria-label={backups.running}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div className="progress-fill" style={{ width: `${percent}%` }} />
      </div>
      <p className="text-meta text-text-2 tabular-nums">{facts.filter((fact) => fact !== undefined).join(', ')}</p>
    </div>
  )
}

function leftText(leftMs: number | undefined): string | undefined {
  if (leftMs === undefined) return undefined
  if (leftMs < 0) return backups.late
  return leftMs < minuteMs ? backups.lessThanMinute : backups.left(Math.ceil(leftMs / minuteMs))
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
