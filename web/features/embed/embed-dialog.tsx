import { Copy } from 'lucide-react'
import { copyText } from '../../notify/copy.ts'
import { copy, embed } from '../../notify/gallery-messages.ts'
import { common } from '../../notify/messages.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formats, type EmbeddedImage } from './formats.ts'

interface Props {
  image: EmbeddedImage
  onClose: () => void
}

export function EmbedDialog({ image, onClose }: Props) {
  return (
    <Dialog title={embed.title} closeLabel={common.close} onClose={onClose}>
      <p className="-mt-3 truncate text-dense text-text-2">{image.name}</p>
      {formats.map(({ id, label, code }) => (
        <section key={id} className="grid gap-2" aria-label={label}>
          <div className="flex items-center justify-between">
            <h3 className="font-semibold">{label}</h3>
            <CopyButton
              className="btn btn-quiet btn-sm"
              icon={<Copy className="size-4" aria-hidden />}
              copied={copy.copied}
              onCopy={() => copyText(code(image), copy.code(label))}
            >
              {copy.action}
              <span className="sr-only">{label}</span>
            </CopyButton>
          </div>
          <pre className="code">{code(image)}</pre>
        </section>
      ))}
    </Dialog>
  )
}
