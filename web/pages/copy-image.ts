// Copying an image in the chosen way, for the dashboard and for guests.
import { copyFormats } from '../features/embed/copy-formats.ts'
import { type CopyChoice, setLastFormat } from '../model/copy-choice.ts'
import { shareLink } from '../model/images/image-links.ts'
import { isPrivate } from '../model/images/visibility.ts'
import { selection } from '../texts/dashboard-messages.ts'
import { copy, copyAs } from '../texts/gallery-messages.ts'
import { copyText } from '../ui/copy/copy-text.ts'
import { type Embeddable, embeddable } from './embeddable.ts'

export function copiedText(image: Embeddable, choice: CopyChoice): string {
  if (choice === 'page') return shareLink(image)
  return copyFormats.find(({ id }) => id === choice)?.code(embeddable(image)) ?? image.url
}

/** Copies an image and remembers how. @param done the toast for an address */
export function copyImage(image: Embeddable, choice: CopyChoice, done = copy.url): Promise<boolean> {
  setLastFormat(choice)
  if (isPrivate(image)) return copyText(copiedText(image, choice), copy.private)
  const isAddress = choice === 'url' || choice === 'page'
  return copyText(copiedText(image, choice), isAddress ? done : copy.code(copyAs.choices[choice]))
}

/** Copies several images in the chosen way, one a line. */
export const copyImages = (images: readonly Embeddable[], choice: CopyChoice): Promise<boolean> =>
  copyText(
    images.map((image) => copiedText(image, choice)).join('\n'),
    selection.copied(images.length, selection.formats[choice]),
  )
