// What a real client is given, and what it must return.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export interface Context {
  /** Of the running server. */
  origin: string
  /** Of the scope `upload`. */
  key: string
  /** Of the scope `manage`, for clients that delete by their key. */
  manageKey: string
  /** An empty album of the account, by its id and by the number that Lsky Pro's clients know it by. */
  album: { id: string; number: string }
  /** A JPEG that no other run uploads. */
  photo: string
  /** For configuration; its node_modules has the clients from npm. */
  folder: string
}

export interface Uploaded {
  /** As the client shows it. */
  link: string
  /** The album that the client made itself; else it is that of the context. */
  album?: string
  /** Deletes the image as the client does; absent where it cannot. */
  remove?: () => Promise<unknown>
}

export interface ClientRun {
  /** With its version. */
  client: string
  /** The interface that it uses here. */
  api: string
  /** What the client names the album in; absent: it cannot, so that its keys are bound to the album. 'none': a guest. */
  album?: string
  /** Programs that it needs. */
  programs?: readonly string[]
  upload: (context: Context) => Promise<Uploaded>
}

const timeoutMs = 60_000
const execute = promisify(execFile)

/** Runs a program and returns its output. @throws with all output when it fails */
export async function outputOf(
  program: string,
  args: readonly string[],
  { env = {}, cwd }: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<string> {
  try {
    const { stdout } = await execute(program, args, {
      env: { ...process.env, ...env },
      timeout: timeoutMs,
      ...(cwd !== undefined && { cwd }),
    })
    return stdout
  } catch (error) {
    const { stdout, stderr, message } = error as { stdout: string; stderr: string; message: string }
    throw new Error([message, stdout, stderr].join('\n'), { cause: error })
  }
}

/** Presses the button of the page at a deletion URL. */
export const confirmDeletion = (url: string) => fetch(url, { method: 'POST' })
