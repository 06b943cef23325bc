// The buttons that share an album: by a link, and with members. What they open is loaded when it is opened.
import { Link2, Users } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Album } from '../../../contract/endpoints/albums.ts'
import { canManage, isOwn } from '../../model/albums/albums.ts'
import { memberList } from '../../model/albums/members.ts'
import { galleryStore } from '../../model/images/gallery.ts'
import { isPrivate } from '../../model/images/visibility.ts'
import { queryClient } from '../../model/query-client.ts'
import { albumSharing as texts } from '../../texts/albums/member-messages.ts'
import { DialogSection } from '../../ui/dialog/dialog-section.tsx'
import { onDemand } from '../../ui/on-demand.tsx'

const LinkSheet = onDemand(async () => (await import('../../features/links/link-sheet.tsx')).LinkSheet)
const MembersDialog = onDemand(async () => (await import('../../features/albums/members-dialog.tsx')).MembersDialog)

export function AlbumSharing({ album }: { album: Album }) {
  const [dialog, setDialog] = useState<'link' | 'members'>()
  if (!canManage(album)) return null
  const close = () => setDialog(undefined)
  const { id, title, images } = album
  return (
    <>
      <button type="button" className="btn btn-quiet" aria-label={texts.share} onClick={() => setDialog('link')}>
        <Link2 className="size-4" aria-hidden />
        <span className="max-xs:hidden">{texts.share}</span>
      </button>
      {isOwn(album) && <MembersButton albumId={id} onPress={() => setDialog('members')} />}
      {dialog !== undefined && (
        <DialogSection onClose={close}>
          <Suspense>
            {dialog === 'link' ? (
              <LinkSheet target={{ kind: 'album', id, title, images, hasPrivate: hasPrivate(album) }} onClose={close} />
            ) : (
              <MembersDialog album={album} onClose={close} />
            )}
          </Suspense>
        </DialogSection>
      )}
    </>
  )
}

/** Uploads into it are private, or one of the images that are loaded is. */
const hasPrivate = (album: Album): boolean => {
  const { items, query } = galleryStore.get()
  return (
    album.upload_visibility === 'private' ||
    (query.album === album.id && items.some((image) => image !== undefined && isPrivate(image)))
  )
}

function MembersButton({ albumId, onPress }: { albumId: string; onPress: () => void }) {
  const { data = [] } = useQuery(memberList(albumId), queryClient)
  const count = data.filter(({ accepted }) => accepted).length
  return (
    <button type="button" className="btn btn-quiet" aria-label={texts.membersOf(count)} onClick={onPress}>
      <Users className="size-4" aria-hidden />
      <span className="max-xs:hidden">{texts.members}</span>
      {count > 0 && <span className="text-text-2 tabular-nums">{count}</span>}
    </button>
  )
}
