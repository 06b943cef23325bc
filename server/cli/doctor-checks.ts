// What `doctor` looks at. Each check returns what it found and changes nothing.
import { access, constants, mkdtemp, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { nullWhenMissing } from '../blobs/durable.ts'
import { commandPrefix } from '../command-prefix.ts'
import { findDataDirOwner } from '../db/data-dir-lock.ts'
import { migrationState } from '../db/migrate.ts'
import { maxFromStoredMs, storedTime } from '../domain/operations/clock-guard.ts'
import { findAddressKey } from '../domain/shared/address-privacy.ts'
import { backupsIn, otherInstanceIn } from '../domain/backups/backup-bucket.ts'
import { hasSpaceFor } from '../domain/shared/disk-space.ts'
import type { Log } from '../domain/shared/log.ts'
import { openIdentityProviders } from '../identity-providers.ts'
import { openSmtp } from '../mail.ts'
import { backupBucketOf, inspectDatabase, openBlobs, requireLibraries } from '../open-deps.ts'
import { describeStartFailure } from '../start-failure.ts'
import { localUrl } from '../take-data-dir.ts'
import { decoderCount } from '../imaging/pool/capacity.ts'
import { openImaging } from '../imaging/pool/imaging.ts'
import { outdatedNode } from '../versions.ts'
import { bytesText } from '../command.ts'
import { type Finding, ok, problem, warning } from './finding.ts'
import { checkTls } from './tls-check.ts'

export const machineChecks: (() => Promise<Finding[]>)[] = [checkNode, checkLibraries]

export const instanceChecks: ((config: Config, log: Log) => Promise<Finding[]>)[] = [
  checkDataDir,
  checkDatabase,
  checkBucket,
  checkBackups,
  checkDecoders,
  checkMail,
  checkProviders,
  checkServer,
  checkProxy,
]

export async function checkNode(version = process.versions.node): Promise<Finding[]> {
  const outdated = outdatedNode(version)
  return outdated === undefined ? ok(`Node.js ${version}`) : warning(outdated, 'Install Node.js 24 or 22.')
}

async function checkLibraries(): Promise<Finding[]> {
  try {
    const { sqlite, vips } = await requireLibraries()
    return ok(`Libraries: SQLite ${sqlite}, libvips ${vips}`)
  } catch (error) {
    return problem((error as Error).message, 'Install the package again; in a clone of the repository run npm ci.')
  }
}

/** statfs types of file systems over a network: NFS, SMB, CIFS. */
const networkFileSystems = new Set([0x6969, 0x517b, 0xff534d42])

async function checkDataDir({ DATA_DIR: folder }: Config): Promise<Finding[]> {
  const found = await stat(folder).catch(nullWhenMissing)
  const existing = found === null ? await nearestFolder(folder) : folder
  try {
    await access(existing, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    const user = process.getuid === undefined ? 'this user' : `user ${process.getuid()}`
    return problem(
      `DATA_DIR: ${existing} is not writable by ${user}`,
      `Run: chown ${user.replace('user ', '')} ${existing}`,
    )
  }
  const disk = await statfs(existing)
  const free = `${bytesText(disk.bavail * disk.bsize)} free`
  const name = `DATA_DIR: ${folder}, ${found === null ? 'created at the first start, ' : ''}${free}`
  const findings = hasSpaceFor(disk, { images: 1, bytes: 0 })
    ? ok(name)
    : problem(name, 'Uploads are refused at 5 % or 1 GiB of free space. Free some, or move DATA_DIR to a larger disk.')
  if (found !== null && (found.mode & 0o077) !== 0)
    findings.push(...warning('DATA_DIR: other users of this machine may read it', `Run: chmod 700 ${folder}`))
  if (networkFileSystems.has(disk.type))
    findings.push(...warning('DATA_DIR: is on a network file system', 'Use a local disk: SQLite needs its locks.'))
  return findings
}

async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path)
  return (await stat(parent).catch(nullWhenMissing)) === null ? nearestFolder(parent) : parent
}

const hourMs = 60 * 60_000
/** Clocks may differ by this much; the sweeps tolerate more (domain/operations/clock-guard.ts). */
const maxClockMs = 5 * 60_000

