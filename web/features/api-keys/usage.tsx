import { Copy } from 'lucide-react'
import { apiKeys } from '../../texts/api-keys-messages.ts'
import { copyText } from '../../ui/copy-text.ts'
import { copy } from '../../texts/gallery-messages.ts'
import { CopyButton } from '../../ui/copy-button.tsx'

/** What a key is for, and the header it is sent in. */
export function Usage() {
  return (
    <div className="mt-3 grid gap-3">
      <p className="max-w-[68ch] text-reading text-text-2">{apiKeys.intro}</p>
      <div className="flex max-w-full flex-wrap items-center gap-2">
        <code className="code max-w-full py-2">{apiKeys.header}</code>
        <CopyButton
          className="btn btn-quiet btn-sm coarse:h-11"
          icon={<Copy className="size-4" aria-hidden />}
          copied={copy.copied}
          onCopy={() => copyText(apiKeys.header, apiKeys.headerCopied)}
        >
          {apiKeys.copyHeader}
        </CopyButton>
      </div>
    </div>
  )
}
