// npm run test:container: builds the image and runs it as compose.yaml does: read-only, without capabilities, as its user. Then
// checks size, health check, an operator's command, and that SIGTERM finishes an upload. As root, without a daemon. Debian:
// apt-get install --no-install-recommends buildah podman runc mmdebstrap skopeo
// The two base images are made of Debian's packages under their names, because a machine without a registry of images must run
// this; --pull takes the real ones.
import '../../scripts/node-version.mjs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root, run } from '../../scripts/run.mjs'
import { installNode, step, succeed, untilReady } from './steps.mjs'

const maxBytes = 250e6
const port = 3197
const url = `http://127.0.0.1:${port}`
const name = 'image-host-test'
const isPulling = process.argv.includes('--pull')
const folder = await mkdtemp(join(tmpdir(), 'image-host-container-'))
const dockerfile = await readFile(`${root}Dockerfile`, 'utf8')
const [buildBase = '', runtimeBase = ''] = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image)

/** As in compose.yaml; the last two lines are for a machine without systemd. */
const confinement = [
  ...['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'all', '--security-opt', 'no-new-privileges'],
  ...['--pids-limit', '200', '--memory', '2g'],
  ...['--network', 'host', '--no-healthcheck'],
  ...['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096'],
]
/** Options of podman itself. */
const podman = ['--runtime', 'runc', '--cgroup-manager', 'cgroupfs']

try {
  if (!isPulling) {
    await step('base of the build', makeBuildBase)
    await step('base of the image', makeRuntimeBase)
  }
  await step('build', async () =>
    buildImage([name, ...(await registry()), ...(isPulling ? [] : ['--pull-never']), root]),
  )
  await step('size', checkSize)
  await step('start', async () => {
    const options = ['--detach', '--name', name, '--env', `PORT=${port}`, '--volume', `${name}:/data`]
    await succeed('podman', [...podman, 'run', ...options, ...confinement, name])
    await untilReady(url)
  })
  await step('health check', () => inContainer(...healthCheck()))
  await step('doctor', async () => {
    const report = await inContainer('image-host', 'doctor')
    if (/\bDATA_DIR: other users/.test(report)) throw new Error(report)
    if (!report.includes('Fonts: watermarks have letters')) throw new Error(report)
  })
  await step('user', checkUser)
  await step('SIGTERM', finishUpload)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.error((await run('podman', ['logs', '--tail', '20', name], { quiet: true })).output)
  process.exitCode = 1
} finally {
  await run('podman', ['rm', '--force', '--volumes', name], { quiet: true })
  await run('podman', ['volume', 'rm', '--force', name], { quiet: true })
  await rm(folder, { recursive: true, force: true })
}

/** Debian with Node and npm, like the official image. */
async function makeBuildBase() {
  const [, version = ''] = /node:([\d.]+)-/.exec(buildBase) ?? []
  await succeed('mmdebstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', join(folder, 'build.tar')])
  await installNode({ version, work: folder, system: join(folder, 'root'), prefix: '/usr/local' })
  await makeImage(buildBase, 'FROM scratch\nADD build.tar /\nCOPY root /\n')
}

/** The packages of gcr.io/distroless/cc, and its user. */
async function makeRuntimeBase() {
  const packages = 'base-files,ca-certificates,libc6,libgcc-s1,libgomp1,libssl3t64,libstdc++6,netbase,tzdata'
  await succeed('mmdebstrap', ['--variant=extract', `--include=${packages}`, 'trixie', join(folder, 'runtime.tar')])
  await mkdir(join(folder, 'etc'))
  await writeFile(
    join(folder, 'etc/passwd'),
    'root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n',
  )
  await writeFile(join(folder, 'etc/group'), 'root:x:0:\nnonroot:x:65532:\n')
  await mkdir(join(folder, 'home'))
  await makeImage(
    runtimeBase,
    'FROM scratch\nADD runtime.tar /\nCOPY etc /etc\nCOPY --chown=65532:65532 home /home/nonroot\nUSER 65532\n',
  )
}

/** @param {string} tag @param {string} text of its Dockerfile, in `folder` */
async function makeImage(tag, text) {
  await writeFile(join(folder, 'Base.Dockerfile'), text)
  const full = tag.includes('/') ? tag : `docker.io/library/${tag}`
  await buildImage([full, '--file', join(folder, 'Base.Dockerfile'), folder])
}

/** @param {string[]} args the tag, and options */
function buildImage(args) {
  return succeed('buildah', ['bud', '--isolation', 'chroot', '--format', 'docker', '--tag', ...args])
}

/** The registry of npm that this machine uses, with its certificates, during the build only. */
async function registry() {
  const settings = join(folder, 'npmrc')
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  const own = await readFile(`${process.env.HOME}/.npmrc`, 'utf8').catch(() => '')
  await writeFile(settings, `${own}\n${certificates ? 'cafile=/run/certificates.pem\n' : ''}`)
  return [
    ...['--volume', `${settings}:/root/.npmrc:ro`, '--network', 'host'],
    ...(certificates ? ['--volume', `${certificates}:/run/certificates.pem:ro`] : []),
  ]
}

async function checkSize() {
  const { output } = await run('podman', ['image', 'inspect', '--format', '{{.Size}} {{.User}}', name], { quiet: true })
  const [bytes = '', user = ''] = output.trim().split(' ')
  console.log(`        ${(Number(bytes) / 1e6).toFixed(0)} MB, user ${user}`)
  if (Number(bytes) > maxBytes) throw new Error(`the image has more than ${maxBytes / 1e6} MB`)
}

/** @returns {string[]} the command of HEALTHCHECK */
function healthCheck() {
  const [, json = ''] = /HEALTHCHECK [\s\S]*?CMD (\[.+\])/.exec(dockerfile) ?? []
  return JSON.parse(json)
}

/** @param {string[]} command */
async function inContainer(...command) {
  return succeed('podman', [...podman, 'exec', name, ...command])
}

async function checkUser() {
  const status = await inContainer(
    'node',
    '-e',
    "console.log(process.getuid(), require('fs').readFileSync('/proc/1/status', 'utf8'))",
  )
  if (!status.startsWith('65532 ')) throw new Error(`the user is ${status.split('\n')[0]}`)
  if (!/CapEff:\s0+\n/.test(status)) throw new Error('the process has capabilities')
  const written = await run(
    'podman',
    [...podman, 'exec', name, 'node', '-e', "require('fs').writeFileSync('/app/x', '')"],
    { quiet: true },
  )
  if (written.ok) throw new Error('the root file system is writable')
}

/** An upload whose second half is sent after SIGTERM is stored, and the container exits with 0. */
async function finishUpload() {
  const boundary = 'boundary'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n`
  const body = Buffer.concat([
    Buffer.from(head),
    await readFile(`${root}web/public/icons/icon-512.png`),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': body.length }
  const upload = request(`${url}/api/upload`, { method: 'POST', headers })
  const status = new Promise((resolve, reject) =>
    upload.once('response', ({ statusCode }) => resolve(statusCode)).once('error', reject),
  )
  upload.write(body.subarray(0, body.length / 2))
  await sleep(1000)
  const stopped = succeed('podman', [...podman, 'stop', '--time', '15', name])
  await sleep(1000)
  upload.end(body.subarray(body.length / 2))
  if ((await status) !== 201) throw new Error(`the upload responds with ${await status}`)
  await stopped
  const { output } = await run('podman', ['inspect', '--format', '{{.State.ExitCode}}', name], { quiet: true })
  if (output.trim() !== '0') throw new Error(`the container ended with ${output}`)
}
