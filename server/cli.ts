// The operator's commands, on the same domain functions as the API.
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { closeDeps, openDeps } from './app.ts'
import { ConfigError, readConfig } from './config.ts'
import { promote } from './domain/accounts/admins.ts'
import type { Deps } from './domain/deps.ts'
import { Failure } from './domain/failure.ts'
import { loggerOptions } from './logger.ts'

interface Command {
  usage: string
  help: string
  run: (deps: Deps, args: string[]) => Promise<string>
}

const commands: Record<string, Command> = {
  promote: {
    usage: 'promote EMAIL',
    help: 'makes the account with this email an admin',
    async run(deps, [email]) {
      if (email === undefined) throw new UsageError('promote needs an email')
      return `${(await promote(deps, email)).email} is an admin now.`
    },
  },
}

class UsageError extends Error {}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: { help: { type: 'boolean', short: 'h' } },
})
process.exitCode = await main(positionals, values.help === true)

async function main([name, ...args]: string[], wantsHelp: boolean): Promise<number> {
  const command = name === undefined ? undefined : commands[name]
  if (wantsHelp || name === undefined || name === 'help') return say(help(), 0)
  if (!command) return say(`There is no command ${name}.\n\n${help()}`, 2)
  try {
    const config = readConfig(process.env)
    const deps = await openDeps(config, { log: pino(loggerOptions('warn'), process.stderr) })
    try {
      return say(await command.run(deps, args), 0)
    } finally {
      await closeDeps(deps)
    }
  } catch (error) {
    if (error instanceof UsageError) return say(`${error.message}.\n\n${help()}`, 2)
    if (error instanceof Failure || error instanceof ConfigError) return say(error.message, 1)
    throw error
  }
}

function say(text: string, exitCode: number): number {
  ;(exitCode === 0 ? process.stdout : process.stderr).write(`${text}\n`)
  return exitCode
}

function help(): string {
  const lines = Object.values(commands).map(({ usage, help: text }) => `  ${usage.padEnd(20)} ${text}`)
  return [
    'Usage: npm run cli -- COMMAND',
    '',
    ...lines,
    '',
    'Settings are read as by the server: DATA_DIR says which instance.',
  ].join('\n')
}
