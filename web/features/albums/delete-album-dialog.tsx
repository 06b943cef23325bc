import { useState } from 'react'
import type { Album } from '../../../contract/endpoints/albums.ts'
import { attempt } from '../../model/attempt.ts'
import { deleteAlbum, isLive } from '../../model/albums/albums.ts'
import { galleryStore } from '../../model/images/gallery.ts'
import { isOthers } from '../../model/images/own-image.ts'
import { albumDeletion as texts } from '../../texts/albums/album-messages.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { notify } from '../../ui/toast/toast.ts'

interface Props {
  album: Album
  onDeleted: () => void
  onClose: () => void
}

/** Whether it is known: the page of the album has loaded all its images. */
function areOwn({ id }: Album): boolean {
  const { status, query, items } = galleryStore.get()
  const isLoaded = status === 'ready' && query.album === id
  return isLoaded && items.every((image) => image !== undefined && !isOthers(image))
}

/** Asks whether an album is to go, and whether its images go with it. */
export function DeleteAlbumDialog({ album, onDeleted, onClose }: Props) {
  const [isWithImages, setWithImages] = useState(false)

  const remove = () =>
    attempt(async () => {
      const count = await deleteAlbum(album, isWithImages ? 'delete' : 'keep')
      notify.success(count > 0 ? texts.doneWith(count) : texts.done)
      onDeleted()
    }, texts.failed)

  return (
    <ConfirmDialog
      title={texts.title(album.title)}
      confirm={texts.confirm}
      busy={texts.busy}
      isDanger
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{texts.text}</p>
      {!isLive(album) && album.images > 0 && (
        <Checkbox
          className="mt-4"
          label={texts.images}
          text={texts.imagesText(areOwn(album) ? album.images : undefined)}
          isChecked={isWithImages}
          onChange={setWithImages}
        />
      )}
    </ConfirmDialog>
  )
}
