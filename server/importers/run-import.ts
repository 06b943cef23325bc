// Imports the accounts and pictures of a source, and reports each.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { imageUrls } from '../../contract/derive/client.ts'
import { inBatches } from '../domain/shared/batches.ts'
import type { Account } from '../domain/shared/caller.ts'
import type { Deps } from '../domain/shared/deps.ts'
import { Failure } from '../domain/shared/failure.ts'
import { refusalOf } from '../domain/uploads/upload-refusals.ts'
import { addOrigins, checkImport, findImported, importImage } from './import-image.ts'
import type { Task } from '../command.ts'
import { importAlbums } from './import-albums.ts'
import { importLinks } from './import-links.ts'
import { createWaitWhileBusy, type WaitWhileBusy } from './wait-while-busy.ts'
import { importUsers } from './import-users.ts'
import type { Report } from './import-report.ts'
import { type Source, type SourceImage, SourceProblem } from './source-types.ts'

interface Options {
  /** The name of the source, under which its rows are recorded. */
  name: string
  /** Gets the pictures that have no owner; null: they become guests' images. */
  owner: Account | null
  domain: string
  isDryRun: boolean
  report: Report | null
  signal: AbortSignal
  print: Task['print']
}

const batchSize = 60
/** As many as keep two decoders busy. */
const parallel = 3
const printedImages = 20
const progressEvery = 600

export interface Counts {
  imported: number
  existed: number
  problems: number
  /** Those of the imported ones that had a password. */
  withPassword: number
  /** Old addresses of those that were imported. */
  paths: number
}

export async function runImport(deps: Deps, source: Source, given: Options): Promise<Counts> {
  // Names of the source may have characters that control the terminal.
  const options = { ...given, print: (line: string) => given.print(line.replace(/\p{Cc}/gu, '\uFFFD')) }
  const accounts = await importUsers(deps, source, options)
  const count: Counts = { imported: 0, existed: 0, problems: 0, withPassword: 0, paths: 0 }
  const { print, report, isDryRun, signal } = options
  const ownerOf = (id: string | null) => (id === null ? options.owner : (accounts.get(id) ?? null))
  const isNew = new Set<string>()
  const waitWhileBusy = createWaitWhileBusy({ now: deps.now, print, signal })

  const printImage = ({ name, id, place }: SourceImage, text: string, number: number) => {
    if (number <= printedImages) print(`${place ?? `${name} (${id})`}: ${text}`)
    if (number === printedImages + 1) print('Further ones are only in the report (--report FILE).')
  }
  const addProblem = async (image: SourceImage, problem: string) => {
    printImage(image, problem, ++count.problems)
    await report?.write({ ...lineOf(image, null), result: 'problem', note: '', problem })
  }

  const importOne = async (image: SourceImage) => {
    const problem = problemOf(image, accounts, deps.now())
    if (problem !== undefined) return addProblem(image, problem)
    const owner = ownerOf(image.ownerId)
    try {
      const fileName = await storeOne(deps, image, owner, { ...options, waitWhileBusy })
      count.imported++
      isNew.add(image.id)
      count.paths += image.paths.length
      const note = noteOf(image)
      if (note !== '') printImage(image, note, ++count.withPassword)
      await report?.write({
        ...lineOf(image, owner),
        result: 'imported',
        new_path: fileName && imageUrls.original('', fileName),
      })
    } catch (error) {
      const isOfImage =
        error instanceof SourceProblem || (error instanceof Failure && refusalOf(error.code) !== 'everybody')
      if (!isOfImage) throw error
      await addProblem(image, error.message)
    }
  }

  const addKnown = async (image: SourceImage, id: string | undefined) => {
    count.existed++
    const row = id === undefined ? undefined : await findRow(deps, id)
    if (row && !isDryRun) await addOrigins(deps.db, row.id, image)
    const newPath = row && imageUrls.original('', row.file_name)
    await report?.write({ ...lineOf(image, null), result: 'exists', new_path: newPath ?? '' })
  }

  await mkdir(deps.tempDir, { recursive: true })
  let done = 0
  for await (const batch of inBatches(source.images(), batchSize)) {
    signal.throwIfAborted()
    const ids = [...new Set(batch.map(({ id }) => id))]
    const known = await findImported(deps.db, 'image', options.name, ids)
    // The first of several with one id; the others add their albums to it.
    const first = new Map(batch.toReversed().map((image) => [image.id, image]))
    const isFirst = (image: SourceImage) => first.get(image.id) === image && !known.has(image.id)
    await inParallel(batch.filter(isFirst), signal, importOne)
    const others = batch.filter((image) => !isFirst(image))
    const after = others.length === 0 ? known : await findImported(deps.db, 'image', options.name, ids)
    for (const image of others) await addKnown(image, after.get(image.id))
    done += batch.length
    if (done % progressEvery === 0) print(`${done} pictures`)
  }
  const albums = await importAlbums(deps, source, { ...options, ownerOf, isNew })
  const links = await importLinks(deps, source, options)
  printSummary(count, options)
  printShared({ albums, links }, options)
  return count
}

