// node scripts/launch.mjs MODULE [ARGUMENT …]: runs `main(arguments)` of a TypeScript module of this repository, which returns
// whether all is well: npm run bench, faults, fuzz, docs, test:proxies, test:clients. Installs first, and builds what runs the product.
import './node-version.mjs'
import { buildWhenNeeded } from './build.mjs'
import { install } from './install.mjs'
import { root, seconds } from './run.mjs'

const [path = '', ...args] = process.argv.slice(2)
// At an exit, started servers and folders are removed (e2e/at-exit.ts).
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
await install({ dev: true })
if (!path.startsWith('scripts/')) await buildWhenNeeded()
const { modulesOf } = await import('./modules.mjs')
const modules = await modulesOf(root)
const start = performance.now()
const { main } = /** @type {{ main(args: string[]): Promise<boolean> }} */ (await modules.load(path))
const isWell = await main(args)
await modules.close()
console.log(`Took ${seconds(start)}`)
process.exit(isWell ? 0 : 1)
