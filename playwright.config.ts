import { defineConfig, devices } from '@playwright/test'
import { browserArgs, findBrowser } from './e2e/browser.ts'

const browser = await findBrowser()

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results/journeys',
  fullyParallel: true,
  workers: 3,
  forbidOnly: process.env.CI !== undefined,
  // A test that needs a second attempt has a defect. Fix its cause.
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 800 },
    baseURL: process.env.E2E_URL,
    launchOptions: { ...browser, args: browserArgs },
    screenshot: 'only-on-failure',
    // Its cache would answer requests that a test intercepts. install.spec.ts tests it.
    serviceWorkers: 'block',
  },
})
