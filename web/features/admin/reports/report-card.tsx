import { useQuery } from '@tanstack/react-query'
import { Ban, Check, EyeOff, ImageOff, Trash2, UserRoundX, type LucideIcon } from 'lucide-react'
import { clsx } from 'clsx'
import { reportReasons } from '../../../../contract/plain/report-reasons.ts'
import type { ModeratedImage } from '../../../../contract/endpoints/moderation.ts'
import type { ReportCase } from '../../../../contract/endpoints/reports.ts'
import { imagePreview, isAvailable } from '../images/admin-images.ts'
import { useSources } from '../../../model/images/own-image.ts'
import { queryClient } from '../../../model/query-client.ts'
import type { ReportAction } from './admin-reports.ts'
import { dateAndTime, shortDate } from '../../../format/dates.ts'
import { paths } from '../../../paths.ts'
import { adminReports as texts, reportDecision, reportDecisions } from '../../../texts/admin/admin-reports-messages.ts'
import { Link } from '../../../ui/link.tsx'
import { SmallButton } from '../../../ui/small-button.tsx'
import { ImageWithFallback } from '../../../ui/sourced-image.tsx'
import { useObjectUrl } from '../../../ui/use-object-url.ts'
import { searchOfImages, searchOfUsers } from '../admin-address.ts'

interface Props {
  reported: ReportCase
  isOff: boolean
  isSelected: boolean
  onSelect: () => void
  onDecide: (action: ReportAction) => void
}

const icons: Record<ReportAction, LucideIcon> = { dismiss: Check, quarantine: EyeOff, remove: Trash2, block: Ban }

/** A reported image with its reports, and the decision or the buttons for it. */
export function ReportCard({ reported, isOff, isSelected, onSelect, onDecide }: Props) {
  const { original_name: name, image, opened_at, count, reports, decision } = reported
  return (
    <li
      className="card grid gap-4 p-4 [contain:layout_style] md:p-5 @min-[44rem]/admin:grid-cols-[13rem_minmax(0,1fr)]"
      aria-label={name}
    >
      <Thumbnail reported={reported} />
      <div className="grid min-w-0 content-start gap-3">
        <div>
          <div className="flex items-start gap-2.5">
            {decision === null && (
              <input
                type="checkbox"
                className="row-check mt-[3px]"
                aria-label={texts.select(name)}
                checked={isSelected}
                onChange={onSelect}
              />
            )}
            <h3 tabIndex={-1} className="min-w-0 text-h3 wrap-anywhere">
              {name}
            </h3>
          </div>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-dense text-text-2">
            <span className="wrap-anywhere">
              {ownerOf(reported)?.email ?? (image ? texts.guest : texts.unknownOwner)}
            </span>
            <span className="tabular-nums">
              {texts.reports(count)}, {texts.since(shortDate(opened_at))}
            </span>
            <States reported={reported} />
          </p>
        </div>
        <Reports reports={reports} count={count} />
        {decision === null ? (
          <Actions reported={reported} isOff={isOff} onDecide={onDecide} />
        ) : (
          <Decided {...decision} />
        )}
      </div>
    </li>
  )
}

/** Others are shown on request, so that the decision is near the picture. */
const shownAtOnce = 3

/** @param count includes reports that are not stored */
function Reports({ reports, count }: Pick<ReportCase, 'reports' | 'count'>) {
  // Those with a comment come first.
  const sorted = reports.toSorted((a, b) => Number(b.comment !== '') - Number(a.comment !== ''))
  const others = sorted.slice(shownAtOnce)
  return (
    <div className="grid gap-3">
      <ReportList reports={sorted.slice(0, shownAtOnce)} />
      {others.length > 0 && (
        <details className="open:grid open:gap-3">
          <summary className="min-h-6 w-fit text-dense text-text-2 underline decoration-border-strong underline-offset-3 hover:decoration-current coarse:min-h-11">
            {texts.others(count - shownAtOnce)}
          </summary>
          <ReportList reports={others} />
          {count > reports.length && (
            <p className="text-dense text-text-2">{texts.notStored(count - reports.length)}</p>
          )}
        </details>
      )}
    </div>
  )
}

const ReportList = ({ reports }: Pick<ReportCase, 'reports'>) => (
  <ul className="grid gap-3">
    {reports.map((report, at) => (
      <li key={at} className="max-w-[68ch] border-l-2 border-border-strong pl-3">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-meta text-text-2">
          <span className="badge">{reportReasons[report.reason]}</span>
          <time dateTime={report.created_at}>{dateAndTime(report.created_at)}</time>
          {report.email !== null && (
            <a className="link py-1 wrap-anywhere" href={`mailto:${report.email}`}>
              {report.email}
            </a>
          )}
        </p>
        <p className={clsx('mt-1 whitespace-pre-line wrap-anywhere', report.comment === '' && 'text-text-2')}>
          {report.comment === '' ? texts.noComment : report.comment}
        </p>
      </li>
    ))}
  </ul>
)

