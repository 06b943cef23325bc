// Copies the codes of several images, one a line, in the chosen format.
import { clsx } from 'clsx'
import { Copy } from 'lucide-react'
import { useId } from 'react'
import { uploadQueue as text } from '../../texts/upload-messages.ts'
import { CopyButton } from './copy-button.tsx'
import { copyText } from './copy-text.ts'
import './copy-all.css'

interface Props<Id extends string> {
  formats: readonly { id: Id; label: string }[]
  chosen: { id: Id; label: string }
  onChoose: (id: Id) => void
  /** Of all images, in their order, in the chosen format. */
  codes: readonly string[]
  isPrimary: boolean
}

export function CopyAll<Id extends string>({ formats, chosen, onChoose, codes, isPrimary }: Props<Id>) {
  const name = useId()
  const copied = text.copied(codes.length, chosen.label)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="segments copy-formats" role="radiogroup" aria-label={text.copyAs}>
        {formats.map(({ id, label }) => (
          <label key={id} className="segment">
            <input
              className="sr-only"
              type="radio"
              name={name}
              checked={id === chosen.id}
              onChange={() => onChoose(id)}
            />
            {label}
          </label>
        ))}
      </div>
      <CopyButton
        className={clsx('btn flex-1', isPrimary ? 'btn-primary' : 'btn-quiet btn-sm')}
        icon={<Copy className="size-4" aria-hidden />}
        copied={copied}
        onCopy={() => copyText(codes.join('\n'), copied)}
      >
        {text.copyAll}
      </CopyButton>
    </div>
  )
}
