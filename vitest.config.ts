import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,server,web,e2e,bench,scripts}/**/*.test.{ts,tsx}'],
    exclude: configDefaults.exclude,
    // The tests of the server start the real app and real decoder processes; on a busy machine that takes its time.
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
