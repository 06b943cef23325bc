import { FolderOpen } from 'lucide-react'
import { useCallback, useEffect, useMemo, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { Album } from '../../../contract/endpoints/albums.ts'
import { AlbumHead } from '../../features/albums/album-head.tsx'
import { coverWith, removeImages } from '../../features/albums/album-changes.ts'
import { AlbumTiles } from '../../features/albums/albums-list.tsx'
import { OrderArea } from '../../features/albums/order-area.tsx'
import { changeGalleryPrefs, useGalleryPrefs } from '../../features/dashboard/gallery-prefs.ts'
import type { AlbumOperations } from '../../features/dashboard/image-actions.ts'
import { UploadArea } from '../../features/upload/account/upload-area.tsx'
import { UploadOptions } from '../../features/upload/account/upload-options.tsx'
import { troubleOf } from '../../model/api-error.ts'
import { albumsIn, canAdd, canManage, isLive, reloadAlbum, useAlbums } from '../../model/albums/albums.ts'
import { galleryStore, openGallery, unfilteredQuery } from '../../model/images/gallery.ts'
import { isOthers } from '../../model/images/own-image.ts'
import { paths } from '../../paths.ts'
import { albumPage as texts, albums as albumTexts } from '../../texts/albums/album-messages.ts'
import { common, titles } from '../../texts/messages.ts'
import { Link } from '../../ui/link.tsx'
import { EmptyList } from '../../ui/list-panel/empty-list.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Section } from '../../ui/section.tsx'
import type { AddChange } from '../../ui/undo/use-undo.ts'
import { ImagesArea, useImages, useUploadedSheet } from '../images-area.tsx'
import { usePageTitle } from '../use-page-title.ts'
import { AlbumSharing } from './album-sharing.tsx'
import '../../features/albums/albums.css'

/** An album: the images in its order, and the albums inside it. */
export function AlbumPage({ id }: { id: string }) {
  const { data, error, refetch, isFetching } = useAlbums()
  const album = data?.find((one) => one.id === id)
  usePageTitle(album?.title ?? titles.albums)
  if (data !== undefined && album !== undefined) return <ShownAlbum key={id} album={album} albums={data} />
  // A list from before the album was made, for example in another tab, is being loaded again.
  if (error === null && isFetching) return <Loading text={common.loading} />
  return (
    <div className="page page-fluid album-page">
      {error === null ? <NoAlbum /> : <LoadFailure title={albumTexts.failed} {...troubleOf(error)} onRetry={refetch} />}
    </div>
  )
}

function ShownAlbum({ album, albums }: { album: Album; albums: readonly Album[] }) {
  const [, navigate] = useLocation()
  const { view } = useGalleryPrefs()
  const { id } = album
  const isOrdered = canManage(album) && !isLive(album)
  const isReadOnly = album.role === 'view'
  const ofAlbum = useCallback(
    (add: AddChange): AlbumOperations => ({
      mayRemove: (image) => !isLive(album) && (canManage(album) || (canAdd(album) && !isOthers(image))),
      remove: (some) => removeImages(album, some, add),
      ...(canManage(album) && { useAsCover: (image) => coverWith(album, image, add) }),
    }),
    [album],
  )
  const images = useImages(isReadOnly, ofAlbum)
  const [uploadedSheet, onResult] = useUploadedSheet()
  const inside = albumsIn(albums, id)
  const query = useMemo(() => ({ ...unfilteredQuery, album: id }), [id])
  useEffect(() => void openGallery(query), [query])
  useCounts(id)

  const order = (gallery: ReactNode) =>
    isOrdered ? (
      <OrderArea
        albumId={id}
        count={album.images}
        view={view}
        selection={images.selection.ids}
        onSelect={images.selection.select}
        onChanged={images.undoable.add}
      >
        {gallery}
      </OrderArea>
    ) : (
      gallery
    )

  return (
    <div className="page page-fluid album-page">
      <AlbumHead album={album} albums={albums} view={view} onView={(next) => changeGalleryPrefs({ view: next })}>
        <AlbumSharing album={album} />
      </AlbumHead>
      {inside.length > 0 && (
        <section className="album-section" aria-label={albumTexts.insideOf(album.title)}>
          <h2 className="text-h3">{albumTexts.inside}</h2>
          <AlbumTiles albums={inside} />
        </section>
      )}
      {canAdd(album) && (
        <div className="mb-4">
          <Section>
            <UploadArea album={id} onResult={onResult} aside={<UploadOptions />} />
          </Section>
        </div>
      )}
      {uploadedSheet}
      {isOrdered && album.images > 1 && <p className="order-hint mb-3 text-meta text-text-2">{texts.orderHint}</p>}
      <ImagesArea
        images={images}
        wrap={order}
        hasFilters={false}
        onClearFilters={() => navigate(paths.dashboard)}
        onSort={() => undefined}
        empty={<EmptyAlbum album={album} />}
      />
    </div>
  )
}

/**
 * The album's count and cover, when it has got other images: by an upload, a deletion or a restoration. Not when the list shows
 * more of them: other tabs load again what this one has changed.
 */
function useCounts(id: string): void {
  useEffect(() => {
    let before = galleryStore.get()
    return galleryStore.subscribe(() => {
      const { total, status, query } = galleryStore.get()
      const isOther = before.query === query && before.status === 'ready' && before.total !== total
      if (status !== 'ready') return
      before = galleryStore.get()
      if (isOther) void reloadAlbum(id)
    })
  }, [id])
}

function EmptyAlbum({ album }: { album: Album }) {
  const text = isLive(album) ? texts.emptyLive : canAdd(album) ? texts.emptyAdd : texts.emptyView
  return (
    <EmptyList icon={FolderOpen} title={texts.empty} text={text}>
      {canAdd(album) && (
        <Link to={paths.dashboard} className="btn btn-quiet mt-4">
          {texts.toImages}
        </Link>
      )}
    </EmptyList>
  )
}

const NoAlbum = () => (
  <EmptyList icon={FolderOpen} title={texts.notFound} text={texts.notFoundText} isPage>
    <Link to={paths.albums} className="btn btn-quiet mt-4">
      {texts.toAlbums}
    </Link>
  </EmptyList>
)
