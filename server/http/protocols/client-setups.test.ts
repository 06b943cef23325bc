// The files and settings of client set-ups, used as their clients use them.
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClientId, setupParts } from '../../../contract/client-setups/clients.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { parseCustomUploader, resolveSyntax } from '../../testing/sxcu.ts'
import { jpeg, png } from '../../testing/test-images.ts'

const run = promisify(execFile)

let app: TestApp
let folder: string
let key: string
beforeAll(async () => {
  app = await startTestApp()
  folder = await mkdtemp(join(tmpdir(), 'client-setups-'))
  const { token } = await app.newUser()
  const { body } = await app.call('POST', '/api/api-keys', { token, body: { name: 'Clients', scopes: ['upload'] } })
  key = body.key
  await writeFile(join(folder, 'photo.jpg'), await jpeg())
  await writeFile(join(folder, 'photo.png'), await png())
})
afterAll(async () => {
  await app.stop()
  await rm(folder, { recursive: true, force: true })
})

const partsOf = (id: ClientId, isGuest = false) =>
  setupParts(id, { origin: app.url, siteName: 'Pictures', ...(!isGuest && { key }) })
const part = (id: ClientId, at: number, isGuest?: boolean) => partsOf(id, isGuest)[at]?.text ?? ''

interface PicGoResult {
  success: boolean
  result: string[]
  fullResult: object[]
}

/** Checks a link as its reader uses it. */
async function expectImage(link: string, type = /^image\//): Promise<void> {
  const response = await fetch(link)
  expect([link, response.status]).toEqual([link, 200])
  expect(response.headers.get('content-type')).toMatch(type)
  await response.arrayBuffer()
}

describe.each([
  ['with a key', false],
  ['as a guest', true],
])('%s', (_, isGuest) => {
  async function upload(bytes: Uint8Array) {
    const {
      RequestURL,
      RequestMethod,
      Headers = {},
      FileFormName,
      ...texts
    } = parseCustomUploader(part('sharex', 0, isGuest))
    const body = new FormData()
    body.set(FileFormName, new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'screenshot.png')
    const response = await fetch(RequestURL, { method: RequestMethod, headers: Headers, body })
    return { status: response.status, text: await response.text(), texts }
  }

  it('every field of the ShareX file resolves against the response of an upload', async () => {
    const { status, text, texts } = await upload(await png())
    expect(status).toBe(201)
    await expectImage(resolveSyntax(texts.URL, text), /^image\/png/)
    await expectImage(resolveSyntax(texts.ThumbnailURL, text))
    await expectImage(resolveSyntax(texts.DeletionURL, text), /^text\/html/)
  })

  it('the error message of the ShareX file is the reason of a refusal', async () => {
    const { status, text, texts } = await upload(Buffer.from('no image'))
    expect(status).toBe(415)
    expect(resolveSyntax(texts.ErrorMessage, text)).toBe(JSON.parse(text).error)
  })

  it.each(['curl', 'wget'] as const)('the command of %s uploads photo.jpg', async (client) => {
    const { stdout } = await run('sh', ['-c', part(client, 0, isGuest)], { cwd: folder })
    await expectImage(client === 'curl' ? JSON.parse(stdout).url : stdout.trim(), /^image\/jpeg/)
  })

  it('the arguments of Greenshot upload the file in their place and print its link', async () => {
    const line = part('greenshot', 2, isGuest).replace('{0}', join(folder, 'photo.png'))
    const { stdout } = await run('sh', ['-c', `curl ${line}`])
    await expectImage(stdout.trim(), /^image\/png/)
  })

  it('the script for VS Code returns the link of a file', async () => {
    await writeFile(join(folder, 'image-host.cjs'), part('vscode', 0, isGuest))
    const load = createRequire(import.meta.url)
    const path = join(folder, 'image-host.cjs')
    delete load.cache[path]
    await expectImage(await load(path)(join(folder, 'photo.png')))
    await writeFile(join(folder, 'broken.png'), 'no image')
    await expect(load(path)(join(folder, 'broken.png'))).rejects.toThrow(/type|format|image/i)
  })

  it.each(['flameshot', 'spectacle'] as const)(
    'the script of %s uploads a screenshot and copies its link',
    async (client) => {
      const copied = await runScript(client, part(client, 0, isGuest), 'photo.png')
      await expectImage(copied.link, /^image\/png/)
      expect(copied.code).toBe(0)
    },
  )

  it('a form of uPic uploads and its result path leads to the link', async () => {
    const [host] = JSON.parse(part('upic', 0, isGuest)).map((text: string) => JSON.parse(text))
    const data = JSON.parse(host.data)
    const headers: { key: string; value: string }[] = JSON.parse(data.headers)
    // uPic sends a form only with this header, whose boundary its library adds.
    expect(headers[0]).toEqual({ key: 'Content-Type', value: 'multipart/form-data' })
    const body = new FormData()
    body.set(data.field, new Blob([new Uint8Array(await png())]), 'a.png')
    const sent = Object.fromEntries(headers.slice(1).map(({ key: name, value }) => [name, value]))
    const response = await fetch(data.url, { method: data.method, headers: sent, body })
    const link = JSON.parse(data.resultPath).reduce(
      (json: Record<string, never>, step: string) => json[step],
      await response.json(),
    )
    await expectImage(link)
  })

  it('the addresses for Obsidian upload what is pasted, and delete it without a key', async () => {
    const body = new FormData()
    for (const name of ['1.png', '2.png']) body.append('list', new Blob([new Uint8Array(await png())]), name)
    const response = await fetch(part('obsidian', 0, isGuest), { method: 'POST', body })
    const { success, result, fullResult } = (await response.json()) as PicGoResult
    expect([response.status, success, result.length]).toEqual([200, true, 2])
    for (const link of result) await expectImage(link, /^image\/png/)
    const deleted = await fetch(part('obsidian', 1, isGuest), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ list: fullResult }),
    })
    expect(await deleted.json()).toMatchObject({ success: true })
    for (const link of result) expect((await fetch(link)).status).toBe(410)
  })

  it('the address for ksnip takes its raw bytes and responds with a link in XML', async () => {
    const response = await fetch(`${part('ksnip', 0, isGuest)}/3/upload.xml?title=Ksnip`, {
      method: 'POST',
      headers: { authorization: 'Client-ID 16d41e28a3ba71e', 'content-type': 'application/x-www-form-urlencoded' },
      body: new Uint8Array(await png()),
    })
    const link = /<link>([^<]+)<\/link>/.exec(await response.text())?.[1] ?? ''
    await expectImage(link, /^image\/png/)
    // Without "Link directly to image" it shows this one.
    await expectImage(link.replace('.png', ''))
  })

  it('a form of Zapier uploads, whose file has a fixed field', async () => {
    const [url, authorization] = partsOf('zapier', isGuest).map(({ text }) => text)
    const body = new FormData()
    body.set('file', new Blob([new Uint8Array(await png())]), 'trigger.png')
    const headers = { ...(authorization !== undefined && { authorization }) }
    const response = await fetch(url ?? '', { method: 'POST', headers, body })
    await expectImage(((await response.json()) as { url: string }).url)
  })
})

