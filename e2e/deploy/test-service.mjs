// npm run test:service: a Debian with nothing but Node, in a folder of its own. Installs the package there by the lines of
// docs/install.md, checks the units with systemd-analyze, and runs the server as the unit says: its user, its environment, its
// folders. As root. Debian: apt-get install --no-install-recommends mmdebstrap systemd util-linux
// No service manager runs in the folder: restarts after a crash are those of systemd and are not tested.
import '../../scripts/node-version.mjs'
import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root, run } from '../../scripts/run.mjs'
import { installNode, step, succeed, untilReady } from './steps.mjs'

const nodeVersion = process.argv[2] ?? '24'
const port = 3198
const url = `http://127.0.0.1:${port}`
const folder = await mkdtemp(join(tmpdir(), 'image-host-service-'))
const debian = join(folder, 'debian')
const work = join(folder, 'work')
/** @type {import('node:child_process').ChildProcess | undefined} */
let server
/** Nothing of the npm that runs this script; a proxy and its certificate may be needed to reach the registry. */
const cleanEnvironment = [
  ...['env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root'],
  ...['http_proxy', 'https_proxy', 'no_proxy', 'NODE_EXTRA_CA_CERTS'].flatMap((name) =>
    process.env[name] ? [`${name}=${process.env[name]}`] : [],
  ),
]

try {
  await mkdir(work)
  await step('Debian', () =>
    succeed('mmdebstrap', ['--variant=minbase', '--include=ca-certificates,systemd', 'bookworm', debian]),
  )
  await step(`Node ${nodeVersion}`, async () => {
    await installNode({ version: nodeVersion, work, system: debian, prefix: '/usr' })
    await giveNetwork()
  })
  await step('npm pack', () => succeed('npm', ['pack', '--pack-destination', work]))
  await step('docs/install.md', followDocument)
  await step('units', checkUnits)
  await step('start', async () => {
    await start()
    await untilReady(url)
  })
  await step('upload', async () => {
    const form = new FormData()
    form.set('image', new File([await readFile(`${root}web/public/icons/icon-512.png`)], 'icon-512.png'))
    const uploaded = await fetch(`${url}/api/upload`, { method: 'POST', body: form })
    const { id } = await uploaded.json()
    const { status } = await fetch(`${url}/api/thumbnail/${id}/400`)
    if (status !== 200) throw new Error(`the thumbnail responds with ${status}`)
  })
  await step('files', checkFiles)
  await step('backup', async () => inDebian(backupLine(await unit('image-host-backup.service')), 'image-host'))
  await step('kill -9, start', async () => {
    server?.kill('SIGKILL')
    await sleep(500)
    await start()
    await untilReady(url)
  })
  await step('stop', async () => {
    const ended = new Promise((resolve) => server?.once('exit', resolve))
    server?.kill('SIGTERM')
    if ((await ended) !== 0) throw new Error('the server did not stop cleanly')
  })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  server?.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** The registry of this machine, and the certificates that it needs. */
async function giveNetwork() {
  for (const [from, to] of [
    ['/etc/resolv.conf', 'etc/resolv.conf'],
    ['/etc/hosts', 'etc/hosts'],
    [process.env.NODE_EXTRA_CA_CERTS, process.env.NODE_EXTRA_CA_CERTS],
    ['/etc/ssl/certs', 'etc/ssl/certs'],
    [`${process.env.HOME}/.npmrc`, 'root/.npmrc'],
  ])
    await cp(from ?? '', join(debian, to ?? ''), { recursive: true, dereference: true }).catch(() => {})
}

/** Runs the lines under "systemd", except those that need a service manager or a proxy. */
async function followDocument() {
  const page = await readFile(`${root}docs/install.md`, 'utf8')
  const [, lines = ''] = /## systemd\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? []
  const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'))
  await cp(join(work, `image-host-${version}.tgz`), join(debian, `root/image-host-${version}.tgz`))
  const script = lines
    .replaceAll('VERSION', version)
    .split('\n')
    .filter((line) => !/caddy|Caddyfile|^systemctl|^journalctl/.test(line))
    .join('\n')
  await inDebian(`set -e; cd /root; ${script}`)
  await writeFile(join(debian, 'etc/image-host/server.env'), `PORT=${port}\n`)
}

async function checkUnits() {
  // As the first boot does: the units of a journal with a name contain the machine's id.
  await inDebian('systemd-machine-id-setup')
  const units = ['image-host.service', 'image-host-backup.service', 'image-host-backup.timer']
  const problems = await inDebian(
    `systemd-analyze verify ${units.map((name) => `/etc/systemd/system/${name}`).join(' ')}`,
  )
  // It exits with 0 after a misspelt key.
  if (problems !== '') throw new Error(problems)
  for (const name of units.slice(0, 2)) {
    const report = await inDebian(`systemd-analyze security --offline=true --threshold=20 /etc/systemd/system/${name}`)
    console.log(`        ${report.trim().split('\n').at(-1)}`)
  }
}

/** What systemd does for StateDirectory and User, and then ExecStart. */
async function start() {
  const text = await unit('image-host.service')
  const [, command = ''] = /^ExecStart=(.+)$/m.exec(text) ?? []
  const [, environment = ''] = /^Environment=(.+)$/m.exec(text) ?? []
  const script = `install -d -m 700 -o image-host -g image-host /var/lib/image-host
    exec setpriv --reuid image-host --regid image-host --init-groups --no-new-privs --bounding-set -all --inh-caps -all env -i PATH=/usr/bin:/bin ${environment} ${command}`
  server = spawn('unshare', withProc(debian, 'sh', '-c', script), { stdio: ['ignore', 'ignore', 'inherit'] })
}

/**
 * The arguments of unshare for chroot with /proc, which systemd-tmpfiles requires. The mount ends with the process.
 * @param {string[]} command the arguments of chroot
 */
function withProc(...command) {
  return ['--mount', 'sh', '-c', `mount -t proc proc ${debian}/proc && exec chroot "$@"`, 'sh', ...command]
}

function unit(/** @type {string} */ name) {
  return readFile(join(debian, 'etc/systemd/system', name), 'utf8')
}

function backupLine(/** @type {string} */ text) {
  const [, command = ''] = /^ExecStart=(.+)$/m.exec(text) ?? []
  const [, environment = ''] = /^Environment=(.+)$/m.exec(text) ?? []
  return `env ${environment} ${command.replaceAll('%%', '%')}`
}

/** Everything in the data folder belongs to the user of the service and is readable by it only. */
async function checkFiles() {
  const others = await inDebian('find /var/lib/image-host ! -user image-host -o -perm /077 ! -type l | head')
  if (others !== '') throw new Error(`not readable by the service only:\n${others}`)
  const settings = await inDebian('stat -c "%U:%G %a" /etc/image-host/server.env /var/backups/image-host')
  if (settings !== 'root:image-host 640\nimage-host:image-host 700\n') throw new Error(settings)
}

/** @param {string} script @returns {Promise<string>} its output */
async function inDebian(script, user = 'root') {
  const command = [`--userspec=${user}`, debian, ...cleanEnvironment, 'sh', '-c', script]
  const { ok, output } = await run('unshare', withProc(...command), { quiet: true })
  if (!ok) throw new Error(`${script}\nfailed:\n${output}`)
  return output
}
