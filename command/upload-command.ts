import { createHash, randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { connect, type ImageHost, RequestFailed, type UploadedImage } from '../client/index.ts'
import { cleanName } from '../contract/plain/clean-name.ts'
import { limits } from '../contract/plain/limits.ts'
import { normalizeTags, withoutBlank } from '../contract/plain/tag-names.ts'
import { bytesText, type Command, type Task, UsageError } from '../server/command.ts'
import { copyToClipboard } from './clipboard.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import { findFiles } from './find-files.ts'
import { type LinkFormatName, linkFormatNames, linkFormats } from './link-formats.ts'
import { type Login, readLogin } from './login-file.ts'
import { placeEarlier } from './place-earlier.ts'
import { type Progress, showProgress } from './progress.ts'
import { type HostedImage, type Journal, openJournal } from './upload-journal.ts'
import { watchFolder } from './watch-folder.ts'

const defaultJobs = 4
const maxJobs = 16
/** A server demands a wait of an hour at most: until the next uploads of an hour are allowed. */
const maxWaitMs = 65 * 60_000
/** A server that has responded before is away for eight minutes at most: a restart, a tunnel, a change of the line. */
const attempts = 24
const servedTimeoutMs = 10_000

export const uploadCommand: Command<Task> = {
  usage: 'upload FILE... [--recursive] [--watch FOLDER] [--copy FORMAT] [--json] [...]',
  help: 'uploads images and prints their links',
  details:
    'FILE is a file, a pattern such as "*.png", a folder with --recursive, or - for standard input.\n' +
    '  -r, --recursive      uploads the images in folders too\n' +
    '      --watch FOLDER   uploads each image that is written to FOLDER from now on, until Ctrl-C\n' +
    `  -f, --format FORMAT  prints links as ${linkFormatNames.join(', ')} (default url)\n` +
    '  -c, --copy FORMAT    copies the links to the clipboard, and prints them, in this format\n' +
    '      --json           prints one JSON object per file, also for failures\n' +
    '      --expires-in T   until the images expire: seconds, or a number with s, m, h or d, such as 12h\n' +
    '      --private        only you may view the images; their links need a view key\n' +
    '      --tags TAGS      tags of the images, with commas between them: travel/italy,sea\n' +
    '      --album ALBUM    adds the images to the album with this title or id; if there is none, creates it\n' +
    '      --name NAME      the name of the image, for standard input or a single file\n' +
    `      --jobs N         uploads N files at a time (default ${defaultJobs}, at most ${maxJobs})\n` +
    '      --again          uploads files that were uploaded before, as new images\n' +
    'Links are printed in the order of the files. A lost connection, a restart of the server, and a server that is busy or\n' +
    'limits the rate are waited for. After an interruption, run the same command again: files that were uploaded are\n' +
    'recognized by name, content and --expires-in while their images exist, and get the album and the tags; of the others\n' +
    'only what is missing is sent.\n' +
    'Exits with 0 when all files are uploaded, 1 when some failed, 2 for invalid usage, 3 without a valid key,\n' +
    '4 when the server cannot be reached, 130 after Ctrl-C (0 with --watch).',
  options: {
    recursive: { type: 'boolean', short: 'r' },
    watch: { type: 'string' },
    format: { type: 'string', short: 'f' },
    copy: { type: 'string', short: 'c' },
    json: { type: 'boolean' },
    'expires-in': { type: 'string' },
    private: { type: 'boolean' },
    tags: { type: 'string' },
    album: { type: 'string' },
    name: { type: 'string' },
    jobs: { type: 'string' },
    again: { type: 'boolean' },
  },
  async run({ args, options, print }) {
    const settings = readSettings(options)
    if (settings.watch === undefined && args.length === 0) throw new UsageError('FILE is missing')
    if (settings.watch !== undefined && args.length > 0) throw new UsageError('--watch takes no FILE')
    const files = await findFiles(args, settings)
    if (settings.name !== undefined && files.length !== 1) throw new UsageError('--name is for a single file')
    const login = await readLogin()

    const stopping = new AbortController()
    const stop = () => {
      if (stopping.signal.reason instanceof Interrupted) process.exit(exitCodes.interrupted)
      stopping.abort(new Interrupted())
    }
    // Not `once`: tus-js-client loads a package that ends the process when no listener but its own is left.
    process.on('SIGINT', stop).on('SIGTERM', stop)
    const progress = showProgress({ files: files.length, bytes: await bytesOf(files) })
    const server = connect({
      ...login,
      maxWaitMs,
      attempts,
      signal: stopping.signal,
      onRetry: ({ reason, waitMs }) => progress.wait(waitText(reason), waitMs),
    })
    const uploader: Uploader = {
      settings,
      albumId: undefined,
      login,
      stopping,
      progress,
      print,
      journal: await openJournal(({ message }) =>
        progress.write(() => process.stderr.write(`Uploads are not recorded, but go on: ${message}\n`)),
      ),
      server,
    }
    try {
      uploader.albumId = settings.album && (await requireAlbum(server, settings.album))
      return await (settings.watch === undefined
        ? uploadFiles(uploader, files)
        : uploadNewFiles(uploader, settings.watch))
    } finally {
      progress.end()
      process.off('SIGINT', stop).off('SIGTERM', stop)
    }
  },
}

/**
 * Returns the id of the album with this id or title, in whatever case; the newest of several. Creates it if there is none. A key
 * that may not read needs the id.
 */
async function requireAlbum(server: ImageHost, titleOrId: string): Promise<string> {
  try {
    const { items } = await server.listAlbums({})
    const albums = items.filter(({ role, query }) => role !== 'view' && query === null)
    const title = titleOrId.toLowerCase()
    const found =
      albums.find(({ id }) => id === titleOrId) ?? albums.find((album) => album.title.toLowerCase() === title)
    return found?.id ?? (await server.createAlbum({ body: { title: titleOrId } })).id
  } catch (error) {
    if (error instanceof RequestFailed && error.code === 'api_key_scope' && /^[\w-]{22}$/.test(titleOrId))
      return titleOrId
    throw error
  }
}

/** Whoever runs the server may raise it. */
const raisedBy = ' (set by RATE_LIMIT, USER_UPLOADS_PER_HOUR and GUEST_UPLOADS_PER_HOUR)'

/** Without "Try again": the command does. */
function waitText({ status, code, message }: RequestFailed): (duration: string) => string {
  if (status === 0) return () => 'Waiting for the connection'
  if (code === 'busy') return (duration) => `The server is busy; waiting ${duration}`
  if (status === 429) return (duration) => `Upload limit reached; waiting ${duration}${raisedBy}`
  return () => message
}

interface Settings {
  isRecursive: boolean
  watch: string | undefined
  format: LinkFormatName
  isCopied: boolean
  isJson: boolean
  expiresIn: string | undefined
  /** undefined: as the API key or the account has it. */
  visibility: 'private' | undefined
  tags: string[]
  /** Title or id. */
  album: string | undefined
  name: string | undefined
  jobs: number
  isAgain: boolean
}

/** @throws {UsageError} */
function readSettings(options: Record<string, unknown>): Settings {
  const text = (name: string) => options[name] as string | undefined
  const formatOf = (name: string) => {
    const given = text(name)
    const format = linkFormatNames.find((known) => known === given)
    if (given !== undefined && format === undefined)
      throw new UsageError(`--${name} must be one of ${linkFormatNames.join(', ')}`)
    return format
  }
  const [format, copy] = [formatOf('format'), formatOf('copy')]
  if (format !== undefined && copy !== undefined && format !== copy)
    throw new UsageError('--format and --copy must be the same format')
  const jobs = text('jobs') ?? String(defaultJobs)
  if (!/^\d{1,2}$/.test(jobs) || Number(jobs) < 1 || Number(jobs) > maxJobs)
    throw new UsageError(`--jobs must be a number from 1 to ${maxJobs}`)
  return {
    isRecursive: options['recursive'] === true,
    watch: text('watch'),
    format: copy ?? format ?? 'url',
    isCopied: copy !== undefined,
    isJson: options['json'] === true,
    expiresIn: text('expires-in'),
    visibility: options['private'] === true ? 'private' : undefined,
    tags: readTags(text('tags')),
    album: readAlbum(text('album')),
    name: text('name'),
    jobs: Number(jobs),
    isAgain: options['again'] === true,
  }
}

/** @throws {UsageError} */
function readTags(given = ''): string[] {
  const tags = normalizeTags(withoutBlank(given.split(',')))
  if (!tags) throw new UsageError('--tags must be tags such as travel/italy, with commas between them')
  return tags
}

/** @throws {UsageError} */
function readAlbum(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const album = cleanName(given.trim())
  if (album === '' || album.length > limits.albums.maxTitleLength)
    throw new UsageError(`--album must be a title of at most ${limits.albums.maxTitleLength} characters, or an id`)
  return album
}

interface Uploader {
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

class Interrupted extends Error {}

type Outcome = { file: string } & (
  | { status: 'uploaded' | 'already uploaded'; image: HostedImage }
  | { status: 'failed'; error: Error }
  | { status: 'not tried' }
)

/** @returns the exit code */
async function uploadFiles(uploader: Uploader, files: string[]): Promise<number> {
  const { settings, stopping } = uploader
  const withLimit = createLimit(settings.jobs)
  const uploads = files.map((file) => withLimit(() => upload(uploader, file)))
  const outcomes: Outcome[] = []
  for (const pending of uploads) {
    const outcome = await pending
    report(uploader, outcome)
    outcomes.push(outcome)
  }
  const placing = await placedEarlier(uploader, outcomes)
  uploader.progress.end()
  if (files.length > 1 || stopping.signal.aborted) process.stderr.write(`${summaryOf(outcomes)}\n`)
  if (settings.isCopied) await copyToClipboard(outcomes.flatMap((outcome) => linkOf(outcome, settings)).join('\n'))
  const { reason } = stopping.signal
  if (reason instanceof Interrupted) return exitCodes.interrupted
  if (reason !== undefined) return exitCodeOf(reason)
  if (placing !== undefined) return exitCodeOf(placing)
  return outcomes.some(({ status }) => status === 'failed') ? exitCodes.failed : exitCodes.done
}

/** @returns why images of earlier runs did not get the album or the tags */
async function placedEarlier(
  { settings: { tags }, albumId, login, server, journal, stopping, progress }: Uploader,
  outcomes: readonly Outcome[],
): Promise<unknown> {
  const ids = outcomes.flatMap((outcome) => (outcome.status === 'already uploaded' ? [outcome.image.id] : []))
  // Images of guests have neither.
  if (stopping.signal.aborted || login.apiKey === undefined) return undefined
  try {
    await placeEarlier({ server, journal, albumId, tags }, ids)
    return undefined
  } catch (error) {
    const { message } = toError(error)
    const asked = [albumId !== undefined && 'added to the album', tags.length > 0 && 'tagged'].filter(Boolean)
    progress.write(() =>
      process.stderr.write(`Some images that were uploaded before could not be ${asked.join(' or ')}: ${message}\n`),
    )
    return error
  }
}

/** Until Ctrl-C. A failure does not end it, unless all further uploads would be refused. */
async function uploadNewFiles(uploader: Uploader, folder: string): Promise<number> {
  const { settings, stopping } = uploader
  process.stderr.write(`Watching ${folder}. Ctrl-C ends it.\n`)
  try {
    for await (const file of watchFolder(folder, { ...settings, signal: stopping.signal })) {
      const outcome = await upload(uploader, file)
      report(uploader, outcome)
      await placedEarlier(uploader, [outcome])
      if (settings.isCopied && 'image' in outcome) await copyToClipboard(linkOf(outcome, settings).join(''))
    }
  } catch (error) {
    if (!stopping.signal.aborted) throw error
  }
  const { reason } = stopping.signal
  return reason instanceof Interrupted ? exitCodes.done : exitCodeOf(reason)
}

/** Never rejects. */
async function upload(uploader: Uploader, file: string): Promise<Outcome> {
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

function toError(error: unknown): Error {
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

function report({ settings, progress, print }: Uploader, outcome: Outcome): void {
  const { file, status } = outcome
  progress.write(() => {
    if (settings.isJson) print(JSON.stringify(jsonOf(outcome)))
    else if (status === 'failed') process.stderr.write(`${file}: ${outcome.error.message}\n`)
    else linkOf(outcome, settings).forEach(print)
  })
}

function jsonOf(outcome: Outcome): object {
  if (outcome.status !== 'failed') return outcome
  const { file, status, error } = outcome
  return { file, status, error: error.message, ...(error instanceof RequestFailed && { code: error.code }) }
}

const linkOf = (outcome: Outcome, { format }: Settings) =>
  'image' in outcome ? [linkFormats[format](outcome.image)] : []

function summaryOf(outcomes: Outcome[]): string {
  const counts = (['uploaded', 'already uploaded', 'failed', 'not tried'] as const).map((status) => ({
    status,
    count: outcomes.filter((outcome) => outcome.status === status).length,
  }))
  const parts = counts.filter(({ count }) => count > 0).map(({ status, count }) => `${count} ${status}`)
  const isIncomplete = outcomes.some(({ status }) => status === 'not tried')
  return `${parts.join(', ')}.${isIncomplete ? ' Run the same command again to upload the rest.' : ''}`
}

/** Returns a function that runs at most `max` of its calls at a time, in their order. */
function createLimit(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running === max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

async function bytesOf(files: string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (file === '-' ? 0 : (await stat(file)).size)))
  return sizes.reduce((sum, size) => sum + size, 0)
}
