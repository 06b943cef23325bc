// The command as it is installed: bin/image-host.mjs as a process, against the real app.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProxy } from '../server/testing/tcp-proxy.ts'
import { startTestApp, type TestApp } from '../server/testing/app.ts'
import { jpeg, png } from '../server/testing/test-images.ts'
import { serverCommands } from '../server/cli/server-commands.ts'
import { loadCommands } from './all-commands.ts'
import { clientCommands } from './client-commands.ts'

const program = fileURLToPath(new URL('../bin/image-host.mjs', import.meta.url))

let app: TestApp
/** Has pictures/ with a.png, b.jpg, notes.txt, .hidden.png and deep/c.png. */
let folder: string
let manageKey: string
let uploadKey: string
beforeAll(async () => {
  app = await startTestApp()
  const { token } = await app.newUser()
  const newKey = async (scope: string) =>
    (await app.call('POST', '/api/api-keys', { token, body: { name: scope, scopes: [scope] } })).body.apiKey.key
  ;[manageKey, uploadKey] = [await newKey('manage'), await newKey('upload')]
  folder = await mkdtemp(join(tmpdir(), 'image-host-command-'))
  await mkdir(join(folder, 'pictures/deep'), { recursive: true })
  for (const name of ['a.png', '.hidden.png', 'deep/c.png'])
    await writeFile(join(folder, 'pictures', name), await png(40, 30))
  await writeFile(join(folder, 'pictures/b.jpg'), await jpeg(40, 30))
  await writeFile(join(folder, 'pictures/notes.txt'), 'not a picture')
  await writeFile(join(folder, 'pictures/empty.png'), '')
  await mkdir(join(folder, 'others'))
  for (const name of ['a.heic', 'b.HEIC', 'Makefile']) await writeFile(join(folder, 'others', name), 'x')
})
afterAll(async () => {
  await app.stop()
  await rm(folder, { recursive: true })
})

interface Options {
  input?: string | Buffer
  env?: Record<string, string>
  /** Of the user: logins and uploads of other homes are unknown. */
  home?: string
}

function start(args: string[], { env = {}, home = 'home' }: Options = {}) {
  return spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: join(folder, home),
      IMAGE_HOST_URL: app.url,
      IMAGE_HOST_KEY: manageKey,
      ...env,
    },
  })
}

async function run(args: string[], options: Options = {}) {
  const child = start(args, options)
  child.stdin.on('error', () => {}).end(options.input ?? '')
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, out, err }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const link = (name: string) => String.raw`${app.url}/uploads/${name}-[\w-]{22}\.\w+`
const numberOfImages = async () => (await app.deps.db.selectFrom('images').select('id').execute()).length

