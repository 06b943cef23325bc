import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { copy } from '../../texts/gallery-messages.ts'
import { share as texts } from '../../texts/share-messages.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { QrCode } from '../../ui/qr/qr-code.tsx'

export interface ShareFormat {
  id: string
  label: string
  /** For a program or a site, rather than for a message. */
  isEmbed: boolean
  code: string
}

interface Props {
  formats: readonly ShareFormat[]
  /** Id of the one that was used last. */
  last: string | undefined
  link: string
  name: string
  onCopy: (format: ShareFormat) => Promise<boolean>
}

/** Everything but the link: closed until it is asked for. */
export function MoreFormats({ formats, link, name, ...rest }: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="share-more">
      <button
        type="button"
        className="btn btn-ghost share-more-button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {texts.more}
        <ChevronDown className="size-4" aria-hidden />
      </button>
      <div id={id} className="share-more-panel" hidden={!isOpen}>
        {isOpen && (
          <>
            <div className="grid min-w-0 content-start gap-4">
              <Formats title={texts.links} formats={formats.filter(({ isEmbed }) => !isEmbed)} {...rest} />
              <Formats title={texts.embed} formats={formats.filter(({ isEmbed }) => isEmbed)} {...rest} />
            </div>
            <figure className="share-qr">
              <QrCode text={link} label={texts.qrLabel(name)} />
              <figcaption className="text-meta text-text-2">{texts.qr}</figcaption>
            </figure>
          </>
        )}
      </div>
    </div>
  )
}

interface FormatsProps extends Pick<Props, 'formats' | 'last' | 'onCopy'> {
  title: string
}

function Formats({ title, formats, last, onCopy }: FormatsProps) {
  const id = useId()
  // The one that was used last is the first.
  const sorted = formats.toSorted((a, b) => Number(b.id === last) - Number(a.id === last))
  return (
    <div role="group" aria-labelledby={id}>
      <p id={id} className="mb-2 text-meta font-medium">
        {title}
      </p>
      <div className="flex flex-wrap gap-2">
        {sorted.map((format) => (
          <CopyButton
            key={format.id}
            className="btn btn-quiet btn-sm coarse:h-11"
            icon={null}
            copied={copy.copied}
            onCopy={() => onCopy(format)}
          >
            {format.label}
          </CopyButton>
        ))}
      </div>
    </div>
  )
}
