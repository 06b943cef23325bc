// npm run test:s3: runs the S3 tests against a real Ceph gateway, which is started for them and removed afterwards.
// It stores everything in memory and a temporary folder, and listens on the loopback address only.
// Debian: apt-get install --no-install-recommends ceph-mon ceph-osd radosgw
// With S3_TEST_ENDPOINT and the others beside it (server/testing/s3-conformance.ts) they run against that server instead.
import '../../scripts/node-version.mjs'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { install } from '../../scripts/install.mjs'
import { run, seconds, tool } from '../../scripts/run.mjs'
import { succeed } from './steps.mjs'

const tests = ['server/blobs/blob-store.test.ts', 'server/testing/s3-server.test.ts']
const startMs = 60_000
// As in server/blobs/s3.ts: a warning about the Node version that the user cannot act on.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'

/** @type {import('node:child_process').ChildProcess[]} */
const daemons = []
let folder = ''
process.once('exit', () => {
  for (const daemon of daemons) daemon.kill('SIGKILL')
  if (folder !== '') rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})
// run() forwards the signal to a running command, which then ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => setTimeout(() => process.exit(1), 1000))

await install({ dev: true })
try {
  const server = process.env.S3_TEST_ENDPOINT ? {} : await startGateway()
  const { ok } = await run('node', [tool('vitest/vitest.mjs'), 'run', ...tests], { env: server })
  process.exit(ok ? 0 : 1)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

/** One monitor, one store in memory, one gateway. @returns the settings that the tests read */
async function startGateway() {
  const since = performance.now()
  const { output } = await run('radosgw', ['--version'], { quiet: true }).catch(() => ({ output: '' }))
  if (output === '') throw new Error('radosgw is not installed; the first lines of e2e/deploy/test-s3.mjs say how.')

  folder = await mkdtemp(join(tmpdir(), 's3-'))
  const [monPort, gatewayPort] = [await freePort(), await freePort()]
  const fsid = randomUUID()
  const conf = join(folder, 'ceph.conf')
  await writeFile(conf, configuration({ fsid, monPort, gatewayPort }))
  await mkdir(join(folder, 'osd'))
  const ceph = (/** @type {string[]} */ ...[program = '', ...args]) => succeed(program, ['-c', conf, ...args])
  const daemon = (/** @type {string[]} */ ...[program = '', ...args]) => start(program, ['-c', conf, ...args, '-f'])

  await makeKeyring('keyring', 'mon.', ['mon'])
  await makeKeyring('admin', 'client.admin', ['mon', 'osd'])
  await succeed('ceph-authtool', [join(folder, 'keyring'), '--import-keyring', join(folder, 'admin')])
  await ceph(
    'monmaptool',
    '--create',
    '--fsid',
    fsid,
    '--addv',
    'a',
    `[v2:127.0.0.1:${monPort}]`,
    join(folder, 'monmap'),
  )
  await ceph('ceph-mon', '-i', 'a', '--mkfs', '--monmap', join(folder, 'monmap'), '--keyring', join(folder, 'keyring'))
  daemon('ceph-mon', '-i', 'a')

  await ceph('ceph', 'osd', 'new', fsid)
  const osdKeyring = join(folder, 'osd', 'keyring')
  await ceph('ceph', 'auth', 'get-or-create', 'osd.0', 'mon', 'allow profile osd', 'osd', 'allow *', '-o', osdKeyring)
  await ceph('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', fsid)
  daemon('ceph-osd', '-i', '0')

  const credentials = { accessKeyId: 'TESTACCESSKEY', secretAccessKey: randomUUID() }
  const keys = ['--access-key', credentials.accessKeyId, '--secret-key', credentials.secretAccessKey]
  await ceph('radosgw-admin', 'user', 'create', '--uid=test', '--display-name=test', ...keys)
  daemon('radosgw', '-n', 'client.admin')
  const endpoint = `http://127.0.0.1:${gatewayPort}`
  await createBucket(endpoint, credentials)
  console.log(`${output.trim()}: started in ${seconds(since)}`)
  return {
    S3_TEST_ENDPOINT: endpoint,
    S3_TEST_BUCKET: 'test-bucket',
    S3_TEST_ACCESS_KEY_ID: credentials.accessKeyId,
    S3_TEST_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  }
}

/** @param {{ fsid: string, monPort: number, gatewayPort: number }} given */
function configuration({ fsid, monPort, gatewayPort }) {
  const settings = {
    fsid,
    'mon host': `[v2:127.0.0.1:${monPort}]`,
    'public addr': '127.0.0.1',
    'cluster addr': '127.0.0.1',
    keyring: `${folder}/admin`,
    'run dir': folder,
    'admin socket': '',
    'crash dir': folder,
    'log file': `${folder}/$name.log`,
    'mon cluster log file': `${folder}/cluster.log`,
    'mon data': `${folder}/mon`,
    'osd data': `${folder}/osd`,
    'osd objectstore': 'memstore',
    // One replica: a single OSD is the whole cluster.
    'osd pool default size': 1,
    'osd pool default min size': 1,
    'osd crush chooseleaf type': 0,
    'osd pool default pg num': 4,
    'mon allow pool size one': true,
    'mon max pg per osd': 1000,
    'mon data avail crit': 1,
    'rgw frontends': `beast endpoint=127.0.0.1:${gatewayPort}`,
    'rgw data': folder,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const osd = ['[osd]', `keyring = ${folder}/osd/keyring`, '[mon]', `keyring = ${folder}/keyring`]
  return ['[global]', ...lines, ...osd, ''].join('\n')
}

/** @param {string} name @param {string} entity @param {string[]} parts the daemons that it has full access to */
async function makeKeyring(name, entity, parts) {
  const caps = parts.flatMap((part) => ['--cap', part, 'allow *'])
  await succeed('ceph-authtool', ['--create-keyring', join(folder, name), '--gen-key', '-n', entity, ...caps])
}

/** @param {string} program @param {string[]} args */
function start(program, args) {
  const daemon = spawn(program, args, { stdio: 'ignore' })
  daemon.once('exit', (code) => {
    if (code !== null) console.error(`${program} exited unexpectedly with code ${code}`)
  })
  daemons.push(daemon)
}

/** Success also shows that the gateway is ready. @param {string} endpoint @param {{ accessKeyId: string, secretAccessKey: string }} credentials */
async function createBucket(endpoint, credentials) {
  const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3')
  const client = new S3Client({ endpoint, credentials, region: 'us-east-1', forcePathStyle: true, maxAttempts: 1 })
  for (const since = performance.now(); ; await sleep(200)) {
    try {
      await client.send(new CreateBucketCommand({ Bucket: 'test-bucket' }))
      return
    } catch (error) {
      if (performance.now() - since < startMs) continue
      const log = await readFile(join(folder, 'client.admin.log'), 'utf8').catch(() => '')
      throw new Error(`The gateway does not respond.\n${log.slice(-3000)}`, { cause: error })
    }
  }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