function problemOf(image: SourceImage, accounts: Map<string, Account | null>, now: number): string | undefined {
  if (image.problem !== undefined) return image.problem
  if (image.expiresAt !== null && image.expiresAt <= now) return 'it has expired there'
  if (image.viewsLeft !== undefined && image.viewsLeft <= 0) return 'it has no views left there'
  if (image.ownerId !== null && !accounts.has(image.ownerId)) return `its owner ${image.ownerId} is unknown`
  return undefined
}

function noteOf({ password, visibility }: SourceImage): string {
  if (password === undefined) return ''
  if (visibility === 'private') return `${password} had a password there; here it is private and has a link`
  return `${password} had a password there; here everyone who has its new address can open it`
}

/** @returns the file name of the image; undefined in a dry run, which only decodes the file */
async function storeOne(
  deps: Deps,
  image: SourceImage,
  owner: Account | null,
  { name, isDryRun, waitWhileBusy }: Pick<Options, 'name' | 'isDryRun'> & { waitWhileBusy: WaitWhileBusy },
): Promise<string | undefined> {
  const folder = await mkdtemp(join(deps.tempDir, 'import-'))
  try {
    const file = { folder, path: join(folder, 'received'), name: image.name }
    await waitWhileBusy(() => image.save(file.path, deps.config.USER_MAX_BYTES))
    if (isDryRun) {
      await waitWhileBusy(() => checkImport(deps, { owner, file }))
      return undefined
    }
    if (image.ownerId !== null && owner === null) throw new SourceProblem('the account of its owner was deleted here')
    const imported = { ...image, alt: image.description, source: name, sourceId: image.id, owner, file }
    return (await waitWhileBusy(() => importImage(deps, imported))).file_name
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const findRow = ({ db }: Pick<Deps, 'db'>, id: string) =>
  db.selectFrom('images').select(['id', 'file_name']).where('id', '=', id).executeTakeFirst()

const lineOf = (image: SourceImage, owner: Account | null) => ({
  kind: 'image' as const,
  id: image.id,
  name: image.name,
  owner: owner?.email ?? '',
  old_path: image.paths[0]?.path ?? image.place ?? '',
  note: noteOf(image),
})

/** Waits for all that have started before a failure propagates: the caller then closes the source. */
async function inParallel<T>(items: T[], signal: AbortSignal, task: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const worker = async () => {
    for (const item of waiting) {
      signal.throwIfAborted()
      await task(item)
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: parallel }, worker))
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
}

function printSummary(
  { imported, existed, problems, withPassword, paths }: Counts,
  { isDryRun, print }: Options,
): void {
  const verb = isDryRun ? 'can be imported' : 'imported'
  print(`Pictures: ${imported} ${verb}, ${existed} already imported, ${problems} not imported.`)
  if (withPassword > 0) print(`${withPassword} of them had a password there.`)
  if (paths > 0 && !isDryRun) print(`${paths} old addresses lead to them with the setting LEGACY_PATHS=on.`)
}

interface Shared {
  albums: { created: number; existed: number }
  links: { created: number; existed: number; locked: number }
}

function printShared({ albums, links }: Shared, { isDryRun, print }: Options): void {
  const verb = isDryRun ? 'would be created' : 'created'
  for (const [name, { created, existed }] of Object.entries({ Albums: albums, Links: links }))
    if (created + existed > 0) print(`${name}: ${created} ${verb}, ${existed} already existed.`)
  if (links.locked > 0)
    print(
      `Links that do not open yet: ${links.locked}. Their passwords cannot be checked here: set new ones, then activate ` +
        'the links. The report (--report FILE) names them.',
    )
}
