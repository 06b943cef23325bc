// The result of a guest's upload: the image, its URL, embed code and QR code.
import { CodeXml, QrCode as QrIcon, Share2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type CopyChoice, useCopyChoice } from '../../../model/copy-choice.ts'
import { directLink, shareLink } from '../../../model/images/image-links.ts'
import type { ShownImage } from '../../../model/images/stored-image.ts'
import { copy, result } from '../../../texts/gallery-messages.ts'
import { CopyButton } from '../../../ui/copy/copy-button.tsx'
import { CopyChoiceButton } from '../../../ui/copy/copy-choice-button.tsx'
import { QrCode } from '../../../ui/qr/qr-code.tsx'

interface Props {
  image: ShownImage
  preview: string
  expiry: string
  /** The codes that have a button of their own. */
  codes: readonly { id: CopyChoice; label: string }[]
  /** @returns whether that succeeded */
  onCopy: (choice: CopyChoice) => Promise<boolean>
  onShare: () => void
  onEmbed: () => void
  onAgain: () => void
}

export function UploadResult({ image, preview, expiry, codes, onCopy, onShare, onEmbed, onAgain }: Props) {
  const [isQrShown, setQrShown] = useState(false)
  const choice = useCopyChoice()
  const link = choice === 'page' ? shareLink(image) : directLink(image)
  return (
    <div className="grid gap-4 p-1.5">
      <div className="grid h-56 grid-rows-[minmax(0,1fr)] place-items-center rounded-card bg-surface-2 p-3">
        <img className="dropped-picture max-h-full max-w-full rounded-badge" src={preview} alt={image.original_name} />
      </div>
      <div className="grid gap-3 pb-1">
        <h2 className="text-h3">{result.title}</h2>
        <div className="flex flex-col gap-2">
          <UrlField url={link} />
          <div className="flex flex-wrap gap-2">
            <CopyChoiceButton choice={choice} onCopy={onCopy} className="btn btn-quiet" place="max-xs:flex-1" />
            <button type="button" className="btn btn-primary max-xs:flex-1" onClick={onShare}>
              <Share2 className="size-4" aria-hidden />
              {result.share}
            </button>
          </div>
        </div>
        <div className="flex flex-wrap gap-2" role="group" aria-label={result.copyAs}>
          {codes.map(({ id, label }) => (
            <CopyButton
              key={id}
              className="btn btn-quiet btn-sm"
              icon={null}
              copied={copy.copied}
              onCopy={() => onCopy(id)}
            >
              {label}
            </CopyButton>
          ))}
          <button
            type="button"
            className="btn btn-quiet btn-sm"
            aria-expanded={isQrShown}
            onClick={() => setQrShown(!isQrShown)}
          >
            <QrIcon className="size-4" aria-hidden />
            {result.qr}
          </button>
          <button type="button" className="btn btn-quiet btn-sm" onClick={onEmbed}>
            <CodeXml className="size-4" aria-hidden />
            {result.embed}
          </button>
        </div>
        {isQrShown && <QrCode text={link} label={result.qrLabel} />}
        <div className="mt-1 -mb-1 flex flex-wrap items-center justify-between gap-x-3 border-t border-border pt-2">
          <p className="text-meta text-text-2">{expiry}</p>
          <button type="button" className="btn btn-ghost -mr-3 px-3 text-accent-text" onClick={onAgain}>
            {result.another}
          </button>
        </div>
      </div>
    </div>
  )
}

/** Focused and selected when it appears, so that Ctrl+C works at once. */
function UrlField({ url }: { url: string }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus({ preventScroll: true })
    field.current?.select()
  }, [])
  return (
    <input
      ref={field}
      className="field font-mono text-dense"
      readOnly
      value={url}
      aria-label={result.url}
      onFocus={({ target }) => target.select()}
    />
  )
}
