import { useSearch } from 'wouter/use-browser-location'
import { AlbumsList } from '../../features/albums/albums-list.tsx'
import { titles } from '../../texts/messages.ts'
import { usePageTitle } from '../use-page-title.ts'

/** With `?query=` the form of a live album is open. */
export function AlbumsPage() {
  usePageTitle(titles.albums)
  const query = new URLSearchParams(useSearch()).get('query')
  return (
    <div className="page page-fluid album-page">
      <AlbumsList query={query} />
    </div>
  )
}
