// Reads and changes CHANGELOG.md for a release.

/** The sections of a release, in their order: what an upgrade requires of the operator is read first. */
const sections = ['Breaking', 'Added', 'Changed', 'Deprecated', 'Removed', 'Security', 'Fixed']

/**
 * @param {string} changelog
 * @returns {string} what is under [Unreleased], or under the given version. @throws {Error} when there is nothing
 */
export function notesOf(changelog, version = 'Unreleased') {
  const start = changelog.indexOf(`\n## [${version}]`)
  const body = start < 0 ? '' : (changelog.slice(start + 1).split('\n## ')[0] ?? '')
  const notes = body.slice(body.indexOf('\n') + 1).trim()
  if (notes === '') throw new Error(`CHANGELOG.md has nothing under [${version}].`)
  return notes
}

/** @param {string} changelog @returns {string} the version of the last release */
export const lastRelease = (changelog) => /^## \[(\d.*)\]/m.exec(changelog)?.[1] ?? '0.0.0'

/** @param {string} version @returns {string} what the head is called after this release, until the next one */
export const versionAfter = (version) => version.replace(/\.(\d+)\.\d+$/, (_, minor) => `.${Number(minor) + 1}.0-dev`)

/** @param {string} notes @returns {string[]} what is wrong with the order of its sections */
export function sectionProblems(notes) {
  const found = [...notes.matchAll(/^### (.+)$/gm)].map(([, name = '']) => name)
  return [
    ...found.filter((name) => !sections.includes(name)).map((name) => `"${name}" is none of: ${sections.join(', ')}`),
    ...(found.join() === sections.filter((name) => found.includes(name)).join()
      ? []
      : [`the order of the sections is: ${sections.join(', ')}`]),
  ]
}

/**
 * @param {string} current @param {string} next versions
 * @param {string} notes
 * @returns {string | undefined} why `next` must not follow `current` (the policy at the end of CHANGELOG.md)
 */
export function versionProblem(current, next, notes) {
  if (next === '') return 'Which version? For example: npm run release -- 1.2.3'
  if (!/^\d+\.\d+\.\d+$/.test(next)) return `${next} is not a version such as 1.2.3.`
  const [was, is] = [current, next].map((version) => version.split('.').map(Number))
  const at = is?.findIndex((part, index) => part !== was?.[index]) ?? -1
  if (at < 0 || (is?.[at] ?? 0) < (was?.[at] ?? 0)) return `${next} is not after ${current}.`
  const allowed = notes.includes('### Breaking') && was?.[0] !== 0 ? 0 : /^### (Breaking|Added)$/m.test(notes) ? 1 : 2
  if (at > allowed) return `The changelog has changes that need a higher version than ${next}.`
  return undefined
}

/** @param {string} changelog @param {string} version @param {string} date @returns {string} with [Unreleased] as the release */
export function released(changelog, version, date) {
  return changelog.replace('\n## [Unreleased]\n', `\n## [Unreleased]\n\n## [${version}] - ${date}\n`)
}