describe('upload', () => {
  it('prints links in the order of the files', async () => {
    const { code, out, err } = await run(['upload', 'pictures/b.jpg', 'pictures/a.png'], { home: 'order' })
    expect({ code, err }).toEqual({ code: 0, err: '2 uploaded.\n' })
    expect(out).toMatch(new RegExp(`^${link('b')}\n${link('a')}\n$`))
  })

  it.each<[string[], number, string, string]>([
    [
      ['-r', 'pictures'],
      1,
      `^${'LINK:a'}\n${'LINK:b'}\n${'LINK:c'}\n$`,
      'pictures/empty.png: the file is empty\n3 uploaded, 1 failed.\nLeft out: 1 file of other types (.txt).\n',
    ],
    [
      ['-r', 'others'],
      0,
      '^$',
      'There are no images to upload.\nLeft out: 3 files of other types (.heic, Makefile).\n',
    ],
    [['pictures/?.png'], 0, '^LINK:a\n$', ''],
    [['pictures/a.png', '--format', 'markdown'], 0, String.raw`^!\[a\]\(LINK:a\)${'\n'}$`, ''],
    [['pictures/a.png', '-f', 'html'], 0, '^<img src="LINK:a" alt="a" width="40" height="30">\n$', ''],
    [['pictures/a.png', '-f', 'bbcode'], 0, String.raw`^\[img\]LINK:a\[/img\]${'\n'}$`, ''],
    [['pictures/a.png', '--expires-in', '2d', '--name', 'renamed.png'], 0, '^LINK:renamed\n$', ''],
    [
      ['pictures/notes.txt', 'pictures/a.png'],
      1,
      '^LINK:a\n$',
      'pictures/notes.txt: File type must be PNG, JPG, JPEG, WebP, GIF or SVG\n1 uploaded, 1 failed.\n',
    ],
    [
      ['pictures/a.png', '--expires-in', 'soon'],
      1,
      '^$',
      'pictures/a.png: expires_in: must be seconds, or a number with s, m, h or d\n',
    ],
    [[], 2, '^$', 'upload: FILE is missing.\nUsage: image-host upload FILE...'],
    [['nowhere.png'], 2, '^$', 'upload: nowhere.png does not exist.\n'],
    [['pictures/*.gif'], 2, '^$', 'upload: no file matches pictures/*.gif.\n'],
    [['pictures'], 2, '^$', 'upload: pictures is a folder: add --recursive to upload the images in it.\n'],
    [['pictures/a.png', '--format', 'pdf'], 2, '^$', 'upload: --format must be one of url, markdown, html, bbcode.\n'],
    [['pictures/a.png', '-f', 'url', '-c', 'html'], 2, '^$', 'upload: --format and --copy must be the same format.\n'],
    [['pictures/a.png', '--jobs', '0'], 2, '^$', 'upload: --jobs must be a number from 1 to 16.\n'],
    [['pictures/a.png', 'pictures/b.jpg', '--name', 'x'], 2, '^$', 'upload: --name is for a single file.\n'],
    [['pictures/a.png', '--watch', 'pictures'], 2, '^$', 'upload: --watch takes no FILE.\n'],
    [['--fast'], 2, '^$', "upload: Unknown option '--fast'.\n"],
  ])('%j exits with %i', async (args, code, out, err) => {
    const result = await run(['upload', ...args], { home: `case ${args.join(' ').replaceAll('/', ' ')}` })
    expect(result.err.slice(0, err.length || undefined)).toBe(err)
    expect(result.out).toMatch(new RegExp(out.replace(/LINK:(\w+)/g, (_, name: string) => link(name))))
    expect(result.code).toBe(code)
  })

  it.each<[string, Record<string, string>, number, string]>([
    [
      'an unknown key',
      { IMAGE_HOST_KEY: 'ik_unknown' },
      3,
      'pictures/a.png: There is no such API key: it is incomplete or was revoked. Copy it again, or create a new one\n1 failed, 1 not tried. ',
    ],
    [
      'no server',
      { IMAGE_HOST_URL: '' },
      3,
      'No server is known. Run image-host login, or set IMAGE_HOST_URL and IMAGE_HOST_KEY\n',
    ],
    [
      'a wrong address',
      { IMAGE_HOST_URL: 'img.example.com' },
      2,
      'upload: IMAGE_HOST_URL: img.example.com is not the address of a server',
    ],
  ])('with %s fails once, not for each file', async (_what, env, code, err) => {
    const result = await run(['upload', '--jobs', '1', 'pictures/a.png', 'pictures/b.jpg'], { env })
    expect(result.err).toContain(err)
    expect(result).toMatchObject({ code, out: '' })
  })

  it('reports a server that does not respond', async () => {
    const env = { IMAGE_HOST_URL: 'http://127.0.0.1:1' }
    const { code, err } = await run(['upload', 'pictures/a.png'], { env })
    expect(err).toContain('pictures/a.png: 127.0.0.1:1 cannot be reached: ')
    expect(code).toBe(4)
  })

  it('reads standard input', async () => {
    const { code, out } = await run(['upload', '-'], { input: await png(20, 20), home: 'stdin' })
    expect(out).toMatch(new RegExp(`^${link('image')}\n$`))
    expect(code).toBe(0)
  })

  it('--json prints an object per file', async () => {
    const { out } = await run(['upload', '--json', 'pictures/a.png', 'pictures/notes.txt'], { home: 'json' })
    const [uploaded, failed] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    expect(uploaded).toMatchObject({
      file: 'pictures/a.png',
      status: 'uploaded',
      image: { width: 40, mime: 'image/png' },
    })
    expect(failed).toEqual({
      file: 'pictures/notes.txt',
      status: 'failed',
      error: expect.any(String),
      code: 'unsupported_type',
    })
  })

  it('--private images are for nobody else, and recognized when they are uploaded again', async () => {
    const upload = (...more: string[]) => run(['upload', '--json', 'pictures/a.png', ...more], { home: 'private' })
    const first = JSON.parse((await upload('--private')).out)
    expect(first.image.visibility).toBe('private')
    expect((await fetch(first.image.url)).status).toBe(404)
    expect(JSON.parse((await upload('--private')).out)).toEqual({ ...first, status: 'already uploaded' })
    expect(JSON.parse((await upload()).out)).toMatchObject({ status: 'uploaded', image: { visibility: 'public' } })
  })

  it('--album adds to the album with that title or id, and creates one that is missing', async () => {
    const upload = (album: string, key = manageKey) =>
      run(['upload', 'pictures/a.png', '--again', '--album', album], { home: 'album', env: { IMAGE_HOST_KEY: key } })
    expect((await upload('Sea and land')).code).toBe(0)
    const { body: albums } = await app.call('GET', '/api/albums', { token: manageKey })
    expect(albums).toMatchObject([{ title: 'Sea and land', images: 1 }])
    expect((await upload('SEA and  land')).code).toBe(0)
    expect((await upload(albums[0].id)).code).toBe(0)
    expect((await upload(albums[0].id, uploadKey)).code).toBe(0)
    expect((await app.call('GET', '/api/albums', { token: manageKey })).body).toMatchObject([{ images: 4 }])
    expect((await upload('Sea and land', uploadKey)).code).not.toBe(0)
    expect((await upload(' ')).code).toBe(2)
  })

  it('files that were uploaded before get the album and the tags of the next run, and are not sent again', async () => {
    const before = await numberOfImages()
    const names = ['x', 'y', 'z'].map((name) => `placed/${name}.png`)
    await mkdir(join(folder, 'placed'))
    for (const [at, name] of names.entries()) await writeFile(join(folder, name), await png(70 + at, 50))
    const upload = (...more: string[]) =>
      run(['upload', '-r', 'placed', ...more], { home: 'placed', env: { IMAGE_HOST_KEY: manageKey } })
    expect((await upload()).code).toBe(0)
    for (const album of ['Placed', 'Placed', 'Placed too']) {
      const { code, err } = await upload('--album', album, '--tags', 'desk/work')
      expect([code, err]).toEqual([0, '3 already uploaded.\n'])
    }
    const { body: albums } = await app.call('GET', '/api/albums', { token: manageKey })
    const placed = albums.filter(({ title }: { title: string }) => title.startsWith('Placed'))
    expect(placed).toMatchObject([
      { title: 'Placed too', images: 3 },
      { title: 'Placed', images: 3 },
    ])
    expect((await app.call('GET', '/api/images?q=tag:desk', { token: manageKey })).body).toHaveLength(3)
    expect((await numberOfImages()) - before).toBe(3)
  })

  it('a key that may only upload repeats an upload with tags, and an album by its id', async () => {
    await mkdir(join(folder, 'repeated/deep'), { recursive: true })
    // The same name and content twice: one of them is a repetition on the first run.
    await writeFile(join(folder, 'repeated/r.png'), await png(80, 50))
    await writeFile(join(folder, 'repeated/s.png'), await png(81, 50))
    await copyFile(join(folder, 'repeated/r.png'), join(folder, 'repeated/deep/r.png'))
    const body = { title: 'Repeated' }
    const { id } = (await app.call('POST', '/api/albums', { token: manageKey, body })).body
    const upload = (...more: string[]) =>
      run(['upload', '-r', 'repeated', '--jobs', '1', ...more], {
        home: 'repeated',
        env: { IMAGE_HOST_KEY: uploadKey },
      })
    const [all, err] = ['3 already uploaded.\n', '2 uploaded, 1 already uploaded.\n']
    expect(await upload('--tags', 'cron,day')).toMatchObject({ code: 0, err })
    // It may add to the album, and the tags are known.
    for (const tags of ['cron,day', 'cron', 'day'])
      expect(await upload('--tags', tags, '--album', id)).toMatchObject({ code: 0, err: all })
    expect((await app.call('GET', '/api/albums', { token: manageKey })).body[0]).toMatchObject({ id, images: 2 })
    const refused = 'Some images that were uploaded before could not be'
    for (const [what, ...more] of [
      ['tagged', '--tags', 'cron,other'],
      ['added to the album or tagged', '--tags', 'other', '--album', id],
      ['added to the album', '--album', 'x'.repeat(22)],
    ] as const) {
      const result = await upload(...more)
      expect(result.err).toMatch(new RegExp(`^${refused} ${what}: .+\n${all}$`))
      expect(result.code).not.toBe(0)
    }
  })

  it('knows the tags of a record of an older version from its image', async () => {
    const upload = (key: string) =>
      run(['upload', 'pictures/a.png', '--tags', 'older'], { home: 'older', env: { IMAGE_HOST_KEY: key } })
    expect((await upload(manageKey)).code).toBe(0)
    const path = join(folder, 'older/.local/state/image-host/uploads.ndjson')
    const entry = JSON.parse((await readFile(path, 'utf8')).trim().split('\n').at(-1)!)
    const { albumIds, tags, ...older } = entry
    expect([albumIds, tags]).toEqual([[], ['older']])
    await writeFile(path, JSON.stringify(older))
    expect(await upload(uploadKey)).toMatchObject({ code: 0, err: '' })
  })

  it('recognizes uploaded files while their images exist, and --again uploads them anyway', async () => {
    const upload = (...more: string[]) => run(['upload', '--json', 'pictures/a.png', ...more], { home: 'again' })
    const [first, second] = [JSON.parse((await upload()).out), JSON.parse((await upload()).out)]
    expect(second).toEqual({ ...first, status: 'already uploaded' })
    const again = JSON.parse((await upload('--again')).out)
    expect(again.image.id).not.toBe(first.image.id)
    expect((await run(['delete', first.image.url])).code).toBe(0)
    const anew = JSON.parse((await upload()).out)
    expect(anew).toMatchObject({ status: 'uploaded' })
    expect(anew.image.id).not.toBe(first.image.id)
  })

  it('uploads the same bytes under two names as two images', async () => {
    await copyFile(join(folder, 'pictures/a.png'), join(folder, 'copy.png'))
    const { out } = await run(['upload', 'pictures/a.png', 'copy.png'], { home: 'names' })
    expect(out).toMatch(new RegExp(`^${link('a')}\n${link('copy')}\n$`))
  })

  it('continues after SIGKILL and after Ctrl-C, without duplicates', { timeout: 120_000 }, async () => {
    const many = join(folder, 'many')
    await mkdir(many)
    const bytes = await jpeg(1200, 900)
    const names = Array.from({ length: 40 }, (_, at) => `p${at}.jpg`)
    for (const name of names) await writeFile(join(many, name), bytes)
    const before = await numberOfImages()
    const interrupt = async (signal: NodeJS.Signals, after: number) => {
      const child = start(['upload', '-r', 'many'], { home: 'resume' })
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
      await expect.poll(async () => (await numberOfImages()) - before).toBeGreaterThan(after)
      child.kill(signal)
      return ended
    }
    expect(await interrupt('SIGKILL', 4)).toBe(null)
    expect(await interrupt('SIGINT', 12)).toBe(130)
    const last = await run(['upload', '-r', 'many'], { home: 'resume' })
    expect(last.code).toBe(0)
    expect(last.err).toMatch(/^\d+ uploaded, \d+ already uploaded\.\n$/)
    expect(new Set(last.out.trim().split('\n')).size).toBe(names.length)
    expect((await numberOfImages()) - before).toBe(names.length)
  })

  it('continues within a file after Ctrl-C and after kill -9 of the server', { timeout: 300_000 }, async () => {
    const [width, height] = [1300, 1200]
    const raw = { width, height, channels: 3 as const }
    const bytes = await sharp(randomBytes(width * height * 3), { raw })
      .png({ compressionLevel: 0 })
      .toBuffer()
    await writeFile(join(folder, 'large.png'), bytes)
    const port = await freePort()
    const startServer = async () => {
      const server = start(['start'], { home: 'killed', env: { PORT: String(port), IMAGE_HOST_KEY: '' } })
      await expect
        .poll(
          () =>
            fetch(`http://127.0.0.1:${port}/api/limits`).then(
              ({ ok }) => ok,
              () => false,
            ),
          { timeout: 60_000 },
        )
        .toBe(true)
      return server
    }
    const proxy = await startProxy(port)
    const env = { IMAGE_HOST_URL: `http://127.0.0.1:${proxy.port}`, IMAGE_HOST_KEY: '' }
    let server = await startServer()
    try {
      proxy.behave({ bytesPerSecond: 2_000_000 })
      const upload = () => {
        const child = start(['upload', 'large.png'], { home: 'large', env })
        return { child, out: text(child.stdout), ended: new Promise((resolve) => child.once('close', resolve)) }
      }
      const first = upload()
      await expect.poll(() => proxy.bytesSent(), { timeout: 60_000 }).toBeGreaterThan(bytes.length * 0.3)
      first.child.kill('SIGINT')
      expect(await first.ended).toBe(130)
      const second = upload()
      await expect.poll(() => proxy.bytesSent(), { timeout: 60_000 }).toBeGreaterThan(bytes.length * 0.6)
      const killed = new Promise((resolve) => server.once('close', resolve))
      server.kill('SIGKILL')
      await killed
      server = await startServer()
      expect(await second.ended).toBe(0)
      expect(await second.out).toMatch(/\/uploads\/large-/)
      expect(proxy.bytesSent() / bytes.length).toBeLessThan(1.05)
    } finally {
      server.kill('SIGKILL')
      await proxy.stop()
    }
  })

  it('an interrupted upload to an album continues in no other album', { timeout: 60_000 }, async () => {
    const [width, height] = [1300, 1200]
    const raw = { width, height, channels: 3 as const }
    const bytes = await sharp(randomBytes(width * height * 3), { raw })
      .png({ compressionLevel: 0 })
      .toBuffer()
    await writeFile(join(folder, 'elsewhere.png'), bytes)
    const proxy = await startProxy(Number(new URL(app.url).port))
    try {
      const args = (...place: string[]) => ['upload', 'elsewhere.png', ...place]
      const options = { home: 'elsewhere', env: { IMAGE_HOST_URL: `http://127.0.0.1:${proxy.port}` } }
      proxy.behave({ bytesPerSecond: 2_000_000 })
      const child = start(args('--album', 'Shared', '--tags', 'shared'), options)
      const ended = new Promise((resolve) => child.once('close', resolve))
      await expect.poll(() => proxy.bytesSent(), { timeout: 20_000 }).toBeGreaterThan(bytes.length * 0.3)
      child.kill('SIGINT')
      expect(await ended).toBe(130)
      proxy.behave(undefined)
      expect(await run(args('--album', 'Own', '--tags', 'own'), options)).toMatchObject({ code: 0, err: '' })
      const { body: albums } = await app.call('GET', '/api/albums', { token: manageKey })
      expect(albums.slice(0, 2)).toMatchObject([
        { title: 'Own', images: 1 },
        { title: 'Shared', images: 0 },
      ])
      const tagged = async (tag: string) =>
        (await app.call('GET', `/api/images?q=tag:${tag}`, { token: manageKey })).body.length
      expect([await tagged('own'), await tagged('shared')]).toEqual([1, 0])
    } finally {
      await proxy.stop()
    }
  })

  it('goes on when an upload cannot be recorded', async () => {
    const state = join(folder, 'unrecorded', '.local/state/image-host')
    await mkdir(state, { recursive: true })
    await symlink('missing/file', join(state, 'uploads.ndjson'))
    const { code, out, err } = await run(['upload', 'pictures/a.png', 'pictures/b.jpg'], { home: 'unrecorded' })
    expect(out).toMatch(new RegExp(`^${link('a')}\n${link('b')}\n$`))
    expect(err).toMatch(/^Uploads are not recorded, but go on: ENOENT.*\n2 uploaded\.\n$/)
    expect(code).toBe(0)
  })

  it('says that the server is busy, waits and goes on', async () => {
    const limited = await startTestApp({ GUEST_UPLOADS_PER_HOUR: '1' })
    try {
      const env = { IMAGE_HOST_URL: limited.url, IMAGE_HOST_KEY: '' }
      const child = start(['upload', 'pictures/a.png', 'pictures/b.jpg', '--jobs', '1'], { env, home: 'limited' })
      let err = ''
      child.stderr.on('data', (chunk) => (err += chunk))
      const ended = new Promise((resolve) => child.once('close', resolve))
      await expect
        .poll(() => err)
        .toMatch(/^Upload limit reached; waiting (60|59) minutes \(set by RATE_LIMIT, .*\)\n$/)
      child.kill('SIGINT')
      expect(await ended).toBe(130)
      expect(err).toContain('1 uploaded, 1 not tried. Run the same command again to upload the rest.')
    } finally {
      await limited.stop()
    }
  })

  it('--watch uploads what is written to a folder, until Ctrl-C', async () => {
    await mkdir(join(folder, 'inbox'))
    const child = start(['upload', '--watch', 'inbox'], { home: 'watch' })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk) => (out += chunk))
    child.stderr.on('data', (chunk) => (err += chunk))
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    await expect.poll(() => err).toContain('Watching inbox.')
    // The message precedes the system call.
    await sleep(200)
    await writeFile(join(folder, 'inbox/notes.txt'), 'not a picture')
    await copyFile(join(folder, 'pictures/a.png'), join(folder, 'inbox/shot.png'))
    await expect.poll(() => out).toMatch(new RegExp(`^${link('shot')}\n$`))
    child.kill('SIGINT')
    expect(await ended).toBe(0)
  })

  it('--copy passes the links to the clipboard program', async () => {
    const programs = join(folder, 'programs')
    await mkdir(programs)
    await writeFile(join(programs, 'xclip'), `#!/bin/sh\ncat > '${folder}/clipboard'\n`)
    await chmod(join(programs, 'xclip'), 0o755)
    const env = { DISPLAY: ':0', PATH: `${programs}:${process.env['PATH']}` }
    const { out } = await run(['upload', '--copy', 'markdown', 'pictures/a.png', 'pictures/b.jpg'], { env })
    expect(await readFile(join(folder, 'clipboard'), 'utf8')).toBe(out.trimEnd())
    expect(out).toMatch(/^!\[a\]\(.*\)\n!\[b\]\(.*\)\n$/)
  })
})

