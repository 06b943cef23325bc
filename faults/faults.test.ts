// Runs every protocol in its short form; the full form is `npm run faults`.
import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { Protocol } from './protocol.ts'

const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.fault.ts'))
const protocols = await Promise.all(
  files.map(
    async (file) =>
      ((await import(/* @vite-ignore */ new URL(file, import.meta.url).href)) as { protocol: Protocol }).protocol,
  ),
)

describe.each(protocols)('$id: $title', (protocol) => {
  test('meets its goals in the short form', { timeout: 120_000 }, async ({ skip }) => {
    const missingRequirement = await protocol.missing?.('short')
    if (missingRequirement !== undefined) skip(missingRequirement)
    const missed = (await protocol.run('short')).filter(({ holds }) => !holds)
    expect(missed).toEqual([])
  })
})
