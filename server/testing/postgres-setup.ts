// Starts PostgreSQL once per run and passes its URL to the tests.
import type { TestProject } from 'vitest/node'
import { createMigratedTemplate, startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Only when the tests run on PostgreSQL. */
    postgresUrl?: string
  }
}

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres()
  await createMigratedTemplate(url)
  provide('postgresUrl', url)
  return stop
}
