// Copies the codes of several images, one a line, in the format that was used last.
import { clsx } from 'clsx'
import { Copy } from 'lucide-react'
import { useId, useState } from 'react'
import { readStored, writeStored } from '../../model/storage.ts'
import { uploadQueue as text } from '../../texts/upload-messages.ts'
import { CopyButton } from './copy-button.tsx'
import { copyText } from './copy-text.ts'

interface CopyFormat {
  id: string
  label: string
  /** Of all images, in their order. */
  codes: readonly string[]
}

const key = 'copy_as'

export function CopyAll({ formats, isPrimary = false }: { formats: readonly CopyFormat[]; isPrimary?: boolean }) {
  const name = useId()
  const [chosen, setChosen] = useState(() => readStored(key))
  const format = formats.find(({ id }) => id === chosen) ?? formats[0]
  if (format === undefined) return null
  const copied = text.copied(format.codes.length, format.label)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="segments" role="radiogroup" aria-label={text.copyAs}>
        {formats.map(({ id, label }) => (
          <label key={id} className="segment">
            <input
              className="sr-only"
              type="radio"
              name={name}
              checked={id === format.id}
              onChange={() => {
                setChosen(id)
                writeStored(key, id)
              }}
            />
            {label}
          </label>
        ))}
      </div>
      <CopyButton
        className={clsx('btn flex-1', isPrimary ? 'btn-primary' : 'btn-quiet btn-sm')}
        icon={<Copy className="size-4" aria-hidden />}
        copied={copied}
        onCopy={() => copyText(format.codes.join('\n'), copied)}
      >
        {text.copyAll}
      </CopyButton>
    </div>
  )
}
