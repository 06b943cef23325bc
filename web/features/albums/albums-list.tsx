// The user's albums, and those of others that the user is a member of. An album inside another one is on the page of that one.
import { FolderPlus, Search } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Album } from '../../../contract/endpoints/albums.ts'
import { troubleOf } from '../../model/api-error.ts'
import { albumsIn, useAlbums } from '../../model/albums/albums.ts'
import { albumPath, paths } from '../../paths.ts'
import { albumForm, albumPage, albums as texts } from '../../texts/albums/album-messages.ts'
import { Link } from '../../ui/link.tsx'
import { EmptyList } from '../../ui/list-panel/empty-list.tsx'
import { Skeletons } from '../../ui/list-panel/skeletons.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { NewAlbumForm } from './album-form.tsx'
import { AlbumTile } from './album-tile.tsx'
import './albums.css'

/** @param query of a search that is to become an album: the form is open with it */
export function AlbumsList({ query }: { query: string | null }) {
  const [, navigate] = useLocation()
  const { data, error, isFetching, refetch } = useAlbums()
  const [form, setForm] = useState<'empty' | 'live' | undefined>(query === null ? undefined : 'live')
  const top = data === undefined ? [] : albumsIn(data, null)
  return (
    <>
      <div className="album-head">
        <div className="min-w-0">
          <h1 className="text-title">{texts.title}</h1>
          <p className="mt-1 max-w-[68ch] text-dense text-text-2">{texts.text}</p>
        </div>
        <div className="album-buttons">
          <button type="button" className="btn btn-primary" aria-haspopup="dialog" onClick={() => setForm('empty')}>
            <FolderPlus className="size-4" aria-hidden />
            {texts.create}
          </button>
          <button
            type="button"
            className="btn btn-quiet"
            aria-haspopup="dialog"
            aria-label={texts.createLive}
            onClick={() => setForm('live')}
          >
            <Search className="size-4" aria-hidden />
            {texts.fromSearch}
          </button>
        </div>
      </div>
      <section aria-label={texts.list} aria-busy={isFetching}>
        {error !== null && (
          <LoadFailure title={texts.failed} {...troubleOf(error)} onRetry={refetch} isBar={data !== undefined} />
        )}
        {data === undefined && error === null && <AlbumSkeletons />}
        {data !== undefined && top.length === 0 && <NoAlbums />}
        {top.length > 0 && <AlbumTiles albums={top} />}
      </section>
      {form !== undefined && (
        <NewAlbumForm
          query={form === 'live' ? (query ?? '') : null}
          title={form === 'live' ? albumForm.liveTitle : albumForm.newTitle}
          onSaved={({ id }) => navigate(albumPath(id))}
          onClose={() => setForm(undefined)}
        />
      )}
    </>
  )
}

export const AlbumTiles = ({ albums }: { albums: readonly Album[] }) => (
  <ul className="album-tiles">
    {albums.map((album) => (
      <AlbumTile key={album.id} album={album} />
    ))}
  </ul>
)

const AlbumSkeletons = () => (
  <div className="album-tiles">
    <Skeletons count={6} className="album-tile" />
  </div>
)

const NoAlbums = () => (
  <EmptyList icon={FolderPlus} title={texts.none} text={texts.noneText}>
    <Link to={paths.dashboard} className="btn btn-quiet mt-4">
      {albumPage.toImages}
    </Link>
  </EmptyList>
)