describe('a screenshot script', () => {
  it('does nothing when the user cancels the screenshot', async () => {
    const before = await app.files('originals')
    expect(await runScript('flameshot', part('flameshot', 0), undefined)).toEqual({ code: 0, link: '', output: '' })
    expect(await app.files('originals')).toEqual(before)
  })

  it('fails with the reason of a refusal and copies nothing', async () => {
    await writeFile(join(folder, 'broken.png'), 'no image')
    const { code, link, output } = await runScript('flameshot', part('flameshot', 0), 'broken.png')
    expect([code, link]).toEqual([1, ''])
    expect(output).toContain('File type must be')
  })
})

/**
 * Runs a script beside programs of its desktop that take a screenshot of a file and store what is copied.
 * @param screenshot undefined: the user cancels
 */
async function runScript(client: string, script: string, screenshot: string | undefined) {
  const clipboard = join(folder, 'clipboard')
  await writeFile(clipboard, '')
  const shot = screenshot === undefined ? '' : `cat '${join(folder, screenshot)}'`
  const programs = {
    flameshot: `[ "$1 $2" = 'gui --raw' ] || exit 2\n${shot}`,
    spectacle: `while [ $# -gt 1 ]; do shift; done\n${shot} > "$1"`,
    xclip: `cat > '${clipboard}'`,
    'notify-send': 'exit 0',
  }
  for (const [name, text] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`)
    await chmod(join(folder, name), 0o755)
  }
  const path = join(folder, `${client}-upload.sh`)
  await writeFile(path, script)
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, WAYLAND_DISPLAY: '' }
  const { code, output } = await run('sh', [path], { env }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error) => ({ code: error.code as number, output: error.stdout as string }),
  )
  return { code, output, link: await readFile(clipboard, 'utf8') }
}
