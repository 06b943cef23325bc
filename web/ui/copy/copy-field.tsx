import { Copy } from 'lucide-react'
import { useId } from 'react'
import { CopyButton } from './copy-button.tsx'
import { copyText } from './copy-text.ts'

interface Props {
  texts: {
    field: string
    copy: string
    /** Announced by screen readers after copying. */
    copied: string
    toast: string
  }
  value: string
  /** Whether copying is what the dialog is for. */
  isPrimary?: boolean
  onCopied?: () => void
}

/** A text to take elsewhere, such as a secret: selected on focus, with a button that copies it. */
export function CopyField({ texts, value, isPrimary = false, onCopied }: Props) {
  const id = useId()

  async function copy(): Promise<boolean> {
    const isCopied = await copyText(value, texts.toast)
    if (isCopied) onCopied?.()
    return isCopied
  }

  return (
    <div className="grid gap-1.5">
      <label className="font-medium" htmlFor={id}>
        {texts.field}
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          id={id}
          className="field flex-[1_1_14rem] font-mono text-meta"
          readOnly
          value={value}
          spellCheck={false}
          autoComplete="off"
          onFocus={({ target }) => target.select()}
          onCopy={onCopied}
        />
        <CopyButton
          className={`btn ${isPrimary ? 'btn-primary' : 'btn-quiet'} coarse:h-12 max-xs:w-full`}
          icon={<Copy className="size-4" aria-hidden />}
          copied={texts.copied}
          onCopy={copy}
        >
          {texts.copy}
        </CopyButton>
      </div>
    </div>
  )
}
