import { saveGuestTitle } from '../../model/images/guest-images.ts'
import type { ShownImage } from '../../model/images/stored-image.ts'
import { ShareSheet } from './share-sheet.tsx'

interface Props {
  image: ShownImage
  /** The title was saved. */
  onTitle?: (title: string) => void
  onClose: () => void
}

/** The share sheet of a guest's image: its token allows the title to be changed. */
export function GuestShareSheet({ image, onTitle, onClose }: Props) {
  const canChange = image.delete_token !== undefined
  const save = async (title: string) => {
    await saveGuestTitle(image, title)
    onTitle?.(title)
  }
  return (
    <ShareSheet
      image={image}
      sources={[image.thumbnailUrl, image.url]}
      {...(canChange && { onTitle: save })}
      onClose={onClose}
    />
  )
}
