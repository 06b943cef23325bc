// A guest's batch on the pages beside the landing: it goes on there, and after a reload too.
import { useEffect, type ReactNode } from 'react'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { Link, useLocation } from 'wouter'
import { paths } from '../../../paths.ts'
import { gallery } from '../../../texts/gallery-messages.ts'
import { useSession } from '../../../model/session.ts'
import { useStore } from '../../../model/store.ts'
import { guestQueue, restoreGuestBatch } from '../engine/guest-queue.ts'
import { canRetry, isUnderWay } from '../engine/upload-state.ts'
import { QueueCard } from '../queue/queue-card.tsx'
import './guest-batch.css'

interface Props {
  /** Renders what can be done with the uploaded images, and with one of them in its row. */
  children: (images: readonly UploadedImage[], isRow: boolean) => ReactNode
}

export function GuestQueueCard({ children }: Props) {
  const [path] = useLocation()
  const { status } = useSession()
  const isLeft = useStore(guestQueue.store).some((item) => isUnderWay(item) || canRetry(item))
  const isLanding = path === paths.home
  // As a user, the files of an earlier visit are the user's.
  const isGuest = status === 'out'
  useEffect(() => void (isGuest && !isLanding && restoreGuestBatch()), [isGuest, isLanding])
  // The landing shows a batch that is under way itself, and lists one that is done. The dashboard offers to move it.
  const isShownElsewhere = isLanding || status === 'in'
  useEffect(() => {
    if (isShownElsewhere && !isLeft) guestQueue.clear()
  }, [isShownElsewhere, isLeft])
  if (isLanding || (isShownElsewhere && !isLeft)) return null
  return (
    <QueueCard key={status} queue={guestQueue} isAside={status === 'in'}>
      {(images, isRow) =>
        isRow ? (
          children(images, true)
        ) : (
          <div className="grid gap-3 border-t border-border px-3.5 py-2.5">
            {children(images, false)}
            <Link href={paths.home} className="link">
              {gallery.recent}
            </Link>
          </div>
        )
      }
    </QueueCard>
  )
}
