import { useEffect, useEffectEvent, useState } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { deletedIds, saveTexts } from '../../model/images/change-images.ts'
import { useSources } from '../../model/images/own-image.ts'
import { createPrivateLink, endPrivateLinks, isPrivate, setVisibility } from '../../model/images/visibility.ts'
import { useStore } from '../../model/store.ts'
import { PrivateShare } from '../../features/share/private-share.tsx'
import { ShareSheet } from './share-sheet.tsx'

interface Props {
  image: Image
  /** A panel for a new upload, which goes with it. */
  isInPage?: boolean
  onSaved?: (image: Image) => void
  onClose: () => void
}

/** The share sheet of the user's own image. */
export function OwnShareSheet({ image: opened, isInPage = false, onSaved, onClose }: Props) {
  const [image, setImage] = useState(opened)
  const isDeleted = useStore(deletedIds).has(image.id)
  const closeDeleted = useEffectEvent(onClose)
  useEffect(() => {
    if (isInPage && isDeleted) closeDeleted()
  }, [isInPage, isDeleted])
  const sources = useSources(image, [image.thumbnailUrl, image.url])
  function save(saved: Image): void {
    setImage(saved)
    onSaved?.(saved)
  }

  return (
    <ShareSheet
      image={image}
      sources={sources}
      onTitle={async (title) => save(await saveTexts(image, { title }))}
      privateShare={
        isPrivate(image) ? (
          <PrivateShare
            createLink={(days) => createPrivateLink(image, days)}
            endLinks={async () => save(await endPrivateLinks(image))}
            makePublic={async () => (await setVisibility([image], 'public')).forEach(save)}
          />
        ) : undefined
      }
      isInPage={isInPage}
      onClose={onClose}
    />
  )
}
