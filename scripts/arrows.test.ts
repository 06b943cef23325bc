import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { wings, wrongImports } from './arrows.ts'

const root = new URL('..', import.meta.url)
const modules = Object.keys(wings).flatMap((wing) =>
  filesUnder(wing).map((path) => ({ path, source: readFileSync(new URL(path, root), 'utf8') })),
)

test.each(Object.keys(wings).filter((wing) => wing !== 'bench'))('there are modules in %s/', (wing) => {
  expect(modules.filter((module) => module.path.startsWith(`${wing}/`)).length).toBeGreaterThan(0)
})

test('every import follows the arrows', () => {
  expect(wrongImports(modules)).toEqual([])
})

describe('a wrong import is found', () => {
  test.each([
    ['contract/a.ts', 'server/config.ts', 'contract/ may not import server/'],
    ['contract/a.ts', 'fastify', 'the contract knows zod and itself'],
    ['server/app.ts', 'web/paths.ts', 'server/ may not import web/'],
    ['web/app/router.tsx', 'server/app.ts', 'web/ may not import server/'],
    ['e2e/guest.spec.ts', 'server/app.ts', 'e2e/ may not import server/'],
    ['e2e/guest.spec.ts', 'server/imaging/pool/imaging.ts', 'e2e/ may not import server/'],
    ['scripts/seed.ts', 'server/app.ts', 'scripts/ may not import server/'],
    ['bench/upload.ts', 'web/paths.ts', 'bench/ may not import web/'],
    ['server/domain/images/uploads.ts', 'server/http/bind.ts', 'domain stands below http'],
    ['server/http/bind.ts', 'server/jobs.ts', 'http and jobs do not know each other'],
    ['server/db/schema.ts', 'server/config.ts', 'db and config do not know each other'],
    [
      'server/domain/images/manage-image.ts',
      'server/domain/accounts/users.ts',
      'images and accounts do not know each other',
    ],
    ['server/domain/deps.ts', 'server/domain/images/manage-image.ts', 'deps stands below images'],
    ['server/http/server.ts', 'server/blobs/disk.ts', 'only open-deps.ts names a concrete backend'],
    ['server/cli.ts', 'server/db/sqlite.ts', 'only open-deps.ts names a concrete backend'],
    ['server/app.ts', 'server/testing/test-app.ts', 'app stands below testing'],
    ['server/odds/ends.ts', 'server/app.ts', 'odds has no place'],
    ['web/ui/button.tsx', 'web/data/images.ts', 'ui and data do not know each other'],
    ['web/features/embed/embed.tsx', 'web/features/upload/zone.tsx', 'embed and upload do not know each other'],
    ['web/features/embed/embed.tsx', 'web/pages/landing.tsx', 'features stands below pages'],
    ['web/data/client.ts', 'zod', 'zod stays out of the page'],
  ])('%s > %s', (from, to, why) => {
    expect(wrongImports([importing(from, to)])).toEqual([expect.stringContaining(why)])
  })

  test.each([
    ['import type', "import type { A } from '../http/bind.ts'"],
    ['re-export', "export { a } from '../http/bind.ts'"],
    ['dynamic import', "const a = () => import('../http/bind.ts')"],
    ['side effect', "import '../http/bind.ts'"],
  ])('in the form of: %s', (_form, source) => {
    expect(wrongImports([{ path: 'server/domain/a.ts', source }])).toHaveLength(1)
  })

  test('zod, however far behind a contract file that the page loads', () => {
    const contract = [
      { path: 'contract/client.ts', source: "import { images } from './images.ts'" },
      { path: 'contract/images.ts', source: "import { z } from 'zod'" },
    ]
    expect(wrongImports([...contract, importing('web/data/client.ts', 'contract/client.ts')])).toHaveLength(1)
  })

  test('a circle', () => {
    const modules = [importing('web/ui/a.tsx', 'web/ui/b.tsx'), importing('web/ui/b.tsx', 'web/ui/a.tsx')]
    expect(wrongImports(modules)).toEqual(['a circle: web/ui/a.tsx > web/ui/b.tsx > web/ui/a.tsx'])
  })
})

describe('a right import passes', () => {
  test.each([
    ['contract/images.ts', 'zod'],
    ['server/main.ts', 'server/app.ts'],
    ['server/open-deps.ts', 'server/db/sqlite.ts'],
    ['server/http/routes.ts', 'server/domain/images/manage-image.ts'],
    ['server/domain/images/manage-image.ts', 'server/domain/deps.ts'],
    ['server/domain/caller.ts', 'server/domain/failure.ts'],
    ['server/domain/images/manage-image.test.ts', 'server/testing/test-app.ts'],
    ['web/pages/landing.tsx', 'web/features/upload/zone.tsx'],
    ['bench/upload.ts', 'e2e/server.ts'],
    ['scripts/start.mjs', 'dist/server/main.js'],
  ])('%s > %s', (from, to) => {
    expect(wrongImports([importing(from, to)])).toEqual([])
  })

  test('a text that only looks like an import', () => {
    expect(
      wrongImports([{ path: 'web/ui/a.tsx', source: 'const text = "import a from \'../../server/app.ts\'"' }]),
    ).toEqual([])
  })

  test('a contract file with zod, for its types', () => {
    const contract = { path: 'contract/images.ts', source: "import { z } from 'zod'" }
    const page = { path: 'web/data/images.ts', source: "import type { Image } from '../../contract/images.ts'" }
    expect(wrongImports([contract, page])).toEqual([])
  })
})

/** A module with one import, relative as people write it. */
function importing(from: string, to: string) {
  const up = '../'.repeat(from.split('/').length - 1)
  return { path: from, source: `import { a } from '${to.includes('/') ? up + to : to}'` }
}

function filesUnder(wing: string): string[] {
  if (!existsSync(new URL(wing, root))) return []
  return readdirSync(new URL(wing, root), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(tsx?|mjs)$/.test(path) && !path.includes('node_modules'))
    .map((path) => `${wing}/${path.replaceAll('\\', '/')}`)
}
