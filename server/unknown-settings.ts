// Finds variables that look like settings and are none: a misspelt one would silently keep its default.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { secretSettings, settings } from './config.ts'

export interface UnknownSetting {
  name: string
  /** A sentence that begins with the name. */
  text: string
}

/** The variable in which a launcher passes on which file of settings it has read (bin/, scripts/env-file.mjs). */
const fileVariable = 'IMAGE_HOST_ENV_FILE'

/** Of the command, and of this file. */
const otherNames = ['IMAGE_HOST_URL', 'IMAGE_HOST_KEY', fileVariable]
/** Names in the environment that begin with one of these are meant for this product. */
const prefixes =
  /^(IMAGE_HOST|GUEST|USER_(MAX|QUOTA|UPLOADS|RETENTION)|RATE_LIMIT|S3|SMTP|OIDC|DB_VIEW|REGISTRATION|BACKUP|EMAILJS|PURGE)_/
/** Kubernetes describes each Service so: one called image-host gives IMAGE_HOST_PORT=tcp://10.0.0.1:80. */
const isOfKubernetes = (name: string, value: string) =>
  /_SERVICE_(HOST|PORT)|_PORT_\d/.test(name) || /^(tcp|udp|sctp):\/\//.test(value)
/** What else may be in a file of settings: for Node, the libraries, and the other containers of the compose files. */
const readByOthers =
  /^(AWS|COMPOSE|DOCKER|GARAGE|GRAFANA|LC|LD|NODE|POSTGRES|SSL|UV|XDG)_|^PG[A-Z]+$|^(DOMAIN|HOME|LANG|PATH|TZ)$|_proxy$/i

/** Variables of the environment, and lines of the file of settings, that have no effect. */
export function findUnknownSettings(environment: Record<string, string | undefined>): UnknownSetting[] {
  const file = environment[fileVariable]
  const inFile = new Set(file === undefined ? [] : Object.keys(parseEnv(readFileSync(file, 'utf8'))))
  const names = Object.keys(environment).filter((name) => !Object.hasOwn(settings, name) && !otherNames.includes(name))
  return names.sort().flatMap((name) => {
    const place = inFile.has(name) ? `${name} in ${file}` : name
    const secret = name.replace(/_FILE$/, '')
    if (name.endsWith('_FILE') && Object.hasOwn(settings, secret)) {
      if (secretSettings.has(secret)) return []
      return [{ name, text: `${place} is ignored: only secrets can be in files. Set ${secret}` }]
    }
    const near = nearestSetting(name)
    if (near !== undefined) return [{ name, text: `${place} is not a setting. Did you mean ${near}?` }]
    const isOurs = inFile.has(name) ? !readByOthers.test(name) : prefixes.test(name)
    if (!isOurs || isOfKubernetes(name, environment[name] ?? '')) return []
    return [{ name, text: `${place} is not a setting. docs/configuration.md lists them` }]
  })
}

function nearestSetting(name: string): string | undefined {
  const candidates = Object.keys(settings).flatMap((setting) => [
    setting,
    ...(secretSettings.has(setting) ? [`${setting}_FILE`] : []),
  ])
  // Of short names many words are within two letters: HOME of HOST.
  const near = candidates
    .map((setting) => ({ setting, letters: lettersBetween(name.toUpperCase(), setting) }))
    .filter(({ setting, letters }) => letters <= (setting.length < 8 ? 1 : 2))
  return near.sort((a, b) => a.letters - b.letters)[0]?.setting
}

/** How many letters have to be added, removed or replaced (Levenshtein). */
function lettersBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Infinity
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++)
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1)))
    row = next
  }
  return row[b.length] ?? 0
}
