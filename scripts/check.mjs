// npm run check: everything that can be known without running the product. Format, lint, types, unused, arrows.
import './node-version.mjs'
import { install } from './install.mjs'
import { tool } from './run.mjs'
import { runSteps } from './steps.mjs'

/** @type {import('./steps.mjs').Step[]} */
export const checks = [
  { name: 'format', args: [tool('oxfmt/bin/oxfmt'), '--check', '.'] },
  { name: 'lint', args: [tool('oxlint/bin/oxlint'), '.'] },
  ...['contract', 'server', 'web', 'web/sw', '.'].map((part) => ({
    name: part === '.' ? 'types tools' : `types ${part}`,
    args: [tool('typescript/bin/tsc'), '-p', part],
  })),
  { name: 'unused', args: [tool('knip/bin/knip.js')] },
]

if (process.argv[1] === import.meta.filename) {
  await install({ dev: true })
  const arrows = { name: 'arrows', args: [tool('vitest/vitest.mjs'), 'run', '--project', 'all', 'scripts'] }
  const failed = await runSteps([...checks, arrows])
  if (failed.length > 0) {
    console.log(`Failed: ${failed.join(', ')}`)
    process.exit(1)
  }
}