async function checkDatabase(config: Config, log: Log): Promise<Finding[]> {
  const name = config.DATABASE_URL === undefined ? 'Database: SQLite' : 'Database: PostgreSQL'
  try {
    const state = await inspectDatabase(config, log, async (db) => ({
      pending: (await migrationState(db)).pending,
      // Without tables there is no stored time.
      clock: await storedTime({ db }).catch(() => undefined),
    }))
    if (state === null) return ok(`${name}, created at the first start`)
    const { pending, clock } = state
    return [
      ...(pending.length === 0
        ? ok(`${name}, of this version`)
        : warning(
            `${name}, of an older version: ${pending.length} migrations at the next start`,
            `Run: ${commandPrefix}upgrade --check`,
          )),
      ...checkClock(Date.now(), clock),
    ]
  } catch (error) {
    return problem(`${name} cannot be used: ${describeStartFailure(error, config)}`)
  }
}

/** @param stored UTC milliseconds, by the server when it last trusted its clock */
export function checkClock(now: number, stored: number | undefined): Finding[] {
  const text = `Clock: ${new Date(now).toISOString()}`
  if (stored !== undefined && now - stored > maxFromStoredMs)
    return warning(
      `${text} is ${Math.round((now - stored) / hourMs)} hours after a server last trusted its clock`,
      'Normal after a pause. Else synchronize the clock (timedatectl set-ntp true): until it has been steady for an hour, ' +
        'nothing that expires is deleted.',
    )
  if (stored === undefined || stored <= now + maxClockMs) return ok(text)
  return problem(
    `${text} is before ${new Date(stored).toISOString()}, when a server last ran`,
    'Synchronize the clock (timedatectl set-ntp true): images expire by it.',
  )
}