describe('a guest', () => {
  it('deletes and extends images that were uploaded from this machine', async () => {
    const guest = { env: { IMAGE_HOST_KEY: '' }, home: 'guest' }
    const { image } = JSON.parse((await run(['upload', '--json', 'pictures/b.jpg'], guest)).out)
    expect(await run(['extend', image.file_name], guest)).toMatchObject({
      code: 0,
      out: expect.stringContaining(': expires 2'),
    })
    expect(await run(['delete', image.url], { ...guest, home: 'stranger' })).toMatchObject({ code: 3 })
    expect(await run(['delete', image.url], guest)).toMatchObject({ code: 0, out: `${image.url}: deleted\n` })
  })

  it('leaves files that only their owner may read', async () => {
    const state = join(folder, 'guest/.local/state/image-host')
    expect((await readdir(state)).sort()).toEqual(['secret', 'uploads.ndjson'])
    for (const name of await readdir(state)) expect((await stat(join(state, name))).mode & 0o777).toBe(0o600)
  })
})

describe('list, delete and extend', () => {
  it('work with names, URLs of variants and ids', async () => {
    const home = 'manage'
    const { image } = JSON.parse(
      (await run(['upload', '--json', '--name', 'unusual.png', 'pictures/a.png'], { home })).out,
    )
    const listed = await run(['list', '--search', 'unusual'], { home })
    expect(listed.out).toMatch(
      new RegExp(String.raw`^${link('unusual')}  40x30  \d+ kB  expires 2\S+  unusual\.png\n$`),
    )
    const json = await run(['list', '--json', '--limit', '1'], { home })
    expect(JSON.parse(json.out)).toMatchObject({ id: image.id })
    expect(await run(['extend', image.thumbnailUrl], { home })).toMatchObject({ code: 0 })
    const deleted = await run(['delete', 'unknown', image.id], { home })
    expect(deleted).toEqual({ code: 1, out: `${image.id}: deleted\n`, err: 'unknown: Image not found\n' })
  })

  it('takes an id that begins with - for an id', async () => {
    const ids = [`-${'a'.repeat(21)}`, `b${'-'.repeat(21)}`]
    const deleted = await run(['delete', ...ids], { home: 'manage' })
    expect(deleted.err).toBe(ids.map((id) => `${id}: Image not found\n`).join(''))
    expect((await run(['delete', '-x'], { home: 'manage' })).err).toContain("Unknown option '-x'")
  })

  it.each<[string[], Record<string, string>, number, string]>([
    [['list', '--limit', 'x'], {}, 2, 'list: --limit must be a whole number.\n'],
    [['delete'], {}, 2, 'delete: IMAGE is missing.\n'],
    [['list'], { IMAGE_HOST_KEY: '' }, 3, 'Authentication required\n'],
  ])('%j with %j exits with %i', async (args, env, code, err) => {
    const result = await run(args, { env })
    expect(result.err.slice(0, err.length)).toBe(err)
    expect(result.code).toBe(code)
  })

  it('need the scope of the key', async () => {
    const result = await run(['list'], { env: { IMAGE_HOST_KEY: uploadKey } })
    expect(result).toEqual({ code: 3, out: '', err: "This API key does not have the scope 'read'\n" })
  })
})

