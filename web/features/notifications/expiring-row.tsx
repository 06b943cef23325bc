import { clsx } from 'clsx'
import { CalendarPlus, CircleCheck, LoaderCircle } from 'lucide-react'
import { memo } from 'react'
import { imageUrls, withKey } from '../../../contract/derive/client.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { useSources } from '../../model/images/own-image.ts'
import { shortDate } from '../../format/dates.ts'
import { expiryLabel, isExpired, isUrgent } from '../../format/expiry-texts.ts'
import { expiry, gallery } from '../../texts/gallery-messages.ts'
import { notifications } from '../../texts/notifications-messages.ts'
import { ImageWithFallback } from '../../ui/sourced-image.tsx'
import { shownName } from '../../model/images/stored-image.ts'
import type { ExpiringImage } from './expiring-rows.ts'

interface Props extends ExpiringImage {
  /** Milliseconds since 1970, in whole minutes. */
  nowMs: number
  isDisabled: boolean
  onExtend: (image: Image) => Promise<void>
}

/** Its properties are the same until something in it changes: there may be thousands of rows. */
export const ExpiringRow = memo(function ExpiringRow({ image, phase, extendedTo, nowMs, isDisabled, onExtend }: Props) {
  const now = new Date(nowMs)
  return (
    <li className={clsx('expiring-row', phase === 'leaving' && 'expiring-row-leaving')} data-id={image.id}>
      <div className="min-h-0 overflow-clip">
        <div className="expiring-row-inner">
          <Thumbnail image={image} />
          <div className="min-w-0">
            <p className="truncate font-medium" title={shownName(image)}>
              {shownName(image)}
            </p>
            <p className="mt-0.5 flex flex-wrap gap-x-2 text-meta tabular-nums">
              {extendedTo === undefined ? (
                <>
                  <span className={isUrgent(image.expires_at, now) ? 'font-medium text-danger-text' : 'text-text-2'}>
                    {expiryLabel(image.expires_at, now, expiry)}
                  </span>
                  <time className="text-text-2" dateTime={image.expires_at ?? undefined}>
                    {image.expires_at !== null && shortDate(image.expires_at)}
                  </time>
                </>
              ) : (
                <span className="font-medium text-success-text">{gallery.extendedUntil(shortDate(extendedTo))}</span>
              )}
            </p>
          </div>
          {extendedTo === undefined ? (
            <button
              type="button"
              className="btn btn-quiet btn-sm coarse:h-11"
              aria-label={phase === 'busy' ? undefined : notifications.extendNamed(shownName(image))}
              disabled={isDisabled || isExpired(image.expires_at, now)}
              // Keeps the focus, which a disabled button would lose: the page would be laid out twice before it is painted.
              aria-disabled={phase === 'busy'}
              onClick={() => phase === 'idle' && void onExtend(image)}
            >
              {phase === 'busy' ? (
                <LoaderCircle className="spin size-4" aria-hidden />
              ) : (
                <CalendarPlus className="size-4" aria-hidden />
              )}
              {phase === 'busy' ? notifications.extending : notifications.extend}
            </button>
          ) : (
            <CircleCheck className="mr-2 size-6 justify-self-end text-success-text" aria-hidden />
          )}
        </div>
      </div>
    </li>
  )
})

/** Links to the original. */
function Thumbnail({ image }: Pick<ExpiringImage, 'image'>) {
  const list = imageUrls.thumbnail('', image.id, limits.variant.listThumbnailPx)
  const sources = useSources(image, [list, image.thumbnailUrl, image.url])
  return (
    <a className="rounded-tile" href={withKey(image.url, image.view_key)} target="_blank" rel="noopener noreferrer">
      <ImageWithFallback
        className="size-14 rounded-tile bg-surface-2 object-cover"
        sources={sources}
        alt={notifications.open(shownName(image))}
        width={image.width}
        height={image.height}
      />
    </a>
  )
}
