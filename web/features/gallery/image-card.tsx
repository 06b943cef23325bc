import { clsx } from 'clsx'
import { CalendarPlus, CodeXml, Share2, Trash2, type LucideIcon } from 'lucide-react'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import { type CopyChoice, useCopyChoice } from '../../model/copy-choice.ts'
import { type ShownImage, shownName } from '../../model/images/stored-image.ts'
import { shortDate } from '../../format/dates.ts'
import { expiresSoon, expiryLabel, expiryMs, isExpired } from '../../format/expiry-texts.ts'
import { expiry, gallery } from '../../texts/gallery-messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { CopyChoiceButton } from '../../ui/copy/copy-choice-button.tsx'
import './image-card.css'
import { ImageWithFallback } from '../../ui/sourced-image.tsx'

interface Props {
  image: ShownImage
  /** @returns whether that succeeded */
  onCopy: (choice: CopyChoice) => Promise<boolean>
  onShare: () => void
  onEmbed: () => void
  /** @returns the new expiry; null: it is kept */
  onExtend: () => Promise<string | null>
  /** Says that the image is deleted, with the offer to undo it. */
  onDelete: () => Promise<void>
}

export function ImageCard({ image, onCopy, onShare, onEmbed, onExtend, onDelete }: Props) {
  const { isBusy, run } = useAction(notify.failure)
  const copyChoice = useCopyChoice()
  const now = new Date()
  const hasExpired = isExpired(image.expires_at, now)

  return (
    <li className="card image-card" aria-busy={isBusy}>
      <a className="block focus-visible:-outline-offset-2" href={image.url} target="_blank" rel="noopener noreferrer">
        <ImageWithFallback
          key={image.thumbnailUrl}
          className={clsx('aspect-3/2 w-full bg-surface-2 object-cover', hasExpired && 'opacity-40')}
          sources={[image.thumbnailUrl, image.url]}
          alt={gallery.open(shownName(image))}
          width={image.width}
          height={image.height}
        />
      </a>
      <div className="flex flex-1 flex-col p-2.5 xs:p-3.5">
        <p className="truncate font-medium" title={shownName(image)}>
          {shownName(image)}
        </p>
        <p
          className={clsx(
            'mb-3 text-meta tabular-nums max-xs:text-caption',
            expiresSoon(image.expires_at, now) ? 'font-medium text-danger-text' : 'text-text-2',
          )}
        >
          {expiryLabel(image.expires_at, now, expiry)}
        </p>
        <div
          className="image-card-actions mt-auto flex flex-wrap items-center gap-0.5 max-xs:gap-y-1"
          role="group"
          aria-label={gallery.actionsFor(shownName(image))}
        >
          <CopyChoiceButton choice={copyChoice} onCopy={onCopy} className="btn btn-quiet btn-sm" place="xs:mr-1" />
          <IconButton icon={Share2} label={gallery.share} onClick={onShare} />
          <IconButton icon={CodeXml} label={gallery.embed} onClick={onEmbed} />
          <IconButton
            icon={CalendarPlus}
            label={gallery.extend}
            isDisabled={isBusy || hasExpired || image.expires_at === null}
            onClick={() =>
              void run(
                async () => void notify.success(extendedText(await onExtend(), now)),
                () => gallery.extendFailed,
              )
            }
          />
          <IconButton
            icon={Trash2}
            label={gallery.delete}
            isDanger
            isDisabled={isBusy}
            onClick={() => void run(onDelete, () => gallery.deleteFailed)}
          />
        </div>
      </div>
    </li>
  )
}

/** The total life of a guest's image is limited, so an extension can be shorter than a year. */
function extendedText(expiresAt: string | null, now: Date): string {
  const isYear = expiryMs(expiresAt) - now.getTime() > (limits.extensionDays - 1) * dayMs
  return isYear || expiresAt === null ? gallery.extended : gallery.extendedUntil(shortDate(expiresAt))
}

interface IconButtonProps {
  icon: LucideIcon
  label: string
  isDanger?: boolean
  isDisabled?: boolean
  onClick: () => void
}

function IconButton({ icon: Icon, label, isDanger = false, isDisabled = false, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      className={clsx('btn-icon size-8 coarse:size-11', isDanger && 'btn-icon-danger')}
      title={label}
      aria-label={label}
      disabled={isDisabled}
      onClick={onClick}
    >
      <Icon className="size-[1.125rem]" aria-hidden />
    </button>
  )
}
