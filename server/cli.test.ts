import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from './testing/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const compiledCli = new URL('../dist/server/cli.js', import.meta.url).pathname

async function cli(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [compiledCli, ...args], {
      env: { ...process.env, DATA_DIR: app.dataDir },
    })
    return { code: 0, out: stdout, err: stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, out: stdout, err: stderr }
  }
}

describe('the command line', () => {
  it('makes an admin of an account, while the server runs', async () => {
    const { token, email } = await app.newUser()
    expect(await cli('promote', email.toUpperCase())).toMatchObject({ code: 0, out: `${email} is an admin now.\n` })
    expect((await app.call('GET', '/api/me', { token })).body.user.role).toBe('admin')
  })

  it.each([
    [['promote', 'nobody@example.com'], 1, 'User not found'],
    [['promote'], 2, 'promote needs an email'],
    [['dance'], 2, 'There is no command dance'],
  ])('%j exits with %i and says why', async (args, code, text) => {
    const answer = await cli(...args)
    expect(answer.code).toBe(code)
    expect(answer.err).toContain(text)
  })

  it('explains itself', async () => {
    expect(await cli('--help')).toMatchObject({ code: 0, out: expect.stringContaining('promote EMAIL') })
  })
})
