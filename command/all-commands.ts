import type { Command, Task } from '../server/command.ts'
import { clientCommands } from './client-commands.ts'
import { completionCommand } from './completion-command.ts'

type Commands = Record<string, Command<Task>>

/**
 * Every command by its name, in groups by their titles in the help.
 * Loads the libraries of the server too: 0.3 s, which the commands of the client need not wait for.
 */
export async function loadGroups(): Promise<Record<string, Commands>> {
  const { serverCommands } = await import('../server/cli/server-commands.ts')
  return {
    'Images on a server': clientCommands,
    'A server on this machine': { start: startCommand, ...serverCommands },
    Shell: { completion: completionCommand(loadCommands) },
  }
}

export const loadCommands = async (): Promise<Commands> => Object.assign({}, ...Object.values(await loadGroups()))

const startCommand: Command<Task> = {
  usage: 'start',
  help: 'starts a server on this machine',
  details:
    'Settings are environment variables; every default works. DATA_DIR selects the instance. Ctrl-C stops the server\n' +
    'after the requests in flight are finished.',
  async run() {
    await import('../server/main.ts')
  },
}
