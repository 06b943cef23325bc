// Starts PostgreSQL once for the whole run and tells the tests where it is.
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Only where the tests are to run on PostgreSQL. */
    postgresUrl?: string
  }
}

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres()
  provide('postgresUrl', url)
  return stop
}
