import type { Image } from '../../../contract/endpoints/images.ts'
import { shareLink } from '../../model/images/image-links.ts'
import { actions } from '../../texts/dashboard-messages.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { shownName } from '../../model/images/stored-image.ts'

interface Props {
  image: Image
  onClose: () => void
}

export function QrDialog({ image, onClose }: Props) {
  const link = shareLink(image)
  return (
    <Dialog title={actions.qr} onClose={onClose} size="small">
      <div className="grid justify-items-center gap-4 [&_.qr]:h-auto [&_.qr]:w-64 [&_.qr]:max-w-full">
        <QrCode text={link} label={actions.qrLabel(shownName(image))} />
        <a className="link text-center text-dense wrap-anywhere" href={link} target="_blank" rel="noopener noreferrer">
          {link}
        </a>
      </div>
    </Dialog>
  )
}
