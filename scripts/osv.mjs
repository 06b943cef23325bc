// Matches packages of a lockfile with advisories in OSV format (https://ossf.github.io/osv-schema/).

/**
 * @typedef {{ name: string, version: string }} Package
 * @typedef {{ introduced?: string, fixed?: string, last_affected?: string }} Event
 * @typedef {{ package?: { ecosystem?: string, name?: string }, versions?: string[], ranges?: { type?: string, events?: Event[] }[],
 *   database_specific?: { severity?: string } }} Affected
 * @typedef {{ id?: string, summary?: string, withdrawn?: string, affected?: Affected[], database_specific?: { severity?: string } }} Advisory
 * @typedef {{ id: string, name: string, version: string, severity: string, summary: string }} Finding
 */

/**
 * @param {unknown} list advisories, or an object with them under `vulns`, which is the format of osv.dev files and responses
 * @param {Package[]} packages
 * @returns {Finding[]}
 * @throws {Error} if it is not a list: an unreadable list must not pass as an empty one
 */
export function findAdvisories(list, packages) {
  const advisories = /** @type {{ vulns?: unknown } | null} */ (list)?.vulns ?? list
  if (!Array.isArray(advisories)) throw new Error('it is not a list of advisories in OSV format')
  return advisories.flatMap((/** @type {Advisory} */ advisory) => {
    if (typeof advisory?.id !== 'string' || !Array.isArray(advisory.affected))
      throw new Error('an advisory has no id or no affected packages')
    return advisory.withdrawn === undefined ? findingsOf(advisory, packages) : []
  })
}

/**
 * @param {Advisory} advisory
 * @param {Package[]} packages
 * @returns {Finding[]}
 */
function findingsOf({ id = '', summary = '', affected = [], database_specific }, packages) {
  return packages.flatMap(({ name, version }) => {
    const hit = affected.find((one) => one.package?.name === name && isNpm(one) && affects(one, version))
    if (!hit) return []
    const severity = hit.database_specific?.severity ?? database_specific?.severity ?? 'unknown'
    return [{ id, name, version, severity: severity.toLowerCase(), summary }]
  })
}

const isNpm = (/** @type {Affected} */ affected) => affected.package?.ecosystem?.toLowerCase() === 'npm'

function affects(/** @type {Affected} */ { versions = [], ranges = [] }, /** @type {string} */ version) {
  const semver = ranges.filter(({ type }) => type === 'SEMVER' || type === 'ECOSYSTEM')
  return versions.includes(version) || semver.some(({ events = [] }) => isWithin(events, version))
}

/** The last event at or before the version decides (OSV, "Evaluation"). */
function isWithin(/** @type {Event[]} */ events, /** @type {string} */ version) {
  let isAffected = false
  for (const { introduced, fixed, last_affected: last } of inOrder(events)) {
    if (introduced !== undefined && (introduced === '0' || compare(introduced, version) <= 0)) isAffected = true
    if (fixed !== undefined && compare(fixed, version) <= 0) isAffected = false
    if (last !== undefined && compare(last, version) < 0) isAffected = false
  }
  return isAffected
}

const at = (/** @type {Event} */ { introduced, fixed, last_affected }) => introduced ?? fixed ?? last_affected ?? '0'
const inOrder = (/** @type {Event[]} */ events) => events.toSorted((one, other) => compare(at(one), at(other)))

/** Compares semantic versions (https://semver.org section 11). @returns {number} below 0 when `one` comes first */
export function compare(/** @type {string} */ one, /** @type {string} */ other) {
  const [a, b] = [partsOf(one), partsOf(other)]
  for (const index of [0, 1, 2]) {
    const difference = (a.numbers[index] ?? 0) - (b.numbers[index] ?? 0)
    if (difference !== 0) return difference
  }
  return comparePre(a.pre, b.pre)
}

/** A pre-release has identifiers and comes before its release, which has none. */
function comparePre(/** @type {string[]} */ one, /** @type {string[]} */ other) {
  if (one.length === 0 || other.length === 0) return other.length - one.length
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    const [a, b] = [one[index], other[index]]
    if (a === b) continue
    if (a === undefined) return -1
    if (b === undefined) return 1
    const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)]
    if (isNumber && isOtherNumber) return Number(a) - Number(b)
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
    return a < b ? -1 : 1
  }
  return 0
}

function partsOf(/** @type {string} */ version) {
  const [release = '', pre = ''] = version.split('+')[0]?.split(/-(.*)/s) ?? []
  return { numbers: release.split('.').map(Number), pre: pre === '' ? [] : pre.split('.') }
}
