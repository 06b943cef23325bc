// Which requests are views of an image, which are counted (docs/decisions/0046).
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { isRobot } from './robots.ts'

type Headers = FastifyRequest['headers']

/**
 * Returns whether a request for an image or a share page is a view: not of a robot or a program, and
 * not of a page of this site, such as its owner's gallery.
 */
export const isView = (config: Pick<Config, 'MEDIA_ORIGIN'>, headers: Headers): boolean =>
  !isFromOwnPage(config, headers) && !isRobot(headers['user-agent'])

/** The pages of this site send no Referer; those of other sites that send none either are not counted where images have a host of their own. */
function isFromOwnPage({ MEDIA_ORIGIN }: Pick<Config, 'MEDIA_ORIGIN'>, headers: Headers): boolean {
  if (headers['sec-fetch-site'] === 'same-origin') return true
  return MEDIA_ORIGIN !== undefined && headers['sec-fetch-dest'] === 'image' && headers.referer === undefined
}
