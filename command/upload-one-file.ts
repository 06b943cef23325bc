// Uploads one file, unless an earlier run has: then its image, if that is still there, is the result.
import { createHash, randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type ImageHost, RequestFailed, type UploadedImage } from '../client/index.ts'
import { limits } from '../contract/plain/limits.ts'
import { bytesText, type Task } from '../server/command.ts'
import type { Login } from './login-file.ts'
import type { Progress } from './progress.ts'
import type { HostedImage, Journal } from './upload-journal.ts'
import type { Settings } from './upload-options.ts'
import type { Outcome } from './upload-report.ts'

const servedTimeoutMs = 10_000

export interface Uploader {
  settings: Settings
  albumId: string | undefined
  login: Login
  server: ImageHost
  journal: Journal
  progress: Progress
  /** Aborted by Ctrl-C, and by failures that all further uploads would meet. */
  stopping: AbortController
  print: Task['print']
}

export class Interrupted extends Error {}

/** Never rejects. */
export async function upload(uploader: Uploader, file: string): Promise<Outcome> {
  const { settings, stopping, progress } = uploader
  if (stopping.signal.aborted) return { file, status: 'not tried' }
  try {
    const content = await openContent(file)
    const outcome = { file, ...(await uploadOnce(uploader, file, content)) }
    progress.add(file, content.size, outcome.status === 'uploaded')
    return outcome
  } catch (error) {
    if (stopping.signal.aborted) return { file, status: 'not tried' }
    progress.add(file, 0, false)
    const failure = toError(error)
    if (isForAll(failure, settings.watch !== undefined)) stopping.abort(failure)
    return { file, status: 'failed', error: failure }
  }
}

export function toError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  return error.name === 'NotReadableError' ? new Error('the file was changed while it was read') : error
}

async function uploadOnce(
  { settings, albumId, login, server, journal, progress }: Uploader,
  file: string,
  content: Blob,
): Promise<{ status: 'uploaded' | 'already uploaded'; image: HostedImage }> {
  const { expiresIn, visibility, tags, isAgain } = settings
  const fileName = settings.name ?? nameOf(file)
  const digest = await digestOf(content)
  const parts = [login.url, login.apiKey, fileName, expiresIn, digest]
  // Only where it is given: the keys of what older versions uploaded are without it.
  if (visibility !== undefined) parts.push(visibility)
  const key = isAgain ? randomUUID() : journal.keyOf(parts)
  const earlier = journal.find(key)
  if (earlier !== undefined && (await stillExists(server, earlier)))
    return { status: 'already uploaded', image: earlier }
  // A part that was sent for another album or other tags would get those.
  const uploadKey = isAgain ? key : journal.keyOf([...parts, albumId, ...tags])
  const uploadUrl = journal.findStarted(uploadKey)
  if (uploadUrl === undefined) progress.start(file)
  const uploaded = await server.uploadImage(content, {
    fileName,
    expiresIn,
    visibility,
    tags,
    album: albumId,
    idempotencyKey: uploadKey,
    uploadUrl,
    onUploadUrl: (url) => void journal.addStarted(uploadKey, url),
    onProgress: (sentBytes) => progress.sent(file, sentBytes),
  })
  const image = withoutAliases(uploaded)
  await journal.add(key, image, { albumIds: albumId === undefined ? [] : [albumId], tags })
  return { status: 'uploaded', image }
}

async function digestOf(content: Blob): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of content.stream()) hash.update(chunk)
  return hash.digest('hex')
}

function withoutAliases(uploaded: UploadedImage): HostedImage {
  const { success, code, result, message, thumb, del, data, ...image } = uploaded
  return image
}

/** Whether the image still exists. When in doubt it is uploaded: the server recognizes the key for a day. */
async function stillExists(server: ImageHost, { id, url, visibility }: HostedImage): Promise<boolean> {
  try {
    if (visibility === 'private') return (await server.getImage({ params: { id } })).id === id
    return (await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(servedTimeoutMs) })).ok
  } catch (error) {
    // A key that may only upload is not told. Uploading again would make another image.
    return error instanceof RequestFailed && error.code === 'api_key_scope'
  }
}

/** A file is read when its bytes are needed. @throws with a message for people */
async function openContent(file: string): Promise<Blob> {
  const content = file === '-' ? new Blob([await buffer(process.stdin)]) : await openAsBlob(await withinLimit(file))
  if (content.size === 0) throw new Error('the file is empty')
  return content
}

async function withinLimit(file: string): Promise<string> {
  const { size } = await stat(file)
  const { maxMaxBytes } = limits.upload
  if (size > maxMaxBytes)
    throw new Error(`${bytesText(size)} is larger than any server accepts, ${bytesText(maxMaxBytes)}`)
  return file
}

const nameOf = (file: string) => (file === '-' ? 'image' : basename(file))

/** Whether all further uploads would fail as well. */
function isForAll(error: Error, isWatching: boolean): boolean {
  if (!(error instanceof RequestFailed)) return false
  if (error.status === 0) return !isWatching
  return error.status === 401 || (error.status === 403 && error.code !== 'image_blocked')
}
