import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeBackup } from '../domain/backups/backup-run.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { startS3Server } from '../testing/s3-server.ts'
import { startSmtpServer } from '../testing/smtp-server.ts'
import { checkClock, checkNode } from './doctor-checks.ts'

const hasNoOpenssl = spawnSync('openssl', ['version']).error !== undefined
const program = new URL('../../dist/command/main.js', import.meta.url).pathname
let app: TestApp
let folder: string
beforeAll(async () => {
  app = await startTestApp()
  folder = await mkdtemp(join(tmpdir(), 'image-host-doctor-'))
})
afterAll(async () => {
  await app.stop()
  await rm(folder, { recursive: true })
})

async function doctor(env: Record<string, string>) {
  const child = spawn(process.execPath, [program, 'doctor'], {
    env: { PATH: process.env['PATH'], DATA_DIR: app.dataDir, PORT: new URL(app.url).port, ...env },
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { out, err, code: await ended }
}

describe('doctor', () => {
  it('finds no problem in a running instance', async () => {
    const { out, err, code } = await doctor({})
    expect(err).toBe('')
    for (const line of [
      'ok       Libraries: SQLite 3.',
      'ok       Settings are valid',
      `ok       DATA_DIR: ${app.dataDir}, `,
      'ok       Database: SQLite, of this version',
      'ok       Clock: 2',
      'ok       Originals: on the disk, in DATA_DIR',
      'ok       Backups: when one is started, on the disk of DATA_DIR',
      'ok       Decoders: a sample is decoded; ',
      'ok       Mail: off',
      `ok       Server: running at ${app.url}`,
      'ok       Proxy: none',
    ])
      expect(out).toContain(line)
    expect(code).toBe(0)
  })

  it('warns of more decoders than the machine has cores and memory for', async () => {
    const { out } = await doctor({ DECODERS: '256' })
    expect(out).toContain('warning  Decoders: a sample is decoded; 256 for renders')
    expect(out).toMatch(/This machine has cores and memory for \d+:/)
  })

  it('finds no problem before the first start, and creates nothing', async () => {
    const DATA_DIR = join(folder, 'new/data')
    const { out, code } = await doctor({ DATA_DIR, PORT: '1' })
    expect(out).toContain(`${DATA_DIR}, created at the first start, `)
    expect(out).toContain('Database: SQLite, created at the first start')
    expect(out).toContain('Server: none is running at http://127.0.0.1:1')
    expect(code).toBe(0)
  })

  it.each<[string, Record<string, string>, string]>([
    ['a wrong setting', { PORT: 'x' }, 'problem  PORT: must be a whole number\n'],
    ['a data folder that is a file', { DATA_DIR: '/dev/null' }, 'problem  Database: SQLite cannot be used: '],
    [
      'a database that is down',
      { DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/c', JWT_SECRET: 'a secret of the tests, long enough' },
      'problem  Database: PostgreSQL cannot be used: DATABASE_URL: the database at 127.0.0.1:1 cannot be used: ',
    ],
    [
      'a bucket that does not respond',
      { S3_BUCKET: 'pictures', S3_ENDPOINT: 'http://127.0.0.1:1', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' },
      'problem  S3_ENDPOINT: ',
    ],
    [
      'a mail server that is down',
      { SMTP_URL: 'smtp://127.0.0.1:1', SUPPORT_EMAIL: 'a@example.com', PUBLIC_URL: 'http://127.0.0.1:1' },
      'problem  SMTP_URL: 127.0.0.1:1 cannot be used: connect ECONNREFUSED',
    ],
    [
      'a login provider that is down',
      {
        OIDC_PROVIDERS: JSON.stringify([
          { id: 'a', name: 'Company', issuer: 'http://127.0.0.1:1', clientId: 'images', clientSecret: 'secret' },
        ]),
      },
      'problem  OIDC_PROVIDERS: Company cannot be used: http://127.0.0.1:1 was not discovered: fetch failed',
    ],
    [
      'https without TRUST_PROXY',
      { PUBLIC_URL: 'https://127.0.0.1:1' },
      'problem  TRUST_PROXY: is off, but https in PUBLIC_URL needs a proxy',
    ],
  ])('reports %s, without a password', async (_what, env, line) => {
    const { out, code } = await doctor(env)
    expect(out).toContain(line)
    expect(out).not.toContain('secret')
    expect(code).toBe(1)
  })

  it('finds the server of the data folder at another port, and one that is not of this folder', async () => {
    const { port } = new URL(app.url)
    const dataDir = await mkdtemp(join(folder, 'other-'))
    const first = await startTestApp({}, dataDir)
    const PORT = new URL(first.url).port
    await first.halt()
    const other = await startTestApp({ PORT }, dataDir)
    try {
      expect((await doctor({ DATA_DIR: dataDir, PORT: port })).out).toContain(
        `warning  Server: running at http://127.0.0.1:${PORT}, not at PORT, ${port}\n`,
      )
    } finally {
      await other.stop()
    }
    const unused = join(folder, 'unused')
    expect((await doctor({ DATA_DIR: unused })).out).toContain(
      `warning  Server: the one at ${app.url} does not use ${unused}\n`,
    )
    // This one was started with PORT=0: where it listens is not known.
    const { out, code } = await doctor({ PORT: '1' })
    expect(out).toContain(`warning  Server: process ${process.pid} uses ${app.dataDir}, and none responds at `)
    expect(code).toBe(0)
  })

  it('names what is not a setting, without failing', async () => {
    const { out, code } = await doctor({ GUEST_UPLOAD: 'off' })
    expect(out).toContain('warning  GUEST_UPLOAD is not a setting. Did you mean GUEST_UPLOADS?\n')
    expect(code).toBe(0)
    // Beside an invalid setting, whose name may have been meant.
    const invalid = await doctor({ PUBLIC_ULR: 'https://a.example', PORT: 'x' })
    expect(invalid.out).toContain('warning  PUBLIC_ULR is not a setting. Did you mean PUBLIC_URL?\n')
    expect(invalid.code).toBe(1)
  })

  it('warns without failing of a readable data folder and of a proxy that does not reach the server', async () => {
    const DATA_DIR = join(folder, 'readable')
    await mkdir(DATA_DIR, { mode: 0o755 })
    const { out, code } = await doctor({
      DATA_DIR,
      PUBLIC_URL: 'http://localhost:1',
      TRUST_PROXY: '1',
      HOST: '0.0.0.0',
    })
    expect(out).toContain(
      `warning  DATA_DIR: other users of this machine may read it\n         Run: chmod 700 ${DATA_DIR}\n`,
    )
    expect(out).toContain('warning  PUBLIC_URL: http://localhost:1 does not reach the server: ')
    expect(out).toContain('warning  TRUST_PROXY: a client that reaches 0.0.0.0 without the proxy can forge its address')
    expect(code).toBe(0)
  })

  describe.skipIf(hasNoOpenssl)('about the TLS of the proxy', () => {
    let key: Buffer
    let cert: Buffer
    beforeAll(async () => {
      const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
      execFileSync(
        'openssl',
        ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '90', '-subj', '/CN=localhost'].concat([
          '-addext',
          'subjectAltName=DNS:localhost',
          '-keyout',
          keyFile,
          '-out',
          certFile,
        ]),
        { stdio: 'ignore' },
      )
      ;[key, cert] = [await readFile(keyFile), await readFile(certFile)]
    })

    /** A proxy that responds to everything with 200. */
    async function findings(options: ServerOptions, env: Record<string, string>): Promise<string> {
      const proxy = createServer({ key, cert, ...options }, (_, response) => response.end())
      proxy.on('tlsClientError', () => {})
      proxy.listen(0, 'localhost')
      await once(proxy, 'listening')
      const { port } = proxy.address() as AddressInfo
      try {
        return (await doctor({ PUBLIC_URL: `https://localhost:${port}`, TRUST_PROXY: '1', ...env })).out
      } finally {
        proxy.close()
      }
    }
    const trusted = () => ({ NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') })
    const modern = { minVersion: 'TLSv1.2', ciphers: 'ECDHE+AESGCM:ECDHE+CHACHA20' } as const
    const anything = { minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' } as const

    it('is content with modern versions and ciphers', async () => {
      const out = await findings(modern, trusted())
      expect(out).toMatch(/ok {7}TLS: TLSv1\.3, certificate until 20\d\d-\d\d-\d\d\n/)
      expect(out).not.toContain('accepts')
    })

    it('warns of old versions and weak ciphers', async () => {
      const out = await findings(anything, trusted())
      for (const what of ['TLS 1.0 or 1.1', 'ciphers without forward secrecy', 'ciphers in CBC mode'])
        expect(out).toContain(`warning  TLS: localhost accepts ${what} (`)
    })

    it('reports a certificate that is not trusted', async () => {
      const out = await findings(modern, {})
      expect(out).toContain('does not reach the server: self-signed certificate')
    })
  })

  it('reports a damaged database', async () => {
    const DATA_DIR = join(folder, 'damaged')
    await mkdir(DATA_DIR, { mode: 0o700 })
    await writeFile(join(DATA_DIR, 'image-host.sqlite'), 'not a database'.repeat(100))
    expect(await doctor({ DATA_DIR })).toMatchObject({
      code: 1,
      out: expect.stringContaining('problem  Database: SQLite cannot be used: '),
    })
  })

  it('reports a bucket that has the backups of another instance', async () => {
    const s3 = await startS3Server({ accessKeyId: 'key', secretAccessKey: 'secret of the bucket', bucket: 'backups' })
    const env = {
      BACKUP_S3_BUCKET: 'backups',
      BACKUP_S3_ENDPOINT: s3.endpoint,
      BACKUP_S3_ACCESS_KEY_ID: 'key',
      BACKUP_S3_SECRET_ACCESS_KEY: 'secret of the bucket',
    }
    const other = await startTestApp(env)
    try {
      const own = await doctor({ ...env, DATA_DIR: other.dataDir })
      expect(own.out).toContain('ok       Backups: when one is started, 0 in the bucket backups')
      await takeBackup(other.deps, { by: 'cli', place: 's3' })
      const { out } = await doctor(env)
      expect(out).toContain('problem  The bucket backups has backups of another instance (')
    } finally {
      await other.stop()
      await s3.stop()
    }
  })

  it('connects to the bucket and logs in to the mail server', async () => {
    const credentials = { accessKeyId: 'key', secretAccessKey: 'secret of the bucket' }
    const s3 = await startS3Server({ ...credentials, bucket: 'pictures' })
    const smtp = await startSmtpServer({ user: ['me', 'secret'] })
    try {
      const mail = new URL(smtp.url)
      const env = {
        S3_BUCKET: 'pictures',
        S3_ENDPOINT: s3.endpoint,
        S3_ACCESS_KEY_ID: credentials.accessKeyId,
        S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
        BACKUP_S3_BUCKET: 'missing',
        BACKUP_S3_ENDPOINT: s3.endpoint,
        SUPPORT_EMAIL: 'a@example.com',
        PUBLIC_URL: 'http://127.0.0.1:1',
      }
      const right = await doctor({ ...env, SMTP_URL: `smtp://me:secret@${mail.host}` })
      expect(right.out).toContain('ok       Originals: in the bucket ')
      expect(right.out).toContain(`ok       Mail: ${mail.host} accepts the connection and the login`)
      const wrong = await doctor({ ...env, SMTP_URL: `smtp://me:wrong@${mail.host}` })
      expect(wrong).toMatchObject({
        code: 1,
        out: expect.stringContaining(`problem  SMTP_URL: ${mail.host} cannot be used: `),
      })
    } finally {
      await smtp.stop()
      await s3.stop()
    }
  })
})

it.each([
  ['22.3.0', 'ok'],
  ['24.1.0', 'ok'],
  ['20.20.2', 'warning'],
])('Node %s: %s', async (version, level) => {
  expect(await checkNode(version)).toMatchObject([{ level }])
})

it.each([
  [undefined, 'ok'],
  [1_000_000, 'ok'],
  [1_100_000, 'ok'],
  [1_400_000, 'problem'],
  [1_000_000 - 25 * 60 * 60_000, 'warning'],
])('a clock at 1,000,000 ms and a stored time of %s: %s', (stored, level) => {
  expect(checkClock(1_000_000, stored)).toMatchObject([{ level }])
})
