// The command `upload`: what it says about itself, and what a run of it needs.
import { stat } from 'node:fs/promises'
import { connect, type ImageHost, RequestFailed } from '../client/index.ts'
import { type Command, type Task, UsageError } from '../server/command.ts'
import { exitCodes } from './exit-codes.ts'
import { findFiles } from './find-files.ts'
import { linkFormatNames } from './link-formats.ts'
import { readLogin } from './login-file.ts'
import { showProgress } from './progress.ts'
import { uploadFiles, uploadNewFiles } from './upload-files.ts'
import { openJournal } from './upload-journal.ts'
import { Interrupted, type Uploader } from './upload-one-file.ts'
import { defaultJobs, maxJobs, readSettings } from './upload-options.ts'

/** A server demands a wait of an hour at most: until the next uploads of an hour are allowed. */
const maxWaitMs = 65 * 60_000
/** A server that has responded before is away for eight minutes at most: a restart, a tunnel, a change of the line. */
const attempts = 24

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
    const { files, others } = await findFiles(args, settings)
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
        ? uploadFiles(uploader, files, others)
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

async function bytesOf(files: string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (file === '-' ? 0 : (await stat(file)).size)))
  return sizes.reduce((sum, size) => sum + size, 0)
}
