import { pino } from 'pino'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { loggerOptions } from '../logger.ts'
import { type Command, namedArguments, type Task } from '../command.ts'
import { instanceChecks, machineChecks } from './doctor-checks.ts'
import type { Finding } from './finding.ts'
import { findUnknownSettings } from '../unknown-settings.ts'

export const doctorCommand: Command<Task> = {
  usage: 'doctor',
  help: 'checks machine, settings, data folder, database, store, decoders, mail, proxy and clock, and says what to do',
  details:
    'It changes nothing. The server may be running. Exits with 1 when there is a problem; warnings do not count.',
  async run({ args, print }) {
    namedArguments(args)
    const levels = new Set<Finding['level']>()
    const show = ({ level, text, advice }: Finding) => {
      levels.add(level)
      print(`${level.padEnd('problem'.length)}  ${text}`)
      if (advice !== undefined) print(`${' '.repeat('problem'.length)}  ${advice}`)
    }
    const log = pino(loggerOptions('silent'))
    for (const check of machineChecks) (await check()).forEach(show)
    const config = readSettings(show)
    if (config) for (const check of instanceChecks) (await check(config, log)).forEach(show)
    return levels.has('problem') ? 1 : 0
  },
}

/** A misspelt name may be why another setting is missing, so names are checked in any case. */
function readSettings(show: (finding: Finding) => void): Config | undefined {
  try {
    const config = readConfig(process.env)
    show({ level: 'ok', text: 'Settings are valid' })
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const line of error.message.split('\n'))
      show({ level: 'problem', text: line, advice: 'Correct the setting: docs/configuration.md describes it.' })
    return undefined
  } finally {
    for (const { text } of findUnknownSettings(process.env)) show({ level: 'warning', text })
  }
}
