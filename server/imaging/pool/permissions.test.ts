// Where package managers put sharp and its packages: a decoder finds and may read them.
import { cp, mkdir, mkdtemp, readdir, realpath, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openImaging } from './imaging.ts'

const root = new URL('../../../', import.meta.url).pathname
const loaded = ['sharp', '@img']

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'image-host-layout-')))
})
afterEach(() => rm(folder, { recursive: true }))

/** Copies what a decoder loads. @param product the installed package @param modules where the other packages are */
async function install(product: string, modules: string): Promise<void> {
  await mkdir(join(folder, product), { recursive: true })
  await cp(join(root, 'package.json'), join(folder, product, 'package.json'))
  await cp(join(root, 'dist/server'), join(folder, product, 'dist/server'), { recursive: true })
  for (const name of loaded)
    await cp(join(root, 'node_modules', name), join(folder, modules, name), { recursive: true })
}

const link = async (from: string, to: string) => {
  await mkdir(dirname(join(folder, from)), { recursive: true })
  await symlink(join(folder, to), join(folder, from))
}

/** pnpm's: each package in a folder of its own, beside links to what it needs. */
async function installLikePnpm(): Promise<string> {
  const store = 'project/node_modules/.pnpm'
  const own = (name: string) => `${store}/${name.replace('/', '+')}@1.0.0/node_modules`
  await install(`${own('image-host')}/image-host`, 'unpacked')
  const images = (await readdir(join(folder, 'unpacked/@img'))).map((name) => `@img/${name}`)
  const packages = ['sharp', ...images]
  for (const name of packages) {
    await mkdir(dirname(join(folder, own(name), name)), { recursive: true })
    await rename(join(folder, 'unpacked', name), join(folder, own(name), name))
  }
  for (const name of packages.slice(1)) await link(`${own('sharp')}/${name}`, `${own(name)}/${name}`)
  for (const name of images.filter((image) => image.startsWith('@img/sharp-linux')))
    for (const other of images.filter((image) => image.startsWith('@img/sharp-libvips')))
      await link(`${own(name)}/${other}`, `${own(other)}/${other}`)
  await link(`${own('image-host')}/sharp`, `${own('sharp')}/sharp`)
  return `${own('image-host')}/image-host`
}

it.each<[string, () => Promise<string>]>([
  [
    'in the package, as globally or in a clone',
    async () => {
      await install('lib/node_modules/image-host', 'lib/node_modules/image-host/node_modules')
      return 'lib/node_modules/image-host'
    },
  ],
  [
    'beside the package, as in a project',
    async () => {
      await install('project/node_modules/image-host', 'project/node_modules')
      return 'project/node_modules/image-host'
    },
  ],
  ['in the store of pnpm', installLikePnpm],
])('a decoder starts with its packages %s', async (_where, put) => {
  const entry = join(folder, await put(), 'dist/server/imaging/decoder/main.js')
  const imaging = openImaging({ decoderEntry: pathToFileURL(entry), dataDir: join(folder, 'data') })
  try {
    await imaging.selfTest()
  } finally {
    await imaging.close()
  }
  expect(await readdir(join(folder, 'data/decoders'))).toEqual([])
})
