import { statfs } from 'node:fs/promises'
import { defineConfig, devices } from '@playwright/test'
import { browserArgs, findHeadlessBrowser } from './e2e/browser.ts'
import { leftOutJourneys, patternOf, scope } from './scripts/test-selection.ts'

const browser = await findHeadlessBrowser()

/** Playwright moves Chromium's shared memory to the disk, because that of a container may have 64 MB. It costs 6 % more CPU. */
async function hasLargeSharedMemory(): Promise<boolean> {
  const found = await statfs('/dev/shm').catch(() => undefined)
  return found !== undefined && found.bavail * found.bsize >= 2 ** 30
}

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  grepInvert: scope === 'short' ? Object.entries(leftOutJourneys).map(([file, what]) => patternOf(file, what)) : [],
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results/journeys',
  fullyParallel: true,
  workers: 3,
  forbidOnly: process.env.CI !== undefined,
  // None on a developer's machine: a test that needs a second attempt has a defect. CI runs on a busy machine, which must not
  // reject a correct change; scripts/test.mjs names the tests that needed it.
  retries: process.env.CI === undefined ? 0 : 1,
  // As in vitest.config.ts: deadlines are for what never ends, also beside another run of all tests.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 800 },
    baseURL: process.env.E2E_URL,
    launchOptions: {
      ...browser,
      args: browserArgs,
      ignoreDefaultArgs: (await hasLargeSharedMemory()) ? ['--disable-dev-shm-usage'] : [],
    },
    screenshot: 'only-on-failure',
    // Animations cost 11 % more CPU time. The lightbox and the toasts are tested with theirs.
    contextOptions: { reducedMotion: 'reduce' },
    // Its cache would respond to requests that a test intercepts. install.spec.ts tests it.
    serviceWorkers: 'block',
  },
})
