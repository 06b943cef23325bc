// What shares an image, of the logged-in user or of a guest: as a sheet, or as a panel in the page.
import { type ReactNode, useMemo } from 'react'
import { codeFormats } from '../../features/embed/code-formats.ts'
import { copyFormats } from '../../features/embed/copy-formats.ts'
import { embedCodeOf } from '../../features/embed/embed-code.ts'
import { ShareDialog } from '../../features/share/share-dialog.tsx'
import { SharePanel } from '../../features/share/share-panel.tsx'
import { shareLink } from '../../model/images/image-links.ts'
import { copyAs } from '../../texts/gallery-messages.ts'
import { type Embeddable, embeddable } from '../embeddable.ts'

interface Props {
  image: Embeddable
  /** Of the image, best first. */
  sources: readonly string[]
  onTitle?: (title: string) => Promise<void>
  isInPage?: boolean
  privateShare?: ReactNode
  onClose: () => void
}

export function ShareSheet({ image, isInPage = false, ...rest }: Props) {
  const { id, original_name: name, title = '', width, height } = image
  const formatsOf = useMemo(() => (changed: string) => shareFormats({ ...image, title: changed }), [image])
  const Frame = isInPage ? SharePanel : ShareDialog
  return <Frame image={{ id, name, title, width, height }} link={shareLink(image)} formatsOf={formatsOf} {...rest} />
}

function shareFormats(image: Embeddable) {
  const embedded = embeddable(image)
  return [
    ...linkOrder.map((id) => ({
      id,
      label: copyAs.choices[id],
      isEmbed: false,
      code: copyFormats.find((format) => format.id === id)?.code(embedded) ?? embedded.url,
    })),
    ...codeFormats.map((format) => ({
      id: `embed-${format.id}`,
      label: format.label,
      isEmbed: true,
      code: embedCodeOf(format, embedded, location.origin),
    })),
  ]
}

const linkOrder = ['url', 'markdown', 'bbcode', 'html'] as const
