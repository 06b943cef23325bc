// Fills an instance with realistic sample data, for demonstrations, API trials and screenshots.
import { findStoredValue, storeValue } from '../db/stored-values.ts'
import { withDataDirLockIfFree } from '../db/data-dir-lock.ts'
import { CommandRefused } from '../domain/backups/command-refused.ts'
import type { Deps } from '../domain/shared/deps.ts'
import { type Command, namedArguments, type Task, UsageError } from '../command.ts'
import { seedDocuments } from './seed/seed-documents.ts'
import { seedMessages } from './seed/seed-messages.ts'
import { type SeededAccount, seedAdmin, seedUsers } from './seed/seed-accounts.ts'
import { uploadSampleImages } from './seed/upload-samples.ts'
import { createWaitWhileBusy } from '../importers/wait-while-busy.ts'

const defaultImages = 300
const maxImages = 5000
/** Settings row with the progress of the sample set. */
const mark = 'sample_set'

export const seedCommand: Command = {
  usage: 'seed [--pictures N] [--force]',
  help: 'adds sample data: accounts, images, API keys, messages and collections',
  details:
    `Renders and uploads N pictures (default ${defaultImages}) with upload times over the last year; some have expired or expire soon.\n` +
    'Each account gets a random password, printed once, which ends after 24 hours unless it is changed. An admin is created when there is none. No mail is sent.\n' +
    'A second run does nothing; after an interrupted run it continues. --force adds the missing sample data, and is\n' +
    'required when the instance contains other pictures or documents. The server may be running.',
  options: { pictures: { type: 'string' }, force: { type: 'boolean' } },
  async run({ deps, args, options, print }) {
    namedArguments(args)
    const count = readCount(options['pictures'])
    if (!(await maySeed(deps, options['force'] === true, print))) return
    await withDataDirLockIfFree(deps.config.DATA_DIR, async () => {
      await storeValue(deps.db, mark, 'unfinished')
      // Sample data is announced to no one.
      if (await seed({ ...deps, mail: null }, { count, print })) await storeValue(deps.db, mark, 'complete')
    })
  },
}

interface SeedOptions {
  /** Of pictures. */
  count: number
  print: Task['print']
  /** Prints that the command waits. Default: `print`. */
  printWait?: Task['print']
  signal?: AbortSignal
}

/** @returns whether the sample set is complete. @throws the reason of the signal */
export async function seed(deps: Deps, { count, print, printWait = print, signal }: SeedOptions): Promise<boolean> {
  const admin = await seedAdmin(deps)
  const people = await seedUsers(deps)
  // Printed before the images are uploaded, so that an interrupted command has shown the passwords.
  printAccounts([...(admin ? [admin] : []), ...people], print)
  const owners = people.filter(({ account }) => account.status === 'Active').map(({ account }) => account)
  for (const { name, inserted } of await seedDocuments(deps)) print(`${inserted} documents were added to ${name}.`)
  print(`${await seedMessages(deps)} contact messages were added.`)
  // Loads sharp, which the other commands need not wait for.
  const { createSampleImages } = await import('./seed/sample-images.ts')
  const images = createSampleImages(count, owners.length)
  const progress = (done: number, of: number) => {
    if (done % 25 === 0 && done < of) print(`${done} of ${of} pictures`)
  }
  const waitWhileBusy = createWaitWhileBusy({ now: deps.now, print: printWait, signal })
  const { uploaded, leftOut } = await uploadSampleImages(deps, { images, owners, progress, waitWhileBusy, signal })
  print(`${uploaded} pictures were uploaded.`)
  for (const { name, why } of leftOut) print(`${name} was not uploaded: ${why}`)
  if (leftOut.length > 0) print('Run the command again to upload the missing pictures.')
  return leftOut.length === 0
}

function printAccounts(accounts: SeededAccount[], print: Task['print']): void {
  const made = accounts.filter(({ password }) => password !== null)
  if (made.length === 0) return print('The accounts already exist.')
  print(`Created ${made.length} accounts. Their passwords, shown only once, for 24 hours unless changed:`)
  for (const { account, password } of made) {
    const what = account.role === 'admin' ? '  (admin)' : account.status === 'Active' ? '' : '  (inactive)'
    print(`  ${account.email.padEnd(20)}  ${password}${what}`)
  }
}

/** @throws {CommandRefused} when the instance has other data */
async function maySeed({ db }: Deps, isForced: boolean, print: Task['print']): Promise<boolean> {
  if (isForced) return true
  const state = await findStoredValue(db, mark)
  if (state === 'complete') {
    print('The sample data already exists; nothing was changed. --force adds missing parts.')
    return false
  }
  if (state !== undefined) return true
  const image = await db.selectFrom('images').select('id').limit(1).executeTakeFirst()
  const collection = await db
    .selectFrom('collections')
    .select('id')
    .where('name', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (image || collection) {
    throw new CommandRefused(
      `This instance has ${image ? 'pictures' : 'documents'} already. --force adds the sample data`,
    )
  }
  return true
}

/** @throws {UsageError} */
function readCount(given: unknown): number {
  if (given === undefined) return defaultImages
  const count = typeof given === 'string' && /^\d{1,4}$/.test(given) ? Number(given) : Number.NaN
  if (count <= maxImages) return count
  throw new UsageError(`--pictures must be a whole number from 0 to ${maxImages}`)
}
