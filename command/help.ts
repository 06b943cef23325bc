import type { Command, Task } from '../server/command.ts'
import { commandPrefix } from '../server/command-prefix.ts'

export function allHelp(groups: Record<string, Record<string, Command<Task>>>): string {
  const sections = Object.entries(groups).map(([title, commands]) => {
    const lines = Object.values(commands).map(({ usage, help }) => `  ${usage}\n      ${help}`)
    return `${title}:\n${lines.join('\n')}\n`
  })
  return `Usage: ${commandPrefix}COMMAND

${sections.join('\n')}
${commandPrefix}COMMAND --help shows details. Commands of the server read its settings; DATA_DIR selects the instance.
--version prints the version.`
}

export const helpOf = ({ usage, help, details }: Command<Task>): string =>
  [`Usage: ${commandPrefix}${usage}`, '', `This command ${help}.`, ...(details === undefined ? [] : [details])].join(
    '\n',
  )

/** After an error in the usage. */
export const usageOf = ({ usage }: Command<Task>): string =>
  `Usage: ${commandPrefix}${usage}\n${commandPrefix}${usage.split(' ', 1)[0]} --help shows details.`
