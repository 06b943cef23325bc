// The buttons that a link has in every list.
import { Ban, Copy, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { Link } from '../../../contract/endpoints/links.ts'
import { errorText } from '../../format/error-text.ts'
import { copy } from '../../texts/gallery-messages.ts'
import { linkList as texts, linkSheet } from '../../texts/links/link-messages.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { copyText } from '../../ui/copy/copy-text.ts'
import { notify } from '../../ui/toast/toast.ts'
import { updateLink } from './links.ts'

interface CopyProps {
  link: Link
  /** For screen readers. */
  name: string
  className: 'btn-quiet' | 'btn-ghost'
}

export const CopyLinkButton = ({ link, name, className }: CopyProps) => (
  <CopyButton
    className={`btn ${className} btn-sm coarse:h-11`}
    icon={<Copy className="size-4" aria-hidden />}
    aria-label={texts.copyNamed(name)}
    copied={copy.copied}
    onCopy={() => copyText(link.url, linkSheet.copied)}
  >
    {texts.copy}
  </CopyButton>
)

interface RevokeProps {
  link: Link
  /** For screen readers. */
  name: string
  hasIcon?: boolean
  /** Default: a toast says so. */
  onRevoked?: () => void
}

/** Revokes a link, or allows a revoked one again. */
export function RevokeButton({
  link,
  name,
  hasIcon = false,
  onRevoked = () => notify.success(texts.revoked),
}: RevokeProps) {
  const [isBusy, setBusy] = useState(false)
  const isRevoked = link.state === 'revoked'
  const Icon = isRevoked ? RotateCcw : Ban

  async function turn(): Promise<void> {
    setBusy(true)
    if (await setRevoked(link, !isRevoked)) {
      if (isRevoked) notify.success(texts.allowed)
      else onRevoked()
    }
    setBusy(false)
  }

  return (
    <button
      type="button"
      className="btn btn-ghost btn-sm coarse:h-11"
      aria-label={isRevoked ? texts.allowNamed(name) : texts.revokeNamed(name)}
      aria-busy={isBusy}
      onClick={() => !isBusy && void turn()}
    >
      {hasIcon && <Icon className="size-4" aria-hidden />}
      {isRevoked ? texts.allow : texts.revoke}
    </button>
  )
}

/** @returns whether it is done; a toast says why not */
export async function setRevoked({ id }: Link, isRevoked: boolean): Promise<boolean> {
  try {
    await updateLink(id, { revoked: isRevoked })
    return true
  } catch (error) {
    const failed = isRevoked ? texts.revokeFailed : texts.allowFailed
    notify.failure(errorText(error, failed), error)
    return false
  }
}
