// One link to all images of a batch: made at the first click, and copied.
import { clsx } from 'clsx'
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { errorText } from '../../format/error-text.ts'
import { ApiError } from '../../model/api-error.ts'
import { copy } from '../../texts/gallery-messages.ts'
import { batchLink as texts } from '../../texts/links/batch-link-messages.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { copyText } from '../../ui/copy/copy-text.ts'
import { notify } from '../../ui/toast/toast.ts'

interface Props {
  count: number
  /** Makes it, or returns the one there is. */
  makeLink: () => Promise<string>
  isPrimary?: boolean
  isSmall?: boolean
}

export function BatchLink({ count, makeLink, isPrimary = false, isSmall = false }: Props) {
  const [isBusy, setBusy] = useState(false)

  async function copyLink(): Promise<boolean> {
    // The button stays enabled: a disabled one loses the focus.
    if (isBusy) return false
    setBusy(true)
    try {
      return await copyText(await makeLink(), texts.copied(count))
    } catch (error) {
      notify.failure(reasonOf(error), error)
      return false
    } finally {
      setBusy(false)
    }
  }

  return (
    <CopyButton
      className={clsx('btn', isPrimary ? 'btn-primary' : 'btn-quiet', isSmall ? 'btn-sm coarse:h-11' : 'btn-lg w-full')}
      icon={<Link2 className={isSmall ? 'size-4' : 'size-5'} aria-hidden />}
      copied={copy.copied}
      aria-busy={isBusy}
      onCopy={copyLink}
    >
      {texts.copy(count)}
    </CopyButton>
  )
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.code === 'image_not_found') return texts.lost
  return errorText(error, texts.failed)
}
