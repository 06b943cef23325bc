// A real MariaDB for tests of importers, where Debian's mariadb-server-core is installed.
import { spawn } from 'node:child_process'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPool } from 'mysql2/promise'
import { freePort } from './free-port.ts'

export interface MariaDb {
  /** Creates an empty database. @returns its URL */
  newDatabase(): Promise<string>
  stop(): Promise<void>
}

const server = '/usr/sbin/mariadbd'

/** Returns null when it is not installed. */
export async function startMariaDb(): Promise<MariaDb | null> {
  const isInstalled = await access(server).then(
    () => true,
    () => false,
  )
  if (!isInstalled) return null
  const folder = await mkdtemp(join(tmpdir(), 'image-host-mariadb-'))
  const port = await freePort()
  const { username } = userInfo()
  const install = spawn('/usr/bin/mariadb-install-db', [
    '--no-defaults',
    `--datadir=${folder}`,
    `--user=${username}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ])
  const [code] = await once(install, 'exit')
  if (code !== 0) throw new Error('mariadb-install-db failed')
  const child = spawn(
    server,
    [
      '--no-defaults',
      `--datadir=${folder}`,
      `--socket=${join(folder, 'socket')}`,
      `--user=${username}`,
      '--bind-address=127.0.0.1',
      `--port=${port}`,
      '--innodb-flush-log-at-trx-commit=0',
    ],
    { stdio: 'ignore' },
  )
  const pool = createPool({ host: '127.0.0.1', port, user: 'root', connectionLimit: 1 })
  for (let tries = 0; ; tries++) {
    const failure: unknown = await pool.query('select 1').then(
      () => null,
      (error: unknown) => error,
    )
    if (failure === null) break
    if (tries === 200 || child.exitCode !== null) throw new Error('MariaDB did not start', { cause: failure })
    await sleep(100)
  }
  return {
    async newDatabase() {
      const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
      await pool.query(`create database ${name} character set utf8mb4`)
      return `mysql://root@127.0.0.1:${port}/${name}`
    },
    async stop() {
      await pool.end()
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}
