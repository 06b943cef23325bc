import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readEnvFile } from './env-file.mjs'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-env-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

it('reads settings from the file that the environment does not set', async () => {
  vi.stubEnv('SITE_NAME', 'Of the environment')
  vi.stubEnv('MAIL_FROM', undefined)
  vi.stubEnv('IMAGE_HOST_ENV_FILE', undefined)
  const path = join(folder, '.env')
  await writeFile(path, '# a comment\nSITE_NAME=Of the file\nMAIL_FROM="Pictures <me@example.com>"\n')
  readEnvFile(path)
  expect(process.env).toMatchObject({
    SITE_NAME: 'Of the environment',
    MAIL_FROM: 'Pictures <me@example.com>',
    IMAGE_HOST_ENV_FILE: path,
  })
})

it('works without a file', () => {
  expect(() => readEnvFile(join(folder, 'nowhere'))).not.toThrow()
})