async function checkDecoders({ DECODERS: setting }: Config): Promise<Finding[]> {
  const why = setting === 0 ? 'as many as cores and memory allow' : 'as DECODERS says'
  let folder: string
  try {
    folder = await mkdtemp(join(tmpdir(), 'image-host-doctor-'))
  } catch (error) {
    return problem(`Decoders: not tried, there is no temporary folder: ${(error as Error).message}`)
  }
  const imaging = openImaging({ dataDir: folder })
  try {
    await imaging.selfTest()
    const text = `Decoders: a sample is decoded; ${decoderCount(setting)} for renders and as many for uploads, ${why}`
    const most = decoderCount(0)
    const decoders =
      setting <= most
        ? ok(text)
        : warning(text, `This machine has cores and memory for ${most}: with more, images can use up its memory.`)
    const font = (await imaging.drawsLetters())
      ? ok('Fonts: watermarks have letters')
      : warning('Fonts: there are none, links with a watermark are refused', 'Install one, such as fonts-dejavu-core.')
    return [...decoders, ...font]
  } catch (error) {
    return problem(`Decoders: ${(error as Error).message}`)
  } finally {
    await imaging.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function checkBucket(config: Config): Promise<Finding[]> {
  if (config.S3_BUCKET === undefined) return ok('Originals: on the disk, in DATA_DIR')
  try {
    await openBlobs(config)
    return ok(`Originals: in the bucket ${config.S3_BUCKET}`)
  } catch (error) {
    return problem(describeStartFailure(error, config))
  }
}

async function checkBackups(config: Config, log: Log): Promise<Finding[]> {
  const { BACKUP_SCHEDULE: schedule, BACKUP_S3_BUCKET: bucket } = config
  const when = schedule === undefined ? 'when one is started' : `on the schedule ${schedule}`
  const open = backupBucketOf(config)
  if (!open) return ok(`Backups: ${when}, on the disk of DATA_DIR`)
  try {
    const names = await backupsIn(await open())
    const addressKey = await inspectDatabase(config, log, findAddressKey).catch(() => null) // checkDatabase says why
    const refusal = addressKey && otherInstanceIn(names, { bucket, addressKey })
    return refusal ? problem(refusal) : ok(`Backups: ${when}, ${names.length} in the bucket ${bucket}`)
  } catch (error) {
    return problem(describeStartFailure(error, config))
  }
}

async function checkMail({ SMTP_URL: url }: Config): Promise<Finding[]> {
  if (url === undefined) return ok('Mail: off; messages of the contact page are in the database')
  const mailer = await openSmtp(url)
  try {
    await mailer.verify()
    return ok(`Mail: ${new URL(url).host} accepts the connection and the login`)
  } catch (error) {
    return problem(`SMTP_URL: ${new URL(url).host} cannot be used: ${(error as Error).message}`)
  } finally {
    mailer.close()
  }
}

async function checkProviders({ OIDC_PROVIDERS: settings = [] }: Config): Promise<Finding[]> {
  const providers = [...openIdentityProviders(settings).values()]
  const findings = providers.map(async ({ settings: { name, issuer }, verify }): Promise<Finding[]> => {
    try {
      await verify()
      return ok(`Logins at ${name}: ${issuer} responds`)
    } catch (error) {
      return problem(`OIDC_PROVIDERS: ${name} cannot be used: ${(error as Error).message}`)
    }
  })
  return (await Promise.all(findings)).flat()
}

/** Of this DATA_DIR, whatever its port. */
async function checkServer({ HOST, PORT, DATA_DIR }: Config): Promise<Finding[]> {
  const owner = await findDataDirOwner(DATA_DIR).catch(() => null) // checkDataDir reports what is wrong with the folder
  const port = owner?.port ?? PORT
  const url = localUrl(HOST, port)
  const response = await responseOf(`${url}/readyz`)
  if (typeof response === 'string' && owner === null) return ok(`Server: none is running at ${url}`)
  if (typeof response === 'string')
    return warning(
      `Server: process ${owner?.pid} uses ${DATA_DIR}, and none responds at ${url}`,
      'It is starting or stopping, is a command such as restore, or has another HOST or PORT.',
    )
  if (response.ok && owner === null)
    return warning(
      `Server: the one at ${url} does not use ${DATA_DIR}`,
      'Set DATA_DIR or PORT as that server has them.',
    )
  if (response.ok && port !== PORT)
    return warning(
      `Server: running at ${url}, not at PORT, ${PORT}`,
      'Run this command with the settings of the server: these findings are about others.',
    )
  if (response.ok) return ok(`Server: running at ${url}`)
  return problem(
    `Server: ${url} responds with ${response.status}`,
    'Read its log, or set PORT: another program may use it.',
  )
}

async function checkProxy({ PUBLIC_URL: url, TRUST_PROXY: trusted, HOST }: Config): Promise<Finding[]> {
  if (url === undefined) return ok('Proxy: none (PUBLIC_URL is not set)')
  const findings: Finding[] = []
  // The server itself speaks HTTP only.
  if (url.startsWith('https:') && trusted === false)
    findings.push(
      ...problem(
        'TRUST_PROXY: is off, but https in PUBLIC_URL needs a proxy: all visitors count as one address',
        'Set TRUST_PROXY to the number of proxies, such as 1, or to their addresses.',
      ),
    )
  if (typeof trusted === 'number' && ['0.0.0.0', '::'].includes(HOST))
    findings.push(
      ...warning(
        `TRUST_PROXY: a client that reaches ${HOST} without the proxy can forge its address`,
        'Set HOST=127.0.0.1, or TRUST_PROXY to the address of the proxy.',
      ),
    )
  if (url.startsWith('http:') && !isThisMachine(url))
    findings.push(
      ...warning(`PUBLIC_URL: ${url} is not encrypted`, 'Use https: passwords and keys are sent in the clear.'),
    )
  const response = await responseOf(`${url}/healthz`)
  if (typeof response !== 'string' && response.ok)
    return [...ok(`Proxy: ${url} reaches a server`), ...findings, ...(await checkEncryption(url))]
  const reason = typeof response === 'string' ? response : `it responds with ${response.status}`
  const advice =
    'Start the server, then check DNS, firewall and the proxy. Some networks cannot reach their own public address.'
  return [...warning(`PUBLIC_URL: ${url} does not reach the server: ${reason}`, advice), ...findings]
}

async function checkEncryption(url: string): Promise<Finding[]> {
  if (!url.startsWith('https:')) return []
  const plain = url.replace('https:', 'http:')
  const response = await responseOf(`${plain}/api/limits`)
  const isServed = typeof response !== 'string' && response.ok
  const advice = 'Let the proxy redirect pages to https, and refuse the rest.'
  return [
    ...(await checkTls(url)),
    ...(isServed ? warning(`TLS: ${plain} serves the API without encryption`, advice) : []),
  ]
}

const isThisMachine = (url: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

/** @returns the reason when there is none */
async function responseOf(url: string): Promise<Response | string> {
  try {
    return await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5000) })
  } catch (error) {
    const { cause, message } = error as Error
    return cause instanceof Error ? cause.message || ('code' in cause ? String(cause.code) : message) : message
  }
}
