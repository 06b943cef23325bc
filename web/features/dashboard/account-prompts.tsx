import { FolderInput, MailCheck } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { User } from '../../../contract/endpoints/accounts.ts'
import { useGuestImages, removeGuestImages } from '../../model/images/guest-images.ts'
import { uploadLimits, useSite } from '../../model/site.ts'
import { isExpired } from '../../format/expiry.ts'
import { paths } from '../../paths.ts'
import { claim, confirmEmail } from '../../texts/dashboard-messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import { focusMain } from '../../ui/focus-main.ts'
import { albumsToClaim, forgetGuestAlbums } from '../../model/images/guest-albums.ts'
import { loadGallery } from '../../model/images/gallery.ts'
import { imageList, tellTabs } from '../../model/images/other-tabs.ts'
import { refreshUser } from '../../model/session.ts'
import { readStored, writeStored } from '../../model/browser-storage.ts'
import type { ShownImage } from '../../model/images/stored-image.ts'

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
  const [isBusy, setBusy] = useState(false)
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
    setBusy(true)
    try {
      const moved = await claimImages(images)
      if (moved === 0) notify.error(claim.failed)
      else notify.success(claim.done(moved))
      answer()
    } catch (error) {
      notify.failure(claim.failed, error)
    }
    setBusy(false)
  }

  return (
    <section className="card mt-4 flex flex-wrap items-center gap-x-4 gap-y-3 p-4" aria-label={claim.label}>
      <FolderInput className="size-6 shrink-0 text-accent-text" aria-hidden />
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-semibold">{claim.title(images.length)}</p>
        <p className="text-dense text-text-2">{claim.text(images.length, uploadLimits.user)}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <button type="button" className="btn btn-primary" disabled={isBusy} onClick={() => void move()}>
          {isBusy ? claim.moving : claim.move(images.length)}
        </button>
        <button type="button" className="btn btn-quiet" disabled={isBusy} onClick={answer}>
          {claim.notNow}
        </button>
      </div>
    </section>
  )
}

/** The offer is made once for each account in a browser, and again for what is uploaded without it later. */
const claimOfferedKey = (userId: string) => `claim_asked_${userId}`
const readClaimOffered = (userId: string) => readStored(claimOfferedKey(userId))
/** @param newest the creation of the newest image of the offer: by the server's clock, as of all images */
const writeClaimOffered = (userId: string, newest: string) => writeStored(claimOfferedKey(userId), newest)

/**
 * @returns how many images moved; those that are deleted, or whose token is lost, stay where they
 * are
 */
async function claimImages(images: readonly ShownImage[]): Promise<number> {
  const { client } = await import('../../model/http.ts')
  const albums = albumsToClaim(new Set(images.map(({ id }) => id)))
  let [moved, bytes] = [0, 0]
  try {
    for (let at = 0; at < images.length; at += batchSize) {
      const batch = images.slice(at, at + batchSize).map(({ id, delete_token }) => ({ id, token: delete_token ?? '' }))
      // With the last images: of an album that comes, images that are not of the account leave it.
      const isLast = at + batchSize >= images.length && albums.length > 0 && albums.length <= maxAlbums
      const response = await client.claimImages({ body: { images: batch, ...(isLast && { albums }) } })
      if (isLast) forgetGuestAlbums(albums.map(({ id }) => id))
      removeGuestImages(new Set(response.images.map(({ id }) => id)))
      moved += response.images.length
      bytes += response.images.reduce((sum, { size }) => sum + size, 0)
    }
  } finally {
    // Also after a failure: the images that moved appear.
    if (moved > 0) {
      tellTabs(imageList, { images: moved, bytes })
      await Promise.all([loadGallery(), refreshUser()])
    }
  }
  return moved
}

const batchSize = 100
const maxAlbums = 200
