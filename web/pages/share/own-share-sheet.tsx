import { useEffect, useEffectEvent } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { deletedIds, saveTexts } from '../../model/images/images.ts'
import { useSources } from '../../model/images/own-image.ts'
import { useStore } from '../../model/store.ts'
import { ShareSheet } from './share-sheet.tsx'

interface Props {
  image: Image
  /** A panel for a new upload, which goes with it. */
  isInPage?: boolean
  onSaved?: (image: Image) => void
  onClose: () => void
}

/** The share sheet of the user's own image. */
export function OwnShareSheet({ image, isInPage = false, onSaved, onClose }: Props) {
  const isDeleted = useStore(deletedIds).has(image.id)
  const closeDeleted = useEffectEvent(onClose)
  useEffect(() => {
    if (isInPage && isDeleted) closeDeleted()
  }, [isInPage, isDeleted])
  const sources = useSources(image, [image.thumbnailUrl, image.url])
  return (
    <ShareSheet
      image={image}
      sources={sources}
      onTitle={async (title) => {
        const saved = await saveTexts(image, { title })
        onSaved?.(saved)
      }}
      isInPage={isInPage}
      onClose={onClose}
    />
  )
}
