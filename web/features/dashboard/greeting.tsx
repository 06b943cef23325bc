import type { User } from '../../../contract/endpoints/accounts.ts'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { dashboard } from '../../texts/gallery-messages.ts'
import { QuotaBar } from '../../ui/quota-bar.tsx'

/** The account and what it stores. */
export function Greeting({ user }: { user: User }) {
  const { email, imageCount, imageBytes, quota } = user
  const size = formatBytes(imageBytes)
  return (
    <div className="greeting">
      <h1 className="truncate text-h3" title={email}>
        {dashboard.hello(email)}
      </h1>
      <div className="flex min-w-0 items-center gap-x-3">
        <p className="max-w-full shrink-0 truncate text-dense text-text-2 tabular-nums">
          {dashboard.figures(imageCount, quota.bytes === 0 ? size : dashboard.usage(size, formatBytes(quota.bytes)))}
        </p>
        {imageCount > 0 && <UsedQuota user={user} />}
      </div>
    </div>
  )
}

/** Of the two limits, storage and number of images, the one that is used more. */
function UsedQuota({ user: { imageCount, imageBytes, quota } }: { user: User }) {
  const shareOf = (used: number, limit: number) => (limit === 0 ? 0 : used / limit)
  const isByCount = shareOf(imageCount, quota.images) > shareOf(imageBytes, quota.bytes)
  const bar = isByCount
    ? {
        used: imageCount,
        limit: quota.images,
        label: dashboard.imageQuota,
        text: dashboard.imagesUsed(imageCount, quota.images),
      }
    : {
        used: imageBytes,
        limit: quota.bytes,
        label: dashboard.quota,
        text: dashboard.usage(formatBytes(imageBytes), formatBytes(quota.bytes)),
      }
  return <QuotaBar {...bar} className="w-28 min-w-0 shrink" />
}
