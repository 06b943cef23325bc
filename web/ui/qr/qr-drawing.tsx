import { encode } from 'uqr'

/** `text` as a QR code, dark on white in every theme, because many readers cannot read inverted codes. */
export function QrDrawing({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} className="qr" shapeRendering="crispEdges">
      <path d={path.join('')} fill="#000" />
    </svg>
  )
}
