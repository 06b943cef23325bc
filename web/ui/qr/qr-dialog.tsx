import { QrCode } from './qr-code.tsx'
import { Dialog } from '../dialog/dialog.tsx'

interface Props {
  title: string
  link: string
  /** What it leads to, for screen readers. */
  label: string
  onClose: () => void
}

/** A link as a QR code, for the camera of a phone. */
export const QrDialog = ({ title, link, label, onClose }: Props) => (
  <Dialog title={title} onClose={onClose} size="small">
    <div className="grid justify-items-center gap-4 [&_.qr]:h-auto [&_.qr]:w-64 [&_.qr]:max-w-full">
      <QrCode text={link} label={label} />
      <a className="link text-center text-dense wrap-anywhere" href={link} target="_blank" rel="noopener noreferrer">
        {link}
      </a>
    </div>
  </Dialog>
)
