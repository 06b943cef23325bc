import { FolderInput, MailCheck } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { User } from '../../../contract/endpoints/accounts.ts'
import { useGuestImages } from '../../model/images/guest-images.ts'
import { uploadLimits, useSite } from '../../model/site.ts'
import { isExpired } from '../../format/expiry-texts.ts'
import { paths } from '../../paths.ts'
import { claim, confirmEmail } from '../../texts/dashboard-messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { focusMain } from '../../ui/focus-main.ts'
import { claimImages, readClaimOffered, writeClaimOffered } from './claim-guest-images.ts'

/** For accounts from before addresses were confirmed, and of admins' making: until then they get no mail. */
export function ConfirmEmailCard({ user: { email, emailConfirmed } }: { user: User }) {
  const { mail } = useSite()
  if (!mail || emailConfirmed) return null
  return (
    <section className="card mt-4 flex flex-wrap items-center gap-x-4 gap-y-3 p-4" aria-label={confirmEmail.label}>
      <MailCheck className="size-6 shrink-0 text-accent-text" aria-hidden />
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-semibold">{confirmEmail.title}</p>
        <p className="text-dense wrap-anywhere text-text-2">{confirmEmail.text(email)}</p>
      </div>
      <Link href={paths.account} className="btn btn-quiet">
        {confirmEmail.open}
      </Link>
    </section>
  )
}

const maxTokenLength = 100

/** Offers once to move guest uploads into the account. A batch that still ran during the login is offered when it has grown. */
export function ClaimCard({ userId }: { userId: string }) {
  const now = new Date()
  const [offered, setOffered] = useState(() => readClaimOffered(userId))
  const images = useGuestImages().filter(
    ({ delete_token = '', expires_at, created_at }) =>
      // A longer entry is invalid, and one invalid entry must not fail the others.
      delete_token !== '' &&
      delete_token.length <= maxTokenLength &&
      !isExpired(expires_at, now) &&
      (offered === null || created_at > offered),
  )
  const { isBusy, run } = useAction(notify.failure)
  if (images.length === 0) return null

  function answer(): void {
    const newest =
      images
        .map(({ created_at }) => created_at)
        .toSorted()
        .at(-1) ?? ''
    writeClaimOffered(userId, newest)
    setOffered(newest)
    focusMain()
  }

  async function move(): Promise<void> {
    const moved = await claimImages(images)
    if (moved === 0) notify.error(claim.failed)
    else notify.success(claim.done(moved))
    answer()
  }

  return (
    <section className="card mt-4 flex flex-wrap items-center gap-x-4 gap-y-3 p-4" aria-label={claim.label}>
      <FolderInput className="size-6 shrink-0 text-accent-text" aria-hidden />
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-semibold">{claim.title(images.length)}</p>
        <p className="text-dense text-text-2">{claim.text(images.length, uploadLimits.user)}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="btn btn-primary"
          disabled={isBusy}
          onClick={() => void run(move, () => claim.failed)}
        >
          {isBusy ? claim.moving : claim.move(images.length)}
        </button>
        <button type="button" className="btn btn-quiet" disabled={isBusy} onClick={answer}>
          {claim.notNow}
        </button>
      </div>
    </section>
  )
}
