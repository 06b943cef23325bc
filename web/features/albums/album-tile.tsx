import { Lock, Search, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Album } from '../../../contract/endpoints/albums.ts'
import { isLive, isOwn } from '../../model/albums/albums.ts'
import { albumPath } from '../../paths.ts'
import { albums as texts } from '../../texts/albums/album-messages.ts'
import { Link } from '../../ui/link.tsx'
import { AlbumCover } from './album-cover.tsx'

/** An album in a list of albums: its cover, title, number of images and marks. */
export function AlbumTile({ album }: { album: Album }) {
  const marks = marksOf(album)
  return (
    <li className="album-tile">
      <Link
        to={albumPath(album.id)}
        className="album-link"
        aria-label={texts.named(
          album.title,
          album.images,
          marks.map(({ text }) => text),
        )}
      >
        <AlbumCover album={album} />
        <span className="album-facts" aria-hidden>
          <span className="album-title" title={album.title}>
            {album.title}
          </span>
          <span className="album-meta">
            {texts.images(album.images)}
            {marks.map(({ text, icon }) => (
              <span key={text} className="album-mark" title={text}>
                {icon}
                {text}
              </span>
            ))}
          </span>
        </span>
      </Link>
    </li>
  )
}

interface Mark {
  text: string
  icon: ReactNode
}

export function marksOf(album: Album): Mark[] {
  return [
    ...(isLive(album) ? [{ text: texts.live, icon: <Search aria-hidden /> }] : []),
    ...(album.upload_visibility === 'private' ? [{ text: texts.private, icon: <Lock aria-hidden /> }] : []),
    ...(isOwn(album) ? [] : [{ text: texts.by(album.owner), icon: <Users aria-hidden /> }]),
  ]
}
