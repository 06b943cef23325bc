// The links that there are to what is shared, in its sheet.
import { Copy } from 'lucide-react'
import { useId } from 'react'
import type { Link } from '../../../contract/endpoints/links.ts'
import { errorText } from '../../model/api-error.ts'
import { copy } from '../../texts/gallery-messages.ts'
import { linkList, linkSheet as texts } from '../../texts/links/link-messages.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { copyText } from '../../ui/copy/copy-text.ts'
import { TryAgain } from '../../ui/load-failure.tsx'
import { notify } from '../../ui/toast/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { LinkMarks, LinkState, nameOf } from './link-badges.tsx'
import { linkUse } from './link-use.ts'
import { updateLink } from './links.ts'

interface Props {
  links: readonly Link[]
  isFailed: boolean
  onRetry: () => unknown
}

export function ExistingLinks({ links, isFailed, onRetry }: Props) {
  const id = useId()
  if (isFailed)
    return (
      <div className="link-existing" role="alert">
        <p className="text-dense text-danger-text">{texts.existingFailed}</p>
        <TryAgain onRetry={onRetry} />
      </div>
    )
  if (links.length === 0) return null
  return (
    <section className="link-existing" aria-labelledby={id}>
      <h3 id={id} className="font-semibold">
        {texts.existing}
      </h3>
      <ul>
        {links.map((link) => (
          <ExistingLink key={link.id} link={link} />
        ))}
      </ul>
    </section>
  )
}

function ExistingLink({ link }: { link: Link }) {
  const { isBusy, run } = useAction()
  const name = link.name || link.slug
  const isRevoked = link.state === 'revoked'

  const turn = () =>
    run(
      async () => {
        await updateLink(link.id, { revoked: !isRevoked })
        notify.success(isRevoked ? linkList.allowed : linkList.revoked)
      },
      (error) => {
        const reason = errorText(error, isRevoked ? linkList.allowFailed : linkList.revokeFailed)
        notify.error(reason)
        return reason
      },
    )

  return (
    <li>
      <div className="link-name">
        <span className="font-medium">{name}</span>
        <span className="text-meta text-text-2">{linkUse(link)}</span>
      </div>
      <LinkState link={link} />
      <LinkMarks link={link} />
      <CopyButton
        className="btn btn-ghost btn-sm coarse:h-11"
        icon={<Copy className="size-4" aria-hidden />}
        aria-label={linkList.copyNamed(name)}
        copied={copy.copied}
        onCopy={() => copyText(link.url, texts.copied)}
      >
        {linkList.copy}
      </CopyButton>
      <button
        type="button"
        className="btn btn-ghost btn-sm coarse:h-11"
        aria-label={isRevoked ? linkList.allowNamed(nameOf(link)) : linkList.revokeNamed(nameOf(link))}
        aria-busy={isBusy}
        onClick={() => !isBusy && void turn()}
      >
        {isRevoked ? linkList.allow : linkList.revoke}
      </button>
    </li>
  )
}
