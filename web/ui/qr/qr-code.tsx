import { Suspense } from 'react'
import { onDemand } from '../on-demand.tsx'

const QrDrawing = onDemand(async () => (await import('./qr-drawing.tsx')).QrDrawing)

interface Props {
  text: string
  /** What it leads to, for screen readers. */
  label: string
}

/** A QR code, and its place while the script that draws it loads. */
export const QrCode = (props: Props) => (
  <Suspense fallback={<div className="qr" />}>
    <QrDrawing {...props} />
  </Suspense>
)
