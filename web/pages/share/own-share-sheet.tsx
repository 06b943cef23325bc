import type { Image } from '../../../contract/endpoints/images.ts'
import { saveTexts } from '../../model/images/images.ts'
import { useSources } from '../../model/images/own-image.ts'
import { ShareSheet } from './share-sheet.tsx'

interface Props {
  image: Image
  onSaved: (image: Image) => void
  onClose: () => void
}

/** The share sheet of the user's own image. */
export function OwnShareSheet({ image, onSaved, onClose }: Props) {
  const sources = useSources(image, [image.thumbnailUrl, image.url])
  return (
    <ShareSheet
      image={image}
      sources={sources}
      onTitle={async (title) => onSaved(await saveTexts(image, { title }))}
      onClose={onClose}
    />
  )
}
