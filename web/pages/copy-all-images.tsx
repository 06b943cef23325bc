import type { ShownImage } from '../model/images/stored-image.ts'
import { copyFormats } from '../features/embed/copy-formats.ts'
import { CopyAll } from '../ui/copy/copy-all.tsx'
import { embeddable } from './embeddable.ts'

interface Props {
  images: readonly ShownImage[]
  isPrimary?: boolean
}

/** 'Copy all' for images that were uploaded together. */
export function CopyAllImages({ images, isPrimary = false }: Props) {
  const formats = shownFormats.map(({ id, label, code }) => ({
    id,
    label,
    codes: images.map((image) => code(embeddable(image))),
  }))
  return <CopyAll formats={formats} isPrimary={isPrimary} />
}

/** In the order of use. */
const shownFormats = ['url', 'markdown', 'html', 'bbcode'].flatMap((id) => copyFormats.filter((each) => each.id === id))
