// The link of a guest to all images that were uploaded together.
import { useEffect } from 'react'
import type { ShownImage } from '../../model/images/stored-image.ts'
import { canHaveLink, endGuestLink, guestLinkTo, useGuestAlbum } from '../../model/images/guest-albums.ts'
import { errorText } from '../../format/error-text.ts'
import { BatchLink } from '../../features/links/batch-link.tsx'
import { batchLink as texts } from '../../texts/links/batch-link-messages.ts'
import { createStore, useStore } from '../../model/store.ts'
import { notify } from '../../ui/toast/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { SmallButton } from '../../ui/small-button.tsx'

interface Props {
  images: readonly ShownImage[]
  /** Right after the upload: what most people need. */
  isPrimary?: boolean
}

export function GuestBatchLink({ images, isPrimary = false }: Props) {
  const album = useGuestAlbum(images)
  const { isBusy, run } = useAction(notify.failure)
  const inZone = useStore(shownInZone)
  useEffect(() => {
    if (!isPrimary) return
    shownInZone.set(images)
    return () => shownInZone.set([])
  }, [isPrimary, images])
  if (!canHaveLink(images)) return null
  return (
    <>
      {(isPrimary || !haveSameIds(images, inZone)) && (
        <BatchLink
          count={images.length}
          makeLink={() => guestLinkTo(images)}
          isPrimary={isPrimary}
          isSmall={!isPrimary}
        />
      )}
      {album !== undefined && (
        <p className="flex min-w-0 flex-wrap items-center gap-x-3 text-meta text-text-2">
          <a className="link min-w-0 truncate" href={album.url} target="_blank" rel="noopener noreferrer">
            {album.url.replace(/^https?:\/\//, '')}
          </a>
          {!isPrimary && (
            <SmallButton
              text={texts.end}
              isGhost
              isOff={isBusy}
              onPress={() =>
                void run(
                  async () => {
                    await endGuestLink(album)
                    notify.success(texts.ended)
                  },
                  (error) => errorText(error, texts.endFailed),
                )
              }
            />
          )}
        </p>
      )}
    </>
  )
}

/** The batch whose link the upload zone offers: the list of recent uploads does not offer it a second time. */
const shownInZone = createStore<readonly ShownImage[]>([])

function haveSameIds(some: readonly ShownImage[], others: readonly ShownImage[]): boolean {
  const ids = new Set(others.map(({ id }) => id))
  return some.length === ids.size && some.every(({ id }) => ids.has(id))
}
