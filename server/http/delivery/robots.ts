// Which clients are robots, such as makers of link previews, and which are programs with which people fetch images.
import type { FastifyRequest } from 'fastify'
import { isbot } from 'isbot'
import { createLru } from '../../concurrency/lru.ts'

type Headers = FastifyRequest['headers']

/** Clients send few different ones; the patterns take some microseconds. */
const robots = createLru<boolean>(10_000)
const maxUserAgentLength = 300

/** Programs with which people fetch images, which the list of robots includes. */
const programs =
  /^(?:aria2|axios|curl|dart|go-http-client|httpie|java|libwww|lwp|node|okhttp|php|python|ruby|undici|wget)/i

/** Returns whether the client is a crawler or makes link previews. */
export const isPreviewRobot = ({ 'user-agent': userAgent }: Headers): boolean =>
  userAgent !== undefined && isRobot(userAgent) && !programs.test(userAgent)

export function isRobot(userAgent: string | undefined): boolean {
  if (userAgent === undefined) return true
  const key = userAgent.slice(0, maxUserAgentLength)
  const known = robots.get(key)
  if (known !== undefined) return known
  const found = isbot(key)
  robots.set(key, found)
  return found
}
