// The frame of a guest's pages beside the landing: what is dropped there is uploaded, and a batch goes on there.
import { Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { DropAnywhere } from '../features/upload/drop/drop-anywhere.tsx'
import { rulesOf } from '../features/upload/drop/accepted-files.ts'
import { hasGuestUploads } from '../features/upload/engine/guest-batch-mark.ts'
import type { NewUpload } from '../features/upload/engine/upload-engine.ts'
import { leaveForLanding } from '../features/upload/guest/files-for-landing.ts'
import { useSession } from '../model/session.ts'
import { uploadLimits, useSite } from '../model/site.ts'
import { paths } from '../paths.ts'
import { boundary } from '../texts/messages.ts'
import { onDemand } from '../ui/on-demand.tsx'
import { notify } from '../ui/toast/toast.ts'

const GuestQueueElsewhere = onDemand(async () => (await import('./guest-queue-elsewhere.tsx')).GuestQueueElsewhere)
const loadQueue = () => import('../features/upload/engine/guest-queue.ts')

const rules = rulesOf('guest')
const { maxFiles } = uploadLimits.guest

export function GuestFrame() {
  const [path, navigate] = useLocation()
  const isGuest = useSession().status === 'out'
  const { guestUploads } = useSite()
  // Also of a guest who has logged in before this script was loaded.
  const [hasQueue, setQueue] = useState(hasGuestUploads)
  const isElsewhere = isGuest && path !== paths.home
  if (!hasQueue && isElsewhere && hasGuestUploads()) setQueue(true)

  function take(uploads: readonly NewUpload[]): void {
    if (uploads.filter(({ refusal }) => refusal === undefined).length > maxFiles) {
      leaveForLanding(uploads.map(({ file }) => file))
      return navigate(paths.home)
    }
    Promise.all([loadQueue(), GuestQueueElsewhere.load()]).then(
      ([{ enqueueGuestFiles }]) => {
        enqueueGuestFiles(uploads)
        setQueue(true)
      },
      () => notify.error(boundary.notLoaded),
    )
  }

  return (
    <>
      {isElsewhere && <DropAnywhere rules={rules} isEnabled={guestUploads} onUploads={take} />}
      {hasQueue && (
        <Suspense>
          <GuestQueueElsewhere />
        </Suspense>
      )}
    </>
  )
}
