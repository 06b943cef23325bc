// Images of the signed-in user as these pages show them. The public addresses of an image with
// limited views would take one: it is loaded with the token instead.
import { type Query, queryOptions, useQuery } from '@tanstack/react-query'
import { imageUrls, withKey } from '../../../contract/derive/client.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import { troubleOf } from '../api-error.ts'
import { send } from '../http.ts'
import { queryClient } from '../query-client.ts'

/** In an album with members. Elsewhere all are the user's. */
export const isOthers = ({ is_own: isOwn }: Pick<Image, 'is_own'>): boolean => isOwn === false

type OwnImage = Pick<Image, 'id'> & Partial<Pick<Image, 'views_left' | 'view_key' | 'placeholder'>>

export const hasLimitedViews = ({ views_left: left }: Partial<Pick<Image, 'views_left'>>): boolean =>
  typeof left === 'number'

/** An object URL of the image at a path that needs the token. It stays until the page is left. */
const imageByToken = (path: string) =>
  queryOptions({
    queryKey: ['image by token', path],
    queryFn: async () => URL.createObjectURL(await (await send({ method: 'GET', path })).blob()),
    staleTime: Infinity,
    gcTime: Infinity,
    refetchInterval: retryInterval,
  })

const maxRetryMs = 30_000

/** While it is on screen, an image that failed without the server or the connection is asked for again, ever later. */
export const retryInterval = ({ state: { error, errorUpdateCount } }: Pick<Query, 'state'>): number | false =>
  error !== null && troubleOf(error).canRetry && Math.min(1000 * 2 ** errorUpdateCount, maxRetryMs)

/** @returns `sources`, of a private image with its key; of an image with limited views its own one, and its average colour until that is loaded */
export function useSources(image: OwnImage, sources: readonly string[]): readonly string[] {
  const isLimited = hasLimitedViews(image)
  // Images without a limit share one entry of the cache.
  const { data } = useQuery(
    { ...imageByToken(isLimited ? imageUrls.own('', image.id) : ''), enabled: isLimited },
    queryClient,
  )
  if (isLimited) return [data ?? colouredImage(image.placeholder)]
  return keyedSources(image, sources)
}

/** Those of an image without limited views. Lists of many images use them without a query for each. */
export const keyedSources = (image: OwnImage, sources: readonly string[]): readonly string[] =>
  sources.map((source) => withKey(source, image.view_key))

const colouredImage = (colour = '#808080') =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" preserveAspectRatio="none"><rect width="1" height="1" fill="${colour}"/></svg>`,
  )}`
