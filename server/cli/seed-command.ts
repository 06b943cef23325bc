// Fills an instance with realistic sample data, for demonstrations, API trials and screenshots.
import { DataDirInUse, lockDataDir } from '../db/data-dir-lock.ts'
import { CommandRefused } from '../domain/database/command-refused.ts'
import type { Deps } from '../domain/deps.ts'
import { type Command, named, type Task, UsageError } from './command.ts'
import { seedCollections } from './seed/seed-collections.ts'
import { seedMessages } from './seed/seed-messages.ts'
import { type SeededAccount, seedAdmin, seedPeople } from './seed/seed-accounts.ts'
import { samplePictures } from './seed/sample-images.ts'
import { uploadPictures } from './seed/upload-samples.ts'

const defaultPictures = 300
const maxPictures = 5000
/** Settings row with the progress of the sample set. */
const mark = 'sample_set'

export const seedCommand: Command = {
  usage: 'seed [--pictures N] [--force]',
  help: 'fills an instance with a sample set: accounts, pictures, API keys, messages and collections',
  details:
    `Without --pictures ${defaultPictures} pictures are drawn and uploaded, as if over the last year; some have expired or will soon.\n` +
    'Each account gets a random password, shown once. An admin is made only where there is none. Nothing is mailed.\n' +
    'A second run does nothing, and one that was cut short is taken up again. --force adds what is missing of the\n' +
    'set, and is needed where pictures or documents of others are. The server may run meanwhile.',
  options: { pictures: { type: 'string' }, force: { type: 'boolean' } },
  async run({ deps, args, options, say }) {
    named(args)
    const count = readCount(options['pictures'])
    if (!(await maySeed(deps, options['force'] === true, say))) return
    await withDataDirIfFree(deps.config.DATA_DIR, async () => {
      await setMark(deps, 'unfinished')
      if (await seed(deps, count, say)) await setMark(deps, 'complete')
    })
  },
}

/** @returns whether the sample set is complete */
async function seed(deps: Deps, count: number, say: Task['say']): Promise<boolean> {
  const admin = await seedAdmin(deps)
  const people = await seedPeople(deps)
  // Printed before the images are uploaded, so that an interrupted command has shown the passwords.
  printAccounts([...(admin ? [admin] : []), ...people], say)
  const owners = people.filter(({ account }) => account.status === 'Active').map(({ account }) => account)
  for (const { name, inserted } of await seedCollections(deps)) say(`${inserted} documents came into ${name}.`)
  say(`${await seedMessages(deps)} messages came by the contact form.`)
  const pictures = samplePictures(count, owners.length)
  const { uploaded, leftOut } = await uploadPictures(deps, { pictures, owners }, (done, of) => {
    if (done % 25 === 0 && done < of) say(`${done} of ${of} pictures`)
  })
  say(`${uploaded} pictures were uploaded.`)
  for (const { name, why } of leftOut) say(`${name} was left out: ${why}`)
  if (leftOut.length > 0) say('Run it again for what was left out.')
  return leftOut.length === 0
}

function printAccounts(accounts: SeededAccount[], say: Task['say']): void {
  const made = accounts.filter(({ password }) => password !== null)
  if (made.length === 0) return say('The accounts are there already.')
  say(`Made ${made.length} accounts. Their passwords, shown only now:`)
  for (const { account, password } of made) {
    const what = account.role === 'admin' ? '  (admin)' : account.status === 'Active' ? '' : '  (inactive)'
    say(`  ${account.email.padEnd(20)}  ${password}${what}`)
  }
}

/** @throws {CommandRefused} when the instance has other data */
async function maySeed({ db }: Deps, isForced: boolean, say: Task['say']): Promise<boolean> {
  if (isForced) return true
  const state = await db.selectFrom('settings').select('value').where('name', '=', mark).executeTakeFirst()
  if (state?.value === 'complete') {
    say('The sample set is here already: nothing was done. --force adds what is missing of it.')
    return false
  }
  if (state) return true
  const image = await db.selectFrom('images').select('id').limit(1).executeTakeFirst()
  const collection = await db
    .selectFrom('collections')
    .select('id')
    .where('name', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (image || collection) {
    throw new CommandRefused(
      `This instance has ${image ? 'pictures' : 'documents'} already. --force adds the sample set to them`,
    )
  }
  return true
}

async function setMark({ db }: Deps, value: 'unfinished' | 'complete'): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name: mark, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/**
 * Holds the data folder unless a server runs: a server that starts meanwhile would delete the
 * temporary files as leftovers of a crash.
 */
async function withDataDirIfFree(dataDir: string, work: () => Promise<void>): Promise<void> {
  const unlock = await lockDataDir(dataDir).catch((error: unknown) => {
    if (error instanceof DataDirInUse) return () => {}
    throw error
  })
  try {
    await work()
  } finally {
    unlock()
  }
}

/** @throws {UsageError} */
function readCount(given: unknown): number {
  if (given === undefined) return defaultPictures
  const count = typeof given === 'string' && /^\d{1,4}$/.test(given) ? Number(given) : Number.NaN
  if (count <= maxPictures) return count
  throw new UsageError(`--pictures must be a whole number from 0 to ${maxPictures}`)
}
