// F4: the disk of the data is full: by uploads, by another's writes in the midst of them, and of files rather than of bytes.
import { startServer } from '../e2e/server.ts'
import { register } from './client.ts'
import { missingForSmallDisks, onSmallDisk, type Size, type SmallDisk } from './full-disk/small-disk.ts'
import { Visitors } from './full-disk/visitors.ts'
import { jpeg } from './pictures.ts'
import { atLeast, type Finding, type Form, none, type Protocol, told } from './protocol.ts'
import { flawsOf, litterIn } from './verify.ts'

const shape = {
  short: { megabytes: 64, leftMegabytes: 5, files: 220, rounds: 1, refusals: 3 },
  full: { megabytes: 64, leftMegabytes: 64, files: 1000, rounds: 20, refusals: 20 },
} as const

export const protocol: Protocol = {
  id: 'F4',
  title: 'a full disk',
  missing: missingForSmallDisks,
  run,
}

interface Result {
  wrongs: string[]
  flaws: string[]
  litter: string[]
  /** Uploads that were taken after room was made, of five. */
  takenAgain: number
  answers: Map<number, number>
}

type Shape = (typeof shape)[Form]
type Act = (disk: SmallDisk, visitors: Visitors, pictures: Buffer[], given: Shape) => Promise<void>

async function run(form: Form): Promise<Finding[]> {
  const given = shape[form]
  const pictures = await Promise.all([
    ...[1, 2, 3].map((seed) => jpeg(400 + 60 * seed, 300, seed)),
    ...[4, 5].map((seed) => jpeg(1600, 1200, seed, form === 'full' ? 95 : 80)),
  ])
  const disk = { megabytes: given.megabytes, files: 100_000 }
  const uploads = await onDisk(disk, filledByUploads, pictures, given)
  const another = await onDisk(disk, filledByAnother, pictures, given)
  const files = await onDisk({ ...disk, files: given.files }, filledByUploads, pictures, given)
  return [
    ...findings('by uploads', uploads),
    ...findings("by another's writes", another),
    ...findings('of files', files),
  ]
}

const findings = (how: string, { wrongs, flaws, litter, takenAgain, answers }: Result): Finding[] => [
  told(`full ${how}: answers by status`, [...answers].map(([status, times]) => `${status}: ${times}`).join(', ')),
  none(`full ${how}: answers other than 507 to what could not be done`, wrongs),
  none(`full ${how}: acknowledged images that did not answer 200, or torn`, flaws),
  atLeast(`full ${how}: of 5 uploads taken once there was room, without a restart`, takenAgain, 5),
  none(`full ${how}: files without a row, rows without a file, temporary files, database errors`, litter),
]

/** The server on a disk of its own, up to its stop. */
function onDisk(size: Size, act: Act, pictures: Buffer[], given: Shape): Promise<Result> {
  return onSmallDisk(size, async (disk) => {
    const server = await startServer({ dataDir: disk.folder })
    try {
      const visitors = new Visitors(server.url, await register(server.url, 'small@example.com'))
      await visitors.uploadSome(pictures, 5)
      await act(disk, visitors, pictures, given)
      // Full to the last byte or file: whoever looks at a picture sees it, in sizes that nobody has asked for yet too.
      const flaws = await flawsOf(visitors.images, server.url, { variants: (at) => at % 20 === 0, width: 2 })
      await visitors.writeRows()
      await disk.release()
      await visitors.deleteSome(Math.ceil(visitors.images.length / 2))
      const takenAgain = await visitors.uploadSome(pictures, 5)
      flaws.push(...(await flawsOf(visitors.images, server.url, { variants: true })))
      await server.stop()
      const { wrongs, answers } = visitors
      return { wrongs, flaws, litter: await litterIn(disk.folder), takenAgain, answers }
    } finally {
      await server.kill()
    }
  })
}

async function filledByUploads(disk: SmallDisk, visitors: Visitors, pictures: Buffer[], given: Shape): Promise<void> {
  if (given.leftMegabytes < given.megabytes) await disk.fillBut(given.leftMegabytes * 1024 ** 2)
  await visitors.uploadUntilRefused(pictures, given.refusals)
}

/** Between the look at the disk and the last byte of an upload another takes what there was. */
async function filledByAnother(disk: SmallDisk, visitors: Visitors, pictures: Buffer[], given: Shape): Promise<void> {
  for (let round = 1; round <= given.rounds; round++) {
    const uploads = visitors.uploadUntilRefused(pictures, given.refusals)
    await disk.fillBut(0)
    await uploads
    await visitors.writeRows()
    await visitors.deleteSome(2)
    if (round < given.rounds) await disk.release()
  }
}