describe('login', () => {
  const alone = { IMAGE_HOST_URL: '', IMAGE_HOST_KEY: '' }

  it('stores address and key, which the other commands use', async () => {
    const options = { env: alone, home: 'login' }
    const login = await run(['login', app.url], { ...options, input: `${uploadKey}\n` })
    const path = join(folder, 'login/.config/image-host/login.json')
    expect(login).toEqual({ code: 0, out: `Logged in to ${app.url}. Stored in ${path}\n`, err: '' })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await run(['upload', 'pictures/a.png'], options)).toMatchObject({ code: 0 })
    expect(await run(['logout'], options)).toMatchObject({ code: 0 })
    expect(await run(['upload', 'pictures/a.png'], options)).toMatchObject({ code: 3 })
  })

  it('does not send the stored key to another server', async () => {
    const options = { env: alone, home: 'two servers' }
    await run(['login', app.url], { ...options, input: manageKey })
    const other = app.url.replace('127.0.0.1', 'localhost')
    const { code, err } = await run(['list'], { ...options, env: { ...alone, IMAGE_HOST_URL: other } })
    expect({ code, err }).toEqual({ code: 3, err: 'Authentication required\n' })
  })

  it.each<[string[], string, number, string]>([
    [['ftp://img.example.com'], '', 2, 'login: ftp://img.example.com is not the address of a server'],
    [[], '', 2, 'login: URL is missing'],
    [['http://127.0.0.1:1'], '', 4, '127.0.0.1:1 cannot be reached: '],
  ])('%j fails', async (args, input, code, err) => {
    const result = await run(['login', ...args], { env: alone, input, home: 'failed login' })
    expect(result.err).toContain(err)
    expect(result.code).toBe(code)
  })

  it('refuses an invalid key, and stores nothing', async () => {
    const result = await run(['login', app.url], { env: alone, input: 'ik_wrong', home: 'failed login' })
    expect(result).toMatchObject({
      code: 3,
      err: 'There is no such API key: it is incomplete or was revoked. Copy it again, or create a new one\n',
    })
    expect(await run(['list'], { env: alone, home: 'failed login' })).toMatchObject({ code: 3 })
  })
})