/** The current owner; of a deleted image, the owner at the first report. */
const ownerOf = ({ image, owner }: ReportCase) => (image === null ? owner : image.owner)

const pictureClass =
  'grid aspect-[3/2] w-full max-w-80 place-items-center overflow-clip rounded-tile border border-border bg-surface-2 text-text-3'

/** Leads to the image on the tab Images, where it can be seen also when it is hidden. */
function Thumbnail({ reported: { image, original_name: name } }: Pick<Props, 'reported'>) {
  if (image === null) {
    return (
      <span className={pictureClass}>
        <ImageOff className="size-7" strokeWidth={1.5} aria-hidden />
      </span>
    )
  }
  // No list has it.
  if (isDeleted(image)) {
    return (
      <span className={pictureClass} style={{ backgroundColor: image.placeholder }}>
        <DeletedImage image={image} />
      </span>
    )
  }
  return (
    <Link
      className={pictureClass}
      to={paths.admin + searchOfImages({ q: image.id, status: undefined })}
      aria-label={texts.view(name)}
    >
      {isAvailable(image) ? (
        <ReportedImage image={image} />
      ) : (
        <EyeOff className="size-7" strokeWidth={1.5} aria-hidden />
      )}
    </Link>
  )
}

function ReportedImage({ image }: { image: ModeratedImage }) {
  const sources = useSources(image, [image.thumbnailUrl])
  return <ImageWithFallback sources={sources} alt="" className="size-full object-cover" />
}

/** Its owner, or who deleted it, can restore it. */
const isDeleted = (image: ModeratedImage) => image.restorable_until !== null

function DeletedImage({ image }: { image: ModeratedImage }) {
  const { data, isError } = useQuery(imagePreview(image.id), queryClient)
  const url = useObjectUrl(data)
  if (isError) return <ImageOff className="size-7" strokeWidth={1.5} aria-hidden />
  return url === undefined ? null : <img src={url} alt="" decoding="async" className="size-full object-cover" />
}

function States({ reported }: Pick<Props, 'reported'>) {
  const { image } = reported
  const states = [
    ...(image === null ? [texts.gone] : []),
    ...(image !== null && image.restorable_until !== null ? [texts.deleted(shortDate(image.restorable_until))] : []),
    ...(image !== null && image.quarantined_at !== null ? [texts.quarantined] : []),
    ...(ownerOf(reported)?.status === 'Inactive' ? [texts.ownerInactive] : []),
  ]
  return states.map((state) => (
    <span key={state} className="badge badge-dot" data-tone="warning">
      {state}
    </span>
  ))
}

function Actions({ reported, isOff, onDecide }: Pick<Props, 'reported' | 'isOff' | 'onDecide'>) {
  const { image, original_name: name } = reported
  const owner = ownerOf(reported)
  const offered: ReportAction[] = [
    'dismiss',
    ...(image !== null && image.quarantined_at === null ? (['quarantine'] as const) : []),
    ...(image !== null ? (['remove', 'block'] as const) : []),
  ]
  return (
    <div className="flex flex-wrap items-center gap-2">
      {offered.map((action) => {
        const { label } = reportDecisions[action]
        return (
          <SmallButton
            key={action}
            icon={icons[action]}
            text={label}
            name={reportDecision.named(label, name)}
            isDanger={action === 'remove' || action === 'block'}
            isOff={isOff}
            onPress={() => onDecide(action)}
          />
        )
      })}
      {owner?.status === 'Active' && (
        <Link
          className="link inline-flex items-center gap-1.5 px-2 py-1 text-dense coarse:min-h-11"
          to={paths.admin + searchOfUsers({ q: owner.email, role: undefined, status: undefined })}
          aria-label={texts.suspendNamed(owner.email)}
        >
          <UserRoundX className="size-4" aria-hidden />
          {texts.suspend}
        </Link>
      )}
    </div>
  )
}

function Decided({ action, note, by, decided_at }: NonNullable<ReportCase['decision']>) {
  return (
    <div className="border-t border-border pt-3 text-dense">
      <p className="font-medium">
        {action === 'image_gone'
          ? texts.closed(dateAndTime(decided_at))
          : texts.decidedBy(texts.outcomes[action], by ?? texts.deletedAdmin, dateAndTime(decided_at))}
      </p>
      {note !== '' && <p className="mt-1 whitespace-pre-line text-text-2 wrap-anywhere">{note}</p>}
    </div>
  )
}
