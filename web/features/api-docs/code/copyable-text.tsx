import { Copy } from 'lucide-react'
import { docs } from '../../../texts/docs-messages.ts'
import { CopyButton } from '../../../ui/copy/copy-button.tsx'
import { copyDocs } from '../copy-docs.ts'

/** One line of text with a copy button. */
export function CopyableText({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex max-w-full flex-wrap items-center gap-2">
      <code className="code max-w-full py-2" translate="no">
        {text}
      </code>
      <CopyButton
        className="btn btn-quiet btn-sm coarse:h-11"
        icon={<Copy className="size-4" aria-hidden />}
        copied={docs.copiedMark}
        onCopy={() => copyDocs(text, 'text')}
      >
        {label}
      </CopyButton>
    </div>
  )
}
