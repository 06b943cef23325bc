// The queue of a logged-in user.
import { useEffect, type ReactNode } from 'react'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { userQueue, folderAlbums } from '../engine/user-queue.ts'
import { QueueCard } from './queue-card.tsx'
import { albumPath, paths } from '../../../paths.ts'
import { useStore } from '../../../model/store.ts'
import { folderAlbum as texts } from '../../../texts/upload-messages.ts'
import { Link } from '../../../ui/link.tsx'
import type { Folder } from '../drop/folder-of-file.ts'
import { foldersOf, maxSeparateFolders } from '../engine/folder-albums.ts'

interface Props {
  userId: string
  /** Renders what can be done with the uploaded images, and with one of them in its row. */
  children: (images: readonly UploadedImage[], isRow: boolean) => ReactNode
}

export function UploadQueue({ userId, children }: Props) {
  useEffect(() => void userQueue.restore(), [userId])
  return (
    <QueueCard queue={userQueue} choices={<FolderAlbums />}>
      {children}
    </QueueCard>
  )
}

function FolderAlbums() {
  const folders = foldersOf(useStore(userQueue.store))
  const kept = useStore(folderAlbums.store)
  if (folders.length === 0) return null
  const groups = folders.length > maxSeparateFolders ? [folders] : folders.map((folder) => [folder])
  return (
    <ul className="border-y border-border px-3.5 py-1" aria-label={texts.label}>
      {groups.map((group) => (
        <FolderRow key={group[0]?.id} folders={group} albums={group.map(({ id }) => kept.get(id))} />
      ))}
    </ul>
  )
}

interface RowProps {
  folders: readonly Folder[]
  /** undefined: not wanted. */
  albums: readonly ({ album: string | undefined } | undefined)[]
}

function FolderRow({ folders, albums }: RowProps) {
  const [folder] = folders
  if (folder === undefined) return null
  const isKept = albums.every((one) => one !== undefined)
  const ids = albums.flatMap((one) => one?.album ?? [])
  const isOne = folders.length === 1
  return (
    <li className="flex min-h-9 items-center gap-2 coarse:min-h-11">
      <label className="flex min-w-0 flex-1 cursor-pointer items-center gap-2.5 text-dense">
        <input
          type="checkbox"
          className="checkbox-box shrink-0"
          checked={isKept}
          onChange={({ target }) => (target.checked ? folderAlbums.keep(folders) : void folderAlbums.takeBack(folders))}
        />
        <span className="truncate">{isOne ? texts.keep(folder.name) : texts.keepEach(folders.length)}</span>
      </label>
      {isKept && ids[0] !== undefined && (
        <Link
          className="btn btn-ghost btn-sm"
          to={isOne ? albumPath(ids[0]) : paths.albums}
          aria-label={isOne ? texts.openNamed(folder.name) : texts.openAll}
        >
          {texts.open}
        </Link>
      )}
    </li>
  )
}
