// F4: the data disk is full: by uploads, by another process during uploads, and of inodes instead of bytes.
import { register } from './client.ts'
import { missingForSmallDisks, openSmallDisk, type Size, type SmallDisk } from './full-disk/small-disk.ts'
import { DiskClients } from './full-disk/disk-clients.ts'
import { jpeg } from './fault-images.ts'
import { type Defer, openServer } from './resources.ts'
import { atLeast, type Finding, type Form, none, type Scenario, info } from './scenario.ts'
import { noLeftovers } from './verify.ts'

const size: Size = { megabytes: 64, files: 5000 }
const shape = {
  short: { leftMegabytes: 5, rounds: 1, refusals: 2, everyNth: 25 },
  full: { leftMegabytes: size.megabytes, rounds: 20, refusals: 20, everyNth: 1 },
} as const

export const scenario: Scenario = {
  id: 'F4',
  title: `a full disk of ${size.megabytes} MB`,
  missing: missingForSmallDisks,
  run,
}

type Shape = (typeof shape)[Form]
interface Scene {
  disk: SmallDisk
  clients: DiskClients
  images: Buffer[]
  given: Shape
}

async function run(form: Form, defer: Defer): Promise<Finding[]> {
  const given = shape[form]
  const images = await Promise.all([
    ...[1, 2, 3].map((seed) => jpeg(400 + 60 * seed, 300, seed)),
    ...[4, 5].map((seed) => jpeg(1600, 1200, seed, form === 'full' ? 95 : 80)),
  ])
  const disk = await openSmallDisk(defer, size)
  const server = await openServer(defer, { dataDir: disk.folder })
  const clients = new DiskClients(server.url, await register(server.url, 'small@example.com'))
  for (const image of images) await clients.ledger.learn(server.url, image, { token: clients.token })
  await clients.uploadSome(images, 5)
  const findings: Finding[] = []
  for (const [how, fill] of Object.entries({ filledByUploads, filledByAnother, filledWithFiles })) {
    findings.push(...(await filledAndEmptied(how, fill, { disk, clients, images, given })))
    if (form === 'full') console.log(`  ${how}: ${clients.images.length} images stored`)
  }
  if (findings.some(({ holds }) => !holds)) console.info(server.log())
  await server.stop()
  return [...findings, await noLeftovers(disk.folder)]
}

async function filledAndEmptied(how: string, fill: (scene: Scene) => Promise<void>, scene: Scene): Promise<Finding[]> {
  const { disk, clients, images, given } = scene
  const check = { variantsOfEvery: given.everyNth }
  await fill(scene)
  // Full to the last byte or inode: images are still served, also in sizes that are not cached.
  const violations = await clients.ledger.violations(clients.url, { ...check, width: 2 })
  await clients.writeRows()
  await disk.release()
  await clients.deleteSome(Math.ceil(clients.images.length / 2))
  const takenAgain = await clients.uploadSome(images, 5)
  violations.push(...(await clients.ledger.violations(clients.url, check)))
  const { wrongs, answers } = clients.takeAnswers()
  return [
    info(`${how}: responses by status`, answers),
    none(`${how}: responses other than 507 to requests without space`, wrongs),
    none(`${how}: acknowledged images not served with 200, or truncated`, violations),
    atLeast(`${how}: of 5 uploads accepted after space was freed, without a restart`, takenAgain, 5),
  ]
}

async function filledByUploads({ disk, clients, images, given }: Scene): Promise<void> {
  if (given.leftMegabytes < size.megabytes) await disk.fillBut(given.leftMegabytes * 1024 ** 2)
  await clients.uploadUntilRefused(images, given.refusals)
}

/** Another process takes the space between the disk check and the last byte of an upload. */
async function filledByAnother({ disk, clients, images, given }: Scene): Promise<void> {
  for (let round = 1; round <= given.rounds; round++) {
    const uploads = clients.uploadUntilRefused(images, given.refusals)
    await disk.fillBut(0)
    await uploads
    await clients.writeRows()
    await clients.deleteSome(2)
    if (round < given.rounds) await disk.release()
  }
}

async function filledWithFiles({ disk, clients, images, given }: Scene): Promise<void> {
  const uploads = clients.uploadUntilRefused(images, given.refusals)
  await disk.fillFiles()
  await uploads
  await clients.deleteSome(2)
}