describe('completion', () => {
  const complete = async (...words: string[]) => {
    const script = (await run(['completion', 'bash'])).out
    const child = spawn('bash', ['--norc'], { cwd: folder })
    child.stdin.end(
      `${script}\nCOMP_WORDS=(image-host ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}\n_image_host 2>/dev/null\nprintf '%s\\n' "\${COMPREPLY[@]}"`,
    )
    return (await text(child.stdout)).trim().split('\n')
  }

  it('completes commands, options and files in bash', async () => {
    expect(await complete('up')).toEqual(['upload', 'upgrade'])
    expect(await complete('re')).toEqual(['reset-password', 'reset-factors', 'reset-pin', 'reports', 'restore'])
    expect(await complete('upload', '--re')).toEqual(['--recursive'])
    expect(await complete('upload', 'pictures/a')).toEqual(['pictures/a.png'])
  })

  it.each(['zsh', 'fish'])('prints every command for %s', async (shell) => {
    const { out } = await run(['completion', shell])
    for (const name of ['upload', 'start', 'backup', 'completion']) expect(out).toContain(name)
  })

  it('refuses other shells', async () => {
    expect(await run(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('SHELL must be bash'),
    })
  })
})

describe('image-host', () => {
  it('--help lists the commands, and describes one', async () => {
    const { code, out } = await run(['--help'])
    expect(code).toBe(0)
    for (const name of ['upload', 'login', 'start', 'backup', 'completion'])
      expect(out).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
    expect((await run(['upload', '--help'])).out).toMatch(/^Usage: image-host upload FILE/)
  })

  it('--version prints the version of the package', async () => {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
    const [base, commit] = (await run(['--version'])).out.trim().split('+')
    expect(base).toBe(version)
    // Of a build between two releases in a clone.
    if (commit !== undefined) expect([commit, version]).toEqual([expect.stringMatching(/^[0-9a-f]{8,}$/), `${base}`])
  })

  it('has a test of every command', async () => {
    const here = await readFile(new URL(import.meta.url), 'utf8')
    expect(Object.keys(clientCommands).filter((name) => !here.includes(`(['${name}'`))).toEqual([])
  })

  it.each([
    ['docs/operate.md', true],
    ['docs/command.md', false],
  ])('%s lists every command of its kind, and no others', async (path, isOperators) => {
    const page = await readFile(new URL(`../${path}`, import.meta.url), 'utf8')
    const section = page.split('\n## Commands\n')[1]?.split('\n## ')[0] ?? ''
    const listed = [...section.matchAll(/^- (`.*?`): /gm)].flatMap(([, names = '']) => names.slice(1, -1).split('`, `'))
    const commands = Object.entries(await loadCommands()).filter(([name]) => name in serverCommands === isOperators)
    expect(listed.toSorted()).toEqual(commands.map(([, { usage }]) => usage).toSorted())
  })

  it('refuses an unknown command', async () => {
    const err = 'There is no command dance. image-host help lists them.\n'
    expect(await run(['dance'])).toEqual({ code: 2, out: '', err })
  })

  it('without a command starts a server, with its data in the folder of the platform', async () => {
    const settings = join(folder, 'server/.config/image-host')
    await mkdir(settings, { recursive: true })
    await writeFile(join(settings, 'server.env'), 'SITE_NAME=From server.env\nPORT=0\nCOLOUR=red\n')
    const child = start([], { home: 'server' })
    let out = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    await expect.poll(() => out).toContain('image-host promote you@example.com')
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    // Standard output is for the log: each line is JSON.
    const lines = out.split('\n').filter(Boolean)
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
    expect(messages).toContain(
      `COLOUR in ${join(settings, 'server.env')} is not a setting. docs/configuration.md lists them`,
    )
    expect(messages).toContainEqual(expect.stringMatching(/^From server\.env is at http:\/\/127\.0\.0\.1:\d+$/))
    expect(messages).toContain('For a PIN of the database browser, run: image-host reset-pin')
    expect(out).toContain(`"dataDir":"${join(folder, 'server/.local/share/image-host')}"`)
  })
})
