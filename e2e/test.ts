// The test function of all journeys: fails when the page logs an error to the console, or when a reader gets no image.
import { type ConsoleMessage, test as base } from '@playwright/test'
import { cpuSeconds } from '../scripts/cpu-seconds.mjs'
import { cpuAnnotation } from '../scripts/test-report.ts'

interface Fixtures {
  /** What the browser logs by itself when a request is rejected on purpose. Everything else is an error. */
  expectedConsole: RegExp[]
  measuredCpu: void
}

export { expect } from '@playwright/test'

export const test = base.extend<Fixtures>({
  expectedConsole: [[], { option: true }],
  /** Of this worker, its browser and the servers that it started: scripts/journey-report.ts sums it up per file. */
  measuredCpu: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the used fixtures from the pattern
    async ({}, use, { annotations }) => {
      const before = cpuSeconds()
      await use()
      annotations.push({ type: cpuAnnotation, description: String(Math.max(0, cpuSeconds() - before)) })
    },
    { auto: true },
  ],
  page: async ({ page, expectedConsole }, use) => {
    const said: string[] = []
    const refused: string[] = []
    const known = [...expectedConsole, /^Service Worker registration blocked by Playwright$/]
    page.on('console', (message) => {
      if (isUnknownPage(message)) return
      if (message.type() === 'error' || message.type() === 'warning') said.push(message.text())
    })
    page.on('pageerror', (error) => said.push(String(error)))
    page.on('response', (response) => {
      const status = response.status()
      const isRefused = [403, 429, 503].includes(status)
      if (isRefused && imagePaths.test(pathOf(response.url()))) refused.push(`${status} ${response.url()}`)
    })
    await use(page)
    base.expect(said.filter((text) => !known.some((pattern) => pattern.test(text)))).toEqual([])
    base.expect(refused, 'images that were refused').toEqual([])
  },
})

/** Chromium logs the status 404 of the not-found page itself, and of the page of a missing image. */
const isUnknownPage = (message: ConsoleMessage) =>
  /status of 404/.test(message.text()) &&
  !/^\/(api|uploads|db|assets)(\/|$)|^\/i\/.*\./.test(pathOf(message.location().url))

/** Of originals, variants and share pages. */
const imagePaths = /^\/(i|uploads|api\/(thumbnail|resize|webp|jpeg))\//

const pathOf = (url: string) => (URL.canParse(url) ? new URL(url).pathname : '')
