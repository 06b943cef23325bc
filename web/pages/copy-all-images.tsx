import { copyFormats } from '../features/embed/copy-formats.ts'
import { copyChoices, setLastFormat, useCopyChoice } from '../model/copy-choice.ts'
import type { ShownImage } from '../model/images/stored-image.ts'
import { CopyAll } from '../ui/copy/copy-all.tsx'
import { copiedText } from './copy-image.ts'

interface Props {
  images: readonly ShownImage[]
  isPrimary?: boolean
}

/** 'Copy all' for images that were uploaded together. */
export function CopyAllImages({ images, isPrimary = false }: Props) {
  const choice = useCopyChoice()
  const format = formats.find(({ id }) => id === choice) ?? formats[0]
  if (format === undefined) return null
  return (
    <CopyAll
      formats={formats}
      chosen={format}
      onChoose={setLastFormat}
      codesIn={(id) => images.map((image) => copiedText(image, id))}
      isPrimary={isPrimary}
    />
  )
}

/** Share pages of several images are rarely wanted, and a fifth format would not fit on a phone. */
const formats = copyChoices.flatMap((id) => {
  const label = copyFormats.find((format) => format.id === id)?.label
  return label === undefined ? [] : [{ id, label }]
})
