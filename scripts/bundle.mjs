// Bundles the server and the command into dist/: reading one file instead of 900 halves the time in which a process starts
// (docs/decisions/0057). `--watch` bundles again when a source changes.
import { build, watch } from 'rolldown'
import { root } from './run.mjs'

/** By their name in dist/, without .js. */
const entries = ['server/main', 'server/imaging/decoder/main', 'command/main', 'command/folders', 'client/index']
/** What tests, fault protocols and benchmarks load into processes of their own. */
const testEntries = [
  'server/app',
  'server/config',
  'server/heap-growth',
  'server/open-deps',
  'server/db/data-dir-lock',
  'server/db/sqlite',
  'server/imaging/pool/imaging',
]

/**
 * Packages that are loaded as they are: with native code, with files that they find by their own place, or of a size that few need.
 * tus-js-client has other files for browsers, which the bundler of a page finds.
 */
const external = [
  /^node:/,
  /^@node-rs\//,
  /^@photostructure\//,
  /^@img\/sharp-/,
  /^pino$/,
  /^pg$/,
  /^@aws-sdk\//,
  /^tus-js-client$/,
]

const fromOwnFile = 'createRequire(import.meta.url)'

/**
 * sharp's JavaScript and that of the packages it needs are 60 files: reading them was half of a decoder's start. Its native part
 * stays in its package, which the bundle finds as sharp does: from the place where the package manager put sharp.
 * @type {import('rolldown').Plugin}
 */
const nativePartOfSharp = {
  name: 'native-part-of-sharp',
  transform: {
    filter: { id: /\/sharp\/dist\/\w+\.mjs$/, code: fromOwnFile },
    handler: (code) => code.replaceAll(fromOwnFile, `createRequire(${fromOwnFile}.resolve('sharp'))`),
  },
}

/** @type {import('rolldown').BuildOptions} */
const options = {
  cwd: root,
  input: {
    ...Object.fromEntries([...entries, ...testEntries].map((name) => [name, `${name}.ts`])),
    // The fault protocol 'upgrade' counts the statements that pass it.
    'server/db/runtime-driver': 'node_modules/kysely/dist/esm/driver/runtime-driver.js',
  },
  platform: 'node',
  // The oldest Node that runs the bundle: it has no `await using`.
  transform: { target: 'node20.19' },
  external,
  plugins: [nativePartOfSharp],
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'server/[name]-[hash].js',
    sourcemap: true,
  },
}

if (process.argv.includes('--watch')) watch(options)
else await build(options)
