// The page of a link (docs/decisions/0070): its images, its password, and all images as a ZIP file.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../../../../contract/plain/limits.ts'
import {
  linkAlbumPath,
  linkArchivePath,
  linkCollagePath,
  linkPath,
  linkPathOf,
} from '../../../../contract/plain/page-paths.ts'
import { collageOf, renderCollage } from '../../../domain/links/link-collage.ts'
import { openLink } from '../../../domain/links/open-link.ts'
import { enterLink } from '../../../domain/links/enter-link-password.ts'
import type { Deps } from '../../../domain/shared/deps.ts'
import { Failure } from '../../../domain/shared/failure.ts'
import { clientAddress } from '../../request/client-address.ts'
import { isForeignOrigin } from '../../request/cross-origin.ts'
import { imageBaseUrl } from '../../request/media-origin.ts'
import { countAddress } from '../../request/request-rate.ts'
import { addVary } from '../../request/vary.ts'
import { type HtmlPage, sendHtml } from '../html.ts'
import type { PageFrame } from '../page-frame.ts'
import { languageOf } from '../share/accepted-language.ts'
import { createLinkDownloads } from './link-download-limits.ts'
import { passwordPage, sendLinkFailure, sendPasswordPage } from './link-text-pages.ts'
import { linkPage } from './link-page.ts'
import { linkPreview, lockedPreview } from './link-preview.ts'
import { textIn, visitOf } from './link-visit.ts'
import { sendArchive } from './send-link-archive.ts'
import { shownLink } from './shown-link.ts'

interface LinkPages {
  frame: PageFrame
  /** Of the built script; undefined: the pages have none. */
  scriptPath: string | undefined
}

const routed = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')
const form = 'application/x-www-form-urlencoded'
const maxFormBytes = 4096

export function bindLinkPages(app: FastifyInstance, deps: Deps, pages: LinkPages): void {
  const { frame } = pages
  const startDownload = createLinkDownloads()
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(form, { parseAs: 'string', bodyLimit: maxFormBytes }, (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(body as string)))
    })
    scope.setErrorHandler((error, request, reply) =>
      sendLinkFailure(deps, frame, { request, reply, error: error as FastifyError }),
    )
    // Slugs can be guessed.
    scope.addHook('preHandler', async (request, reply) => countAddress(deps, reply, clientAddress(request)))
    scope.addHook('preHandler', async (request, reply) => redirectToLowerCase(request, reply))
    for (const url of [routed(linkPath), routed(linkAlbumPath)]) {
      scope.route({
        method: ['GET', 'HEAD'],
        url,
        handler: (request, reply) => sendLinkPage(deps, pages, request, reply),
      })
      scope.post(url, (request, reply) => enter(deps, request, reply))
    }
    scope.route({
      method: ['GET', 'HEAD'],
      url: routed(linkCollagePath),
      handler: (request, reply) => sendCollage(deps, request, reply),
    })
    scope.route({
      method: ['GET', 'HEAD'],
      url: routed(linkArchivePath),
      handler: (request, reply) => sendArchive(deps, startDownload, request, reply),
    })
  })
}

/**
 * The cookies of a link are set for its path, whose case browsers compare. Every slug is redirected, so that the response does
 * not tell whether the link exists.
 */
function redirectToLowerCase(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const { slug } = request.params as { slug: string }
  if (request.method === 'POST' || !/[A-Z]/.test(slug)) return undefined
  const [, , , ...rest] = request.url.split('?', 1)[0]?.split('/') ?? []
  const path = [linkPathOf(slug.toLowerCase()), ...rest].join('/')
  const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : ''
  return reply.header('cache-control', 'private, no-store').redirect(path + query, 302)
}

async function sendLinkPage(
  deps: Deps,
  { frame, scriptPath }: LinkPages,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { config } = deps
  const visit = visitOf(deps, request)
  const cursor = textIn(request.query, 'cursor')
  const opened = await openLink(deps, { ...visit, cursor, limit: limits.links.page })
  const language = languageOf(request.headers['accept-language'])
  const origins = { baseUrl: imageBaseUrl(config, request), siteUrl: visit.siteUrl }
  addVary(reply, 'Accept-Language')
  reply.header('x-robots-tag', 'noindex')
  if (opened.kind === 'password') {
    const preview = lockedPreview({ site: config.SITE_NAME, siteUrl: origins.siteUrl, language })
    return sendPasswordPage(reply, passwordPage({ frame, language, preview }), origins.baseUrl)
  }
  if (opened.setCookie !== undefined) reply.header('set-cookie', opened.setCookie)
  const shown = shownLink(opened, { language, isFirst: cursor === undefined })
  const preview = linkPreview(shown, { site: config.SITE_NAME, origins, language })
  const page: HtmlPage = linkPage({ shown, origins, frame, language, scriptPath, preview })
  // Neither a cache nor the back button may show it to somebody who may no longer see it.
  return sendHtml(reply.header('cache-control', 'private, no-store'), page, origins.baseUrl)
}

/** @throws {Failure} foreign_form, and as enterLink */
async function enter(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (isForeignOrigin(deps.config, request)) throw new Failure('foreign_form')
  const { slug, albumId, cookie: sent, siteUrl } = visitOf(deps, request)
  const password = textIn(request.body, 'password') ?? ''
  const cookies = await enterLink(deps, { slug, cookie: sent, password, address: clientAddress(request), siteUrl })
  const headers = { 'set-cookie': cookies, 'cache-control': 'private, no-store' }
  return reply.headers(headers).redirect(linkPathOf(slug, albumId), 303)
}

/**
 * Of the images that visitors see now, whatever version was asked for. Nobody visits the link by it.
 * @throws {Failure} link_not_found: also with a password, or without enough images; robot_excluded; as getOrRenderVariant
 */
async function sendCollage(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const visit = { ...visitOf(deps, request), cookie: undefined, isRobot: true }
  const albumId = textIn(request.query, 'album')
  const opened = await openLink(deps, { ...visit, albumId, limit: limits.links.page })
  const collage = opened.kind === 'open' ? collageOf(opened) : null
  if (opened.kind !== 'open' || collage === null) throw new Failure('link_not_found')
  const file = await renderCollage(deps, opened.link, collage, { address: clientAddress(request) })
  reply.headers({
    'content-type': 'image/jpeg',
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
  })
  return reply.send(await file.read())
}
