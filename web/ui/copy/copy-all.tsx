// Copies the codes of several images, one a line: in the format that is pressed, or in the chosen one.
import { clsx } from 'clsx'
import { Copy } from 'lucide-react'
import { useId, useRef } from 'react'
import { uploadQueue as text } from '../../texts/upload-messages.ts'
import { CopyButton } from './copy-button.tsx'
import { copyText } from './copy-text.ts'
import './copy-all.css'

interface Props<Id extends string> {
  formats: readonly { id: Id; label: string }[]
  chosen: { id: Id; label: string }
  onChoose: (id: Id) => void
  /** Of all images, in their order. */
  codesIn: (format: Id) => readonly string[]
  isPrimary: boolean
}

export function CopyAll<Id extends string>({ formats, chosen, onChoose, codesIn, isPrimary }: Props<Id>) {
  const name = useId()
  const isKeyDown = useRef(false)
  const copy = ({ id, label }: { id: Id; label: string }) => {
    const codes = codesIn(id)
    return copyText(codes.join('\n'), text.copied(codes.length, label), 'copied-all')
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="segments copy-formats" role="radiogroup" aria-label={text.copyAs}>
        {formats.map((format) => (
          <label key={format.id} className="segment">
            <input
              className="sr-only"
              type="radio"
              name={name}
              checked={format.id === chosen.id}
              onChange={() => onChoose(format.id)}
              // The arrow keys click too, and only choose.
              onKeyDown={() => (isKeyDown.current = true)}
              onKeyUp={() => (isKeyDown.current = false)}
              onClick={() => isKeyDown.current || void copy(format)}
            />
            {format.label}
          </label>
        ))}
      </div>
      <CopyButton
        className={clsx('btn flex-1', isPrimary ? 'btn-primary' : 'btn-quiet btn-sm')}
        icon={<Copy className="size-4" aria-hidden />}
        copied={text.copied(codesIn(chosen.id).length, chosen.label)}
        onCopy={() => copy(chosen)}
      >
        {text.copyAll}
      </CopyButton>
    </div>
  )
}
