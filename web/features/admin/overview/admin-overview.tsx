import { useQuery } from '@tanstack/react-query'
import {
  ChevronRight,
  CircleArrowUp,
  DatabaseBackup,
  Flag,
  HardDrive,
  Images,
  TriangleAlert,
  UserCheck,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { troubleOf } from '../../../model/api-error.ts'
import type { DatabaseStats } from '../../../../contract/endpoints/operations.ts'
import { useOpenReportCount } from '../../../model/open-reports.ts'
import { databaseStats, userStats } from './instance-stats.ts'
import { queryClient } from '../../../model/query-client.ts'
import { ago } from '../../../format/ago.ts'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { dateAndTime } from '../../../format/dates.ts'
import { paths } from '../../../paths.ts'
import { admin, overview } from '../../../texts/admin/admin-messages.ts'
import { adminReports } from '../../../texts/admin/admin-reports-messages.ts'
import { DayChart } from '../../../ui/charts/day-chart.tsx'
import { BackupProgress } from '../backups/backup-progress.tsx'
import { Link } from '../../../ui/link.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Skeletons } from '../../../ui/list-panel/skeletons.tsx'
import { searchOfTab } from '../admin-address.ts'
import { StorageCard } from './storage-card.tsx'
import { StartBackupButton, useStartBackup } from '../backups/start-backup-button.tsx'
import { FieldProblem } from '../../../ui/forms/field-problem.tsx'

/** The figures of the instance: accounts, images, storage, the last backup. */
export function AdminOverview() {
  const { data: stats, status, error, refetch } = useQuery(databaseStats, queryClient)
  return (
    <div className="grid gap-4" aria-busy={status === 'pending'}>
      <OpenReports />
      {stats !== undefined && <Notices stats={stats} />}
      {status === 'error' && (
        <LoadFailure title={overview.failed} {...troubleOf(error)} onRetry={refetch} isBar={stats !== undefined} />
      )}
      {status === 'pending' ? (
        <>
          <div className="figures">
            <Skeletons count={5} className="h-28" />
          </div>
          <div className="skeleton h-96" aria-hidden />
        </>
      ) : (
        <dl className="figures" aria-label={overview.figures}>
          {stats === undefined ? <BackupFigure lastBackup={undefined} /> : <Figures stats={stats} />}
        </dl>
      )}
      {stats !== undefined && (
        <div className="pictures">
          <ChartCard
            title={overview.uploads}
            column={overview.columns.uploads}
            textOf={overview.uploadCount}
            none={overview.noUploads}
            days={stats.uploadsPerDay.map(({ date, uploads }) => ({ date, value: uploads }))}
          />
          <StorageCard stats={stats} />
          {stats.viewsPerDay.length > 0 && (
            <ChartCard
              title={overview.views}
              column={overview.columns.views}
              textOf={overview.viewCount}
              none={overview.noViews}
              days={stats.viewsPerDay.map(({ date, views }) => ({ date, value: views }))}
            />
          )}
        </div>
      )}
      {stats !== undefined && <p className="text-meta text-text-3">{overview.version(stats.version)}</p>}
    </div>
  )
}

interface ChartProps {
  title: string
  column: string
  textOf: (value: number) => string
  none: string
  days: { date: string; value: number }[]
}

function ChartCard({ title, ...chart }: ChartProps) {
  const titleId = useId()
  return (
    <section className="card admin-card" aria-labelledby={titleId}>
      <h2 id={titleId} className="text-h3">
        {title}
      </h2>
      <DayChart {...chart} labelledBy={titleId} />
      <p className="mt-3 text-meta text-text-2">{overview.utc}</p>
    </section>
  )
}

/** Leads to the reports that wait for a decision. */
function OpenReports() {
  const count = useOpenReportCount()
  if (count === 0) return null
  return (
    <Link to={paths.admin + searchOfTab('reports')} className="card open-reports">
      <Flag className="size-4.5 shrink-0 text-danger-text" aria-hidden />
      {adminReports.count.open(count)}
      <ChevronRight className="ml-auto size-4 shrink-0 text-text-3" aria-hidden />
    </Link>
  )
}

/** A newer release, and warnings about settings. */
function Notices({ stats: { warnings, version, newerVersion } }: { stats: DatabaseStats }) {
  return (
    <>
      {newerVersion !== null && (
        <p className="flex gap-3 rounded-card bg-accent-soft px-4 py-3 text-dense text-accent-text" role="status">
          <CircleArrowUp className="size-4.5 shrink-0" aria-hidden />
          {overview.newerVersion(newerVersion, version)}
        </p>
      )}
      {warnings.length > 0 && (
        <ul className="grid gap-2" aria-label={overview.warnings}>
          {warnings.map((code) => (
            <li key={code} className="flex gap-3 rounded-card bg-warning-soft px-4 py-3 text-dense text-warning-text">
              <TriangleAlert className="size-4.5 shrink-0" aria-hidden />
              {overview.warningTexts[code]}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Figures({ stats }: { stats: DatabaseStats }) {
  const { data: users } = useQuery(userStats, queryClient)
  const { totalImages, totalStorage } = stats
  return (
    <>
      <Figure
        label={overview.totalUsers}
        icon={Users}
        value={admin.number(stats.totalUsers)}
        text={users && `${overview.newUsers(users.newUsersLast30Days)}, ${overview.admins(users.admins)}`}
      />
      <Figure
        label={overview.activeUsers}
        icon={UserCheck}
        value={admin.number(stats.activeUsers)}
        text={overview.inactiveUsers(stats.totalUsers - stats.activeUsers)}
      />
      <Figure
        label={overview.totalImages}
        icon={Images}
        value={admin.number(totalImages - stats.trashedImages)}
        text={overview.imagesOf(stats.guestImages)}
      />
      <Figure
        label={overview.storage}
        icon={HardDrive}
        value={formatBytes(totalStorage)}
        text={totalImages === 0 ? overview.noImages : overview.average(formatBytes(totalStorage / totalImages))}
      />
      <BackupFigure lastBackup={stats.lastBackup} />
    </>
  )
}

/** Shown also when the figures could not be loaded. @param lastBackup undefined when it is unknown */
function BackupFigure({ lastBackup }: { lastBackup: string | null | undefined }) {
  const starting = useStartBackup()
  const { refusal, running } = starting
  const isNever = lastBackup === undefined || lastBackup === null
  const value = lastBackup === undefined ? '–' : lastBackup === null ? overview.never : ago(lastBackup, Date.now())
  return (
    <Figure
      label={overview.lastBackup}
      icon={DatabaseBackup}
      value={value}
      text={lastBackup === undefined ? undefined : isNever ? overview.noBackup : dateAndTime(lastBackup)}
    >
      <div className="grid gap-3">
        {running && <BackupProgress backup={running} />}
        <StartBackupButton className="btn-quiet btn-sm justify-self-start coarse:h-11" state={starting} />
      </div>
      {refusal !== undefined && (
        <div className="mt-2">
          <FieldProblem text={refusal} />
        </div>
      )}
    </Figure>
  )
}

interface Props {
  label: string
  icon: LucideIcon
  value: string
  /** Explains the value, below it. */
  text?: string | undefined
  children?: ReactNode
}

function Figure({ label, icon: Icon, value, text, children }: Props) {
  return (
    <div className="card figure">
      <dt className="figure-label flex items-center justify-between gap-2 text-dense font-medium text-text-2">
        {label}
        <Icon className="size-4.5 shrink-0 text-text-3" aria-hidden />
      </dt>
      <dd className="figure-value">{value}</dd>
      {text !== undefined && <dd className="text-meta text-text-2 tabular-nums">{text}</dd>}
      {children !== undefined && <dd className="figure-more">{children}</dd>}
    </div>
  )
}
