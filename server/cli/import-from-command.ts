import { resolve } from 'node:path'
import { auditAlone } from '../domain/audit/audit.ts'
import { findByEmail } from '../domain/accounts/account-rows.ts'
import type { Deps } from '../domain/shared/deps.ts'
import { Failure } from '../domain/shared/failure.ts'
import { withDataDirLockIfFree } from '../db/data-dir-lock.ts'
import { type Command, type Task, UsageError } from '../command.ts'
import { openReport } from '../importers/import-report.ts'
import { runImport } from '../importers/run-import.ts'
import { sources } from '../importers/sources.ts'
import { untilStopped } from './until-stopped.ts'

const width = Math.max(...Object.keys(sources).map((kind) => kind.length))

export const importFromCommand: Command = {
  usage: 'import-from KIND LOCATION... [OPTION...]',
  help: 'imports accounts and images of another host, of folders, archives or a list of URLs',
  details:
    'KIND and LOCATION:\n' +
    Object.entries(sources)
      .map(([kind, { help }]) => `  ${kind.padEnd(width)}  ${help}\n`)
      .join('') +
    'Options:\n' +
    '  --files FOLDER         where the pictures are that a database names\n' +
    '  --owner EMAIL          account of pictures without an owner; needed for files and urls\n' +
    '  --name NAME            distinguishes several sources of one kind; default: KIND\n' +
    '  --email-domain DOMAIN  for accounts that have no email there: NAME@DOMAIN; default: imported.invalid\n' +
    '  --report FILE          writes a line of CSV for each account and picture\n' +
    '  --dry-run              reads everything and changes nothing here\n' +
    'Nothing is changed at the source. A second run imports only what is missing. The server may be running.\n' +
    'Exits with 1 when there are pictures that could not be imported.',
  options: {
    files: { type: 'string' },
    owner: { type: 'string' },
    name: { type: 'string' },
    'email-domain': { type: 'string' },
    report: { type: 'string' },
    'dry-run': { type: 'boolean' },
  },
  async run({ deps, args, options, print }) {
    const { source, paths, name, owner, domain } = await readArguments(deps, args, options)
    const isDryRun = options['dry-run'] === true
    const opened = await source.open({ deps, paths, files: textOf(options, 'files') })
    const reportPath = textOf(options, 'report')
    const report = reportPath === undefined ? null : await openReport(resolve(reportPath))
    try {
      return await withDataDirLockIfFree(deps.config.DATA_DIR, () =>
        untilStopped('The import was stopped. Run it again to continue', async (signal) => {
          if (!isDryRun)
            await auditAlone(deps, { actor: 'command_line', action: 'import_started', details: { source: name } })
          const { problems } = await runImport(deps, opened, { name, owner, domain, isDryRun, report, signal, print })
          return problems === 0 ? 0 : 1
        }),
      )
    } finally {
      await report?.close()
      await opened.close()
    }
  },
}

/** @throws {UsageError}; {Failure} user_not_found: the owner has no account here */
async function readArguments(deps: Deps, [kind = '', ...locations]: string[], options: Task['options']) {
  const source = Object.hasOwn(sources, kind) ? sources[kind] : undefined
  if (!source) throw new UsageError(`KIND must be one of ${Object.keys(sources).join(', ')}`)
  const [first, ...more] = locations
  if (first === undefined) throw new UsageError('LOCATION is missing')
  const domain = textOf(options, 'email-domain') ?? 'imported.invalid'
  if (!/^[a-z\d-]+(\.[a-z\d-]+)+$/i.test(domain)) throw new UsageError('--email-domain must be a domain')
  const ownerEmail = textOf(options, 'owner')
  if (source.needsOwner && ownerEmail === undefined) throw new UsageError('--owner EMAIL is missing')
  const owner = ownerEmail === undefined ? null : await findByEmail(deps, ownerEmail)
  if (owner === undefined) throw new Failure('user_not_found')
  // Files of one account may be imported for another one too.
  const name = textOf(options, 'name') ?? (source.needsOwner ? `${kind}:${owner?.id}` : kind)
  const paths: [string, ...string[]] = [first, ...more]
  return { source, paths, name, owner, domain }
}

const textOf = (options: Task['options'], name: string) => options[name] as string | undefined
