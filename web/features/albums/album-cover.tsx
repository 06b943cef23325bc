import { FolderOpen, Search } from 'lucide-react'
import type { Album } from '../../../contract/endpoints/albums.ts'
import { keyedSources, useSources } from '../../model/images/own-image.ts'
import { placeholderOf } from '../../model/images/stored-image.ts'
import { useSource } from '../../ui/use-source.ts'

type Cover = NonNullable<Album['cover']>

/** The cover of an album; without one, or while it fails to load, what kind of album it is. */
export function AlbumCover({ album: { cover, query } }: { album: Album }) {
  const Icon = query === null ? FolderOpen : Search
  if (cover === null)
    return (
      <span className="album-cover album-cover-blank">
        <Icon strokeWidth={1.5} aria-hidden />
      </span>
    )
  return (
    <span className="album-cover" style={placeholderOf(cover)}>
      <Picture key={cover.id} cover={cover} />
    </span>
  )
}

function Picture({ cover }: { cover: Cover }) {
  const thumbnails = useSources(cover, [cover.thumbnailUrl])
  const { source, onError } = useSource([...thumbnails, ...keyedSources(cover, [cover.url])])
  if (source === undefined) return null
  return <img src={source} alt="" loading="lazy" decoding="async" draggable={false} onError={onError} />
}
