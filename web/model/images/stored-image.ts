// What the page needs to know about an image, from the server or stored in the browser weeks ago.
import { imageUrls } from '../../../contract/derive/client.ts'
import type { Image, UploadedImage } from '../../../contract/endpoints/images.ts'
import { dayMs } from '../../../contract/plain/limits.ts'
import { uploadLimits } from '../site.ts'

export type ShownImage = Pick<
  Image,
  | 'id'
  | 'file_name'
  | 'original_name'
  | 'url'
  | 'thumbnailUrl'
  | 'page_url'
  | 'width'
  | 'height'
  | 'created_at'
  | 'expires_at'
> &
  Partial<Pick<Image, 'title' | 'slug'>> &
  Pick<UploadedImage, 'delete_token'> & {
    /** The id that a guest's images have in common when they were uploaded together. */
    batch?: string
    /** The position in it. */
    batch_at?: number
  }

/** What an image is called: by its owner, or as the file. */
export const shownName = ({
  title,
  original_name: fileName,
}: Pick<Image, 'original_name'> & { title?: string }): string => title || fileName

/** The background while an image loads. Images from before 0.3.0 have an average colour only. */
export const placeholderOf = ({ placeholder, blur }: Pick<Image, 'placeholder' | 'blur'>) => ({
  background: blur ? `${placeholder} url(data:image/webp;base64,${blur}) center / cover` : placeholder,
})

/** Fills in what an image in a response omits (docs/behaviour.md, "Data"). */
export const completeImage = <T extends Partial<Image>>(image: T): T => ({
  size: 0,
  views: 0,
  ...image,
  ...parseStoredImage(image, Date.now()),
})

/**
 * Fills in what is missing in an entry of `guest_images`; undefined when it is not an image.
 * @param fallbackMs the time of an upload that is unknown
 */
export function parseStoredImage(entry: unknown, fallbackMs = 0): ShownImage | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined
  const fields = entry as Record<string, unknown>
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '')
  const number = (name: string) => (Number.isFinite(fields[name]) ? (fields[name] as number) : 0)
  const address = (name: string, fallback: string) => webAddress(text(name)) || fallback

  const id = text('id') || text('_id')
  const fileName = text('file_name')
  if (id === '' || (fileName === '' && webAddress(text('url')) === '')) return undefined

  const createdAt = isoDate(text('created_at')) ?? new Date(fallbackMs).toISOString()
  return {
    id,
    file_name: fileName || id,
    original_name: text('original_name') || fileName || id,
    url: address('url', imageUrls.original('', fileName)),
    thumbnailUrl: address('thumbnailUrl', imageUrls.thumbnail('', id)),
    page_url: address('page_url', imageUrls.sharePage('', id)),
    ...(text('title') === '' ? {} : { title: text('title') }),
    width: number('width'),
    height: number('height'),
    created_at: createdAt,
    expires_at:
      fields['expires_at'] === null
        ? null
        : (isoDate(text('expires_at')) ??
          new Date(Date.parse(createdAt) + uploadLimits.guest.retentionDays * dayMs).toISOString()),
    ...(text('delete_token') === '' ? {} : { delete_token: text('delete_token') }),
    ...(text('batch') === '' ? {} : { batch: text('batch'), batch_at: number('batch_at') }),
  }
}

/** Storage is untrusted: an address becomes a link and an image source. */
const webAddress = (text: string) => (/^(https?:\/\/|\/(?!\/))/i.test(text) ? text : '')
const isoDate = (text: string) => (Number.isNaN(Date.parse(text)) ? undefined : text)
