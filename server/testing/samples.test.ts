// Every sample of the documentation runs: generated like on the page, executed by its language's
// runtime against the real app, and compared by status. An endpoint without a row does not compile.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildCatalogue } from '../../contract/derive/catalogue.ts'
import type { RouteName } from '../../contract/plain/routes.ts'
import { curlExamples, uploadExamples } from '../../contract/derive/samples/examples.ts'
import { languages } from '../../contract/derive/samples/languages.ts'
import { extraRows, rows, type SampleHost, startSampleHost } from './sample-rows.ts'
import { type Runner, runtimes } from './sample-runners.ts'

const catalogue = buildCatalogue()

/** Runs a sample and records its output unless it starts with the status. */
type Try = (what: string, status: number, code: string) => Promise<void>

describe.concurrent('every sample runs in', () => {
  it.for(languages)('$label', { timeout: 240_000 }, async ({ id, write }, { skip }) => {
    const runtime = runtimes[id]
    const missing = runtime.missing()
    if (missing !== undefined) skip(missing)
    await withHost(runtime, async (host, attempt) => {
      for (const [name, row] of [...Object.entries(rows), ...extraRows] as typeof extraRows) {
        const doc = find(name)
        await attempt(name, doc.status, write(doc, { base: host.app.url, ...(await row(host)) }))
      }
      if (id === 'curl') await runCurlExamples(host, attempt)
      for (const example of uploadExamples(catalogue, { base: host.app.url, token: host.key }))
        if (example.id === id) await attempt('upload example', 201, example.code)
    })
  })
})

async function runCurlExamples(host: SampleHost, attempt: Try): Promise<void> {
  await rows.createUser(host)
  const options = { base: host.app.url, ...(await rows.updateUser(host)) }
  for (const { method, path, code } of curlExamples(catalogue, options))
    await attempt(`${method} ${path}`, method === 'POST' ? 201 : 200, code)
}

async function withHost(
  runtime: { start(folder: string): Runner },
  use: (host: SampleHost, attempt: Try) => Promise<void>,
) {
  const host = await startSampleHost()
  const folder = await mkdtemp(join(tmpdir(), 'image-host-samples-'))
  await writeFile(join(folder, 'photo.jpg'), host.picture)
  const runner = runtime.start(folder)
  const wrong: string[] = []
  try {
    await use(host, async (what, status, code) => {
      const output = await runner.run(code)
      if (!output.startsWith(String(status))) wrong.push(`${what}: ${output.slice(0, 300)}\n${code}`)
    })
  } catch (error) {
    // A row may depend on a sample that has failed.
    wrong.push(String(error))
  } finally {
    runner.stop()
    await host.app.stop()
    await rm(folder, { recursive: true })
  }
  expect(wrong).toEqual([])
}

const find = (name: RouteName) => catalogue.find((doc) => doc.name === name)!
