import { useId } from 'react'
import type { DatabaseStats } from '../../../../contract/endpoints/operations.ts'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { overview } from '../../../texts/admin/admin-messages.ts'
import { QuotaBar } from '../../../ui/quota-bar.tsx'

/** The storage of users' and guests' images, and what a cleanup would free. */
export function StorageCard({ stats }: { stats: DatabaseStats }) {
  const titleId = useId()
  const { totalImages, totalStorage, storageLimit, guestImages, guestBytes, guestStorageLimit } = stats
  const { expiredImages, expiredBytes, trashedImages, trashedBytes, variants } = stats
  const owners = [
    { of: 'registered', images: totalImages - guestImages, bytes: totalStorage - guestBytes, limit: 0 },
    { of: 'guests', images: guestImages, bytes: guestBytes, limit: guestStorageLimit },
  ] as const
  return (
    <section className="card admin-card" aria-labelledby={titleId}>
      <h2 id={titleId} className="text-h3">
        {overview.storageBy}
      </h2>
      <div className="owners-bar" aria-hidden>
        {owners.map(({ of, bytes }) => (
          <span key={of} className="owners-part" data-of={of} style={{ flexGrow: bytes }} hidden={bytes === 0} />
        ))}
      </div>
      <dl className="grid gap-4">
        {owners.map(({ of, images, bytes, limit }) => (
          <div key={of} className="grid grid-cols-[1fr_auto] justify-between gap-x-3">
            <dt className="flex items-center gap-2.5 font-medium">
              <span className="owners-part size-2.5 rounded-full" data-of={of} aria-hidden />
              {overview[of]}
            </dt>
            <dd className="font-medium tabular-nums">
              {overview.share(totalStorage === 0 ? 0 : Math.round((100 * bytes) / totalStorage))}
            </dd>
            <dd className="owner-text">{overview.storageOf(images, sizeOf(bytes, limit))}</dd>
            {limit > 0 && (
              <dd className="owner-text pt-2">
                <QuotaBar used={bytes} limit={limit} label={overview.guestLimit} text={sizeOf(bytes, limit)} />
              </dd>
            )}
          </div>
        ))}
      </dl>
      <dl className="mt-5 grid gap-3 border-t border-border pt-5">
        {storageLimit > 0 && (
          <div>
            <dt className="text-meta text-text-2">{overview.storageLimit}</dt>
            <dd className="text-dense font-medium tabular-nums">{sizeOf(totalStorage, storageLimit)}</dd>
            <dd className="pt-2">
              <QuotaBar
                used={totalStorage}
                limit={storageLimit}
                label={overview.storageLimit}
                text={sizeOf(totalStorage, storageLimit)}
              />
            </dd>
          </div>
        )}
        <Rest label={overview.expired} value={overview.storageOf(expiredImages, formatBytes(expiredBytes))} />
        {trashedImages > 0 && (
          <Rest label={overview.trashed} value={overview.storageOf(trashedImages, formatBytes(trashedBytes))} />
        )}
        <Rest label={overview.variants} value={overview.filesOf(variants.files, formatBytes(variants.bytes))} />
      </dl>
    </section>
  )
}

/** With its limit, unless that is 0. */
const sizeOf = (bytes: number, limit: number) =>
  limit === 0 ? formatBytes(bytes) : overview.of(formatBytes(bytes), formatBytes(limit))

const Rest = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt className="text-meta text-text-2">{label}</dt>
    <dd className="text-dense font-medium tabular-nums">{value}</dd>
  </div>
)
