// npm run check: every check that does not run the product. Format, lint, types, unused code, imports, references, terms.
import './node-version.mjs'
import { install } from './install.mjs'
import { root, tool } from './run.mjs'
import { runSteps } from './steps.mjs'

const cache = `${root}node_modules/.cache/checks/`
const buildInfo = (/** @type {string} */ part) => `${cache}${part.replace('/', '-')}.tsbuildinfo`

/** @type {import('./steps.mjs').Step[]} */
export const checks = [
  { name: 'format', args: [tool('oxfmt/bin/oxfmt'), '--check', '.'] },
  { name: 'lint', args: [tool('oxlint/bin/oxlint'), '.'] },
  ...['contract', 'server', 'web', 'web/sw', '.'].map((part) => ({
    name: part === '.' ? 'types tools' : `types ${part}`,
    // What it knows of unchanged files stays: a second run takes a tenth of the time.
    args: [tool('typescript/bin/tsc'), '-p', part, '--incremental', '--tsBuildInfoFile', buildInfo(part)],
  })),
  { name: 'unused', args: [tool('knip/bin/knip.js'), '--cache', '--cache-location', `${cache}knip`] },
]

if (process.argv[1] === import.meta.filename) {
  await install({ dev: true })
  // `npm test` runs these with the unit tests.
  const rules = ['import-rules', 'references', 'terms'].map((name) => `scripts/${name}.test.ts`)
  const failed = await runSteps([
    ...checks,
    { name: 'code rules', args: [tool('vitest/vitest.mjs'), 'run', '--project', 'all', ...rules] },
  ])
  if (failed.length > 0) {
    console.log(`Failed: ${failed.join(', ')}`)
    process.exit(1)
  }
}
