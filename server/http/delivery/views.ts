// Which requests are views of an image (docs/decisions/0046).
import type { FastifyRequest } from 'fastify'
import { isbot } from 'isbot'
import { createLru } from '../../concurrency/lru.ts'
import type { Config } from '../../config.ts'

type Headers = FastifyRequest['headers']

/** Clients send few different ones; the patterns take some microseconds. */
const robots = createLru<boolean>(10_000)
const maxUserAgentLength = 300

/** Programs with which people fetch images, which the list of robots includes. */
const programs =
  /^(?:aria2|axios|curl|dart|go-http-client|httpie|java|libwww|lwp|node|okhttp|php|python|ruby|undici|wget)/i

/**
 * Returns whether a request for an image or a share page is a view: not of a robot or a program, and
 * not of a page of this site, such as its owner's gallery.
 */
export const isView = (config: Pick<Config, 'MEDIA_ORIGIN'>, headers: Headers): boolean =>
  !isFromOwnPage(config, headers) && !isRobot(headers['user-agent'])

/** Returns whether the client is a crawler or makes link previews. */
export const isPreviewRobot = ({ 'user-agent': userAgent }: Headers): boolean =>
  userAgent !== undefined && isRobot(userAgent) && !programs.test(userAgent)

function isRobot(userAgent: string | undefined): boolean {
  if (userAgent === undefined) return true
  const key = userAgent.slice(0, maxUserAgentLength)
  const known = robots.get(key)
  if (known !== undefined) return known
  const found = isbot(key)
  robots.set(key, found)
  return found
}

/** The pages of this site send no Referer; those of other sites that send none either are not counted where images have a host of their own. */
function isFromOwnPage({ MEDIA_ORIGIN }: Pick<Config, 'MEDIA_ORIGIN'>, headers: Headers): boolean {
  if (headers['sec-fetch-site'] === 'same-origin') return true
  return MEDIA_ORIGIN !== undefined && headers['sec-fetch-dest'] === 'image' && headers.referer === undefined
}
