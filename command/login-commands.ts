import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { connect, RequestFailed } from '../client/index.ts'
import { type Command, CommandFailed, type Task, namedArguments, UsageError } from '../server/command.ts'
import { readSecret } from '../server/cli/read-secret.ts'
import { loginPath, originOf, writeLoginFile } from './login-file.ts'

export const loginCommands = {
  login: {
    usage: 'login [URL]',
    help: 'stores the address of a server and an API key for it',
    details:
      'The key is prompted for, or read from the first line of standard input. Create it on the page API Keys of the\n' +
      'server: scope upload suffices for uploads, read for list, manage for delete and extend. An empty key stores the\n' +
      'address only: uploads are then those of a guest. IMAGE_HOST_URL and IMAGE_HOST_KEY take precedence over the login.',
    async run({ args, print }) {
      const given = args.length === 0 ? await readAddress() : namedArguments(args, 'URL').URL
      const url = originOf(/^\w+:\/\//.test(given) ? given : `https://${given}`)
      const apiKey = (await readSecret('API key (leave empty to upload as a guest): ')).trim() || undefined
      await verify(url, apiKey)
      if (apiKey !== undefined && url.startsWith('http://') && !isThisMachine(url))
        process.stderr.write(`Warning: ${url} is not encrypted. Others on the network can read the key.\n`)
      await writeLoginFile({ url, apiKey })
      print(`Logged in to ${url}${apiKey === undefined ? ' as a guest' : ''}. Stored in ${loginPath()}`)
    },
  },

  logout: {
    usage: 'logout',
    help: 'deletes the stored address and API key',
    async run({ args, print }) {
      namedArguments(args)
      await rm(loginPath(), { force: true })
      print('The stored login is deleted. The key itself is valid until you delete it on the page API Keys.')
    },
  },
} satisfies Record<string, Command<Task>>

/** A key without the scope read is refused with a code of its own, and is valid. */
async function verify(url: string, apiKey: string | undefined): Promise<void> {
  const server = connect({ url, apiKey, attempts: 2 })
  await server.getLimits()
  if (apiKey === undefined) return
  await server.listImages({ query: { limit: '1' } }).catch((error: unknown) => {
    if (!(error instanceof RequestFailed) || error.code !== 'api_key_scope') throw error
  })
}

const isThisMachine = (url: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

async function readAddress(): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError('URL is missing')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question('Address of the server: ')).trim()
  } catch (error) {
    throw new CommandFailed('No address was entered', { cause: error })
  } finally {
    terminal.close()
  }
}
