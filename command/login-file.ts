// Server and API key: from the environment, else from the file that `image-host login` writes.
import { join } from 'node:path'
import { CommandFailed, UsageError } from '../server/command.ts'
import { foldersOf } from './folders.ts'
import { readIfThere, writePrivateFile } from './private-file.ts'

export interface Login {
  /** Origin of the server. */
  url: string
  /** Undefined for a guest. */
  apiKey: string | undefined
}

export class NotLoggedIn extends Error {
  override name = 'NotLoggedIn'
}

export const loginPath = () => join(foldersOf().config, 'login.json')

/** @throws {NotLoggedIn} when no server is known */
export async function readLogin(): Promise<Login> {
  const { IMAGE_HOST_URL: url, IMAGE_HOST_KEY: apiKey } = process.env
  const stored = await readLoginFile()
  const server = url === undefined || url === '' ? stored?.url : originOf(url, 'IMAGE_HOST_URL: ')
  if (server === undefined)
    throw new NotLoggedIn('No server is known. Run image-host login, or set IMAGE_HOST_URL and IMAGE_HOST_KEY')
  // The stored key is for the stored server only.
  const storedKey = stored?.url === server ? stored.apiKey : undefined
  return { url: server, apiKey: apiKey === undefined || apiKey === '' ? storedKey : apiKey }
}

export const writeLoginFile = (login: Login) => writePrivateFile(loginPath(), `${JSON.stringify(login, null, 2)}\n`)

/** @throws {UsageError} with `prefix` before its message */
export function originOf(given: string, prefix = ''): string {
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new UsageError(`${prefix}${given} is not the address of a server, such as https://img.example.com`)
  return new URL(given).origin
}

async function readLoginFile(): Promise<Login | undefined> {
  const path = loginPath()
  const text = await readIfThere(path)
  if (text === undefined) return undefined
  try {
    const { url, apiKey } = JSON.parse(text) as Partial<Login>
    if (typeof url === 'string' && ['string', 'undefined'].includes(typeof apiKey)) return { url, apiKey }
  } catch {
    // As below.
  }
  throw new CommandFailed(`${path} is not a login. Run image-host login`)
}
