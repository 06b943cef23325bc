// The queue of a logged-in user.
import { useEffect, type ReactNode } from 'react'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { userQueue } from '../engine/upload-queue.ts'
import { FolderAlbums } from './folder-albums.tsx'
import { QueueCard } from './queue-card.tsx'

interface Props {
  userId: string
  /** Renders what can be done with the uploaded images, and with one of them in its row. */
  children: (images: readonly UploadedImage[], isRow: boolean) => ReactNode
}

export function UploadQueue({ userId, children }: Props) {
  useEffect(() => void userQueue.restore(), [userId])
  return (
    <QueueCard queue={userQueue} choices={<FolderAlbums />}>
      {children}
    </QueueCard>
  )
}
