// How often an image was viewed, and how often it may still be.
import { queryOptions } from '@tanstack/react-query'
import { updateImage } from './gallery.ts'
import { client } from '../http.ts'
import { imageList, tellTabs } from './other-tabs.ts'

export const imageViews = (id: string) =>
  queryOptions({
    queryKey: ['views', id],
    queryFn: () => client.getImageViews({ params: { id } }),
    gcTime: 0,
  })

/** @param limit null: none. @returns the views left */
export async function limitViews(id: string, limit: number | null): Promise<number | null> {
  const { views_left } = await client.updateImage({ params: { id }, body: { max_views: limit } })
  updateImage(id, { views_left })
  tellTabs(imageList)
  return views_left
}
