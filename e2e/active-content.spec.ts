// Uploads files that try to be active content, opens each on its own and embeds it on another site's page:
// nothing may run and no request may go to another host.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext } from '@playwright/test'
import { scope } from '../scripts/test-selection.ts'
import { canary, hostiles } from '../server/imaging/decoder/svg/testing/hostile.ts'
import { polyglots } from './polyglots.ts'
import { expect, test } from './test.ts'

/** The attacker's site: records requests and serves a page of the test. */
interface Listener {
  url: string
  visits: string[]
  page: string
  server: Server
}

async function openListener(): Promise<Listener> {
  const listener: Listener = { url: '', visits: [], page: '', server: createServer() }
  listener.server.on('request', (request, response) => {
    const isPage = request.url === '/page'
    if (!isPage && request.url !== '/favicon.ico') listener.visits.push(request.url ?? '')
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' }).end(isPage ? listener.page : '')
  })
  await once(listener.server.listen(0, '127.0.0.1'), 'listening')
  listener.url = `http://127.0.0.1:${(listener.server.address() as AddressInfo).port}/`
  return listener
}

interface Accepted {
  name: string
  url: string
}

/** A short run draws one in 24: opening each file in a browser takes most of the time, and unit tests read them all. */
const shortStep = 24

/** Uploads all files, four at a time, and retries those that a busy server rejected with 503. */
async function uploadAll(origin: string, files: { name: string; file: Buffer }[]) {
  const registered = await fetch(`${origin}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `hostile-${crypto.randomUUID()}@example.com`, password: 'secret of a stranger' }),
  })
  const { token } = (await registered.json()) as { token: string }
  const accepted: Accepted[] = []
  const refused: string[] = []
  const left = [...files]
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const form = new FormData()
      form.append('image', new Blob([new Uint8Array(next.file)]), 'picture.png')
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`${origin}/api/upload`, { method: 'POST', body: form, headers })
      const body = (await answer.json()) as { url: string; error?: string }
      if (answer.status === 503) left.push(next)
      else if (answer.status === 201) accepted.push({ name: next.name, url: body.url })
      else {
        expect(answer.status, next.name).toBeGreaterThanOrEqual(400)
        expect(answer.status, next.name).toBeLessThan(500)
        expect(body.error, next.name).toMatch(/\w+ \w+/)
        refused.push(next.name)
      }
    }
  }
  await Promise.all([work(), work(), work(), work()])
  return { accepted, refused }
}

/** Every HTML element that can load a foreign file. */
const embedded = (url: string) => `
  <img src="${url}"><iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}">
  <script src="${url}"></script><script type="module" src="${url}"></script><link rel="stylesheet" href="${url}">
  <div style="background:url(${url})"></div><svg><use href="${url}#a"></use><image href="${url}"></image></svg>
  <iframe sandbox="allow-scripts allow-same-origin" src="${url}"></iframe><video src="${url}"></video>`

/** Records violations: a request to another host, a dialog, a console message of the injected script. */
function watch(context: BrowserContext, allowed: (url: string) => boolean): string[] {
  const happened: string[] = []
  context.on('request', (request) => {
    if (!allowed(request.url())) happened.push(`request to ${request.url().slice(0, 100)}`)
  })
  context.on('dialog', async (dialog) => {
    happened.push(`dialog ${dialog.message()}`)
    await dialog.dismiss()
  })
  context.on('console', (message) => {
    if (message.text().includes('it ran')) happened.push(`console ${message.text()}`)
  })
  return happened
}

test('no accepted file runs a script or sends a request, opened or embedded', async ({ context, baseURL }) => {
  test.setTimeout(600_000)
  const origin = baseURL as string
  const listener = await openListener()
  const script = `console.log('it ran');window.top.ran=1;document.title='it ran';fetch('${listener.url}script')`
  const drawings = hostiles
    .filter(({ svg, fate }) => svg.length > 0 && fate !== 'over_limit')
    .filter((_, at) => scope !== 'short' || at % shortStep === 0)
    .map(({ name, svg }) => ({
      name: `SVG, ${name}`,
      file: typeof svg === 'string' ? Buffer.from(svg.replaceAll(canary, listener.url)) : svg,
    }))
  const files = [...drawings, ...(await polyglots(script))]
  const { accepted, refused } = await uploadAll(origin, files)
  expect(accepted.length + refused.length).toBe(files.length)
  expect(accepted.length).toBeGreaterThan(scope === 'short' ? 10 : 100)
  for (const name of ['page', 'script', 'PDF', 'AVIF', 'page that starts like a GIF']) expect(refused).toContain(name)

  const happened = watch(
    context,
    (url) => url.startsWith(origin) || url === `${listener.url}page` || /^(data|about|blob):/.test(url),
  )
  try {
    await test.step('each accepted file is opened on its own', async () => {
      const left = [...accepted]
      const work = async () => {
        const page = await context.newPage()
        for (let next = left.shift(); next; next = left.shift()) {
          const response = await page.goto(next.url)
          expect(response?.headers(), next.name).toMatchObject({
            'x-content-type-options': 'nosniff',
            'content-security-policy': expect.stringContaining('sandbox'),
          })
          expect(await page.title(), next.name).not.toBe('it ran')
        }
        await page.close()
      }
      await Promise.all([work(), work(), work()])
    })

    await test.step('all accepted files are embedded in a page of another site', async () => {
      const page = await context.newPage()
      for (let from = 0; from < accepted.length; from += 30) {
        const batch = accepted.slice(from, from + 30)
        listener.page = `<!doctype html><title>none</title>${batch.map(({ url }) => embedded(url)).join('')}`
        await page.goto(`${listener.url}page`)
        expect(await page.evaluate(() => [document.title, 'ran' in window])).toEqual(['none', false])
      }
    })
    expect(happened).toEqual([])
    expect(listener.visits).toEqual([])
  } finally {
    listener.server.close()
    listener.server.closeAllConnections()
  }
})

test('the observer detects a script that does run', async ({ context }) => {
  const listener = await openListener()
  try {
    const happened = watch(context, (url) => url === `${listener.url}page`)
    listener.page = `<script>console.log('it ran');fetch('${listener.url}script')</script>`
    const page = await context.newPage()
    await page.goto(`${listener.url}page`)
    await expect.poll(() => listener.visits).toEqual(['/script'])
    expect(happened.toSorted()).toEqual(['console it ran', `request to ${listener.url}script`])
  } finally {
    listener.server.close()
    listener.server.closeAllConnections()
  }
})
