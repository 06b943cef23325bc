// How long browsers and caches may keep an image: Cache-Control, and the tags by which caches purge it.
import { limits } from '../../../contract/plain/limits.ts'
import type { Config } from '../../config.ts'
import type { ServedImage } from '../../domain/delivery/served-image.ts'

export const uncached = 'private, no-store'

/** The tags by which caches purge an image: those of Fastly and Varnish, and of Cloudflare. */
export function cacheHeaders(config: Config, { row, isProvisional }: ServedImage, nowMs: number) {
  const provisionalUntil = isProvisional ? nowMs + limits.variant.provisionalCacheMs : Infinity
  const expiresAt = Math.min(row.expires_at, provisionalUntil)
  const control = { 'cache-control': cacheControl(config, { ...row, expires_at: expiresAt }, nowMs) }
  return isUncached(row) ? control : { ...control, 'surrogate-key': row.id, 'cache-tag': row.id }
}

/** Whether no shared cache may have it. */
const isUncached = ({ visibility, named }: Pick<ServedImage['row'], 'visibility' | 'named'>) =>
  visibility === 'private' || named !== null

/**
 * Caches may not serve an image past its expiry, nor longer than limits.variant.cacheMs in all,
 * because they are not notified of deletions, unless they are purged.
 */
export function cacheControl(
  { PURGE_URL: url }: Pick<Config, 'PURGE_URL'>,
  row: Pick<ServedImage['row'], 'visibility' | 'expires_at' | 'named'>,
  nowMs: number,
): string {
  // The browser of who may view it stores it, and asks at each use: its key may have ended.
  if (isUncached(row)) return 'private, no-cache'
  const { expires_at: expiresAt } = row
  const { cacheMs, revalidateMs, purgedCacheMs } = limits.variant
  const leftS = Math.max(0, Math.floor((expiresAt - nowMs) / 1000))
  // nginx counts whole seconds, and serves a response in the second in which it becomes stale.
  const sharedLeftS = Math.max(0, leftS - 1)
  const maxAgeS = Math.min(leftS, (cacheMs - revalidateMs) / 1000)
  const sharedS = Math.min(sharedLeftS, ((url === undefined ? cacheMs : purgedCacheMs) - revalidateMs) / 1000)
  const staleS = Math.min(sharedLeftS - sharedS, revalidateMs / 1000)
  return `public, max-age=${maxAgeS}, s-maxage=${sharedS}, stale-while-revalidate=${staleS}`
}
