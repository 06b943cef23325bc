import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { areas, wrongImports } from './import-rules.ts'

const root = new URL('..', import.meta.url)
const modules = Object.keys(areas).flatMap((area) =>
  filesUnder(area).map((path) => ({ path, source: readFileSync(new URL(path, root), 'utf8') })),
)

test.each(Object.keys(areas).filter((area) => area !== 'bench'))('there are modules in %s/', (area) => {
  expect(modules.filter((module) => module.path.startsWith(`${area}/`)).length).toBeGreaterThan(0)
})

test('every import follows the rules', () => {
  expect(wrongImports(modules)).toEqual([])
})

describe('a wrong import is found', () => {
  test.each([
    ['contract/a.ts', 'server/config.ts', 'contract/ may not import server/'],
    ['contract/a.ts', 'fastify', 'the contract imports zod and itself'],
    ['server/app.ts', 'web/paths.ts', 'server/ may not import web/'],
    ['web/app/router.tsx', 'server/app.ts', 'web/ may not import server/'],
    ['client/connect.ts', 'server/app.ts', 'client/ may not import server/'],
    ['server/app.ts', 'command/main.ts', 'server/ may not import command/'],
    ['command/upload-command.ts', 'server/open-deps.ts', 'its own commands only send requests'],
    ['e2e/guest.spec.ts', 'server/app.ts', 'e2e/ may not import server/'],
    ['e2e/guest.spec.ts', 'server/imaging/pool/imaging.ts', 'e2e/ may not import server/'],
    ['scripts/seed.ts', 'server/app.ts', 'scripts/ may not import server/'],
    ['bench/upload.ts', 'web/paths.ts', 'bench/ may not import web/'],
    ['server/domain/uploads/upload-one.ts', 'server/http/bind.ts', 'domain is a lower layer than http'],
    ['server/http/bind.ts', 'server/jobs.ts', 'http and jobs may not import each other'],
    ['server/db/schema.ts', 'server/config.ts', 'db and config may not import each other'],
    [
      'server/domain/images/manage-image.ts',
      'server/domain/accounts/users.ts',
      'images and accounts may not import each other',
    ],
    ['server/domain/shared/deps.ts', 'server/domain/images/manage-image.ts', 'deps is a lower layer than images'],
    ['server/http/server.ts', 'server/blobs/disk.ts', 'only open-deps.ts imports a concrete backend'],
    ['server/cli/move-command.ts', 'server/db/sqlite.ts', 'only open-deps.ts imports a concrete backend'],
    ['server/app.ts', 'server/testing/test-app.ts', 'app is a lower layer than testing'],
    ['server/imaging/pool/lane.ts', 'sharp', 'only server/imaging/decoder/ imports sharp'],
    ['server/domain/delivery/aliases.ts', 'sharp', 'only server/imaging/decoder/ imports sharp'],
    ['server/imaging/pool/imaging.ts', 'server/imaging/decoder/render.ts', 'pool/ never imports decoder/'],
    ['server/domain/accounts/factors/passkeys.ts', '@simplewebauthn/server', 'it is loaded when it is used'],
    ['server/odds/ends.ts', 'server/app.ts', 'odds has no layer'],
    ['web/ui/button.tsx', 'web/model/images/images.ts', 'ui and data may not import each other'],
    ['web/features/embed/embed.tsx', 'web/features/upload/zone.tsx', 'embed and upload may not import each other'],
    ['web/features/embed/embed.tsx', 'web/pages/landing.tsx', 'features is a lower layer than pages'],
    ['web/data/client.ts', 'zod', 'zod stays out of the page'],
  ])('%s > %s', (from, to, why) => {
    expect(wrongImports([importing(from, to)])).toEqual([expect.stringContaining(why)])
  })

  test.each([
    ['import type', "import type { A } from '../http/bind.ts'"],
    ['re-export', "export { a } from '../http/bind.ts'"],
    ['dynamic import', "const a = () => import('../http/bind.ts')"],
    ['side effect', "import '../http/bind.ts'"],
  ])('as %s', (_form, source) => {
    expect(wrongImports([{ path: 'server/domain/a.ts', source }])).toHaveLength(1)
  })

  test('of zod, through a contract file that the page loads', () => {
    const contract = [
      { path: 'contract/derive/client.ts', source: "import { images } from './images.ts'" },
      { path: 'contract/endpoints/images.ts', source: "import { z } from 'zod'" },
    ]
    expect(wrongImports([...contract, importing('web/data/client.ts', 'contract/derive/client.ts')])).toHaveLength(1)
  })

  test('in a circle of types', () => {
    const type = (from: string, to: string) => ({
      path: `web/ui/${from}.tsx`,
      source: `import type { A } from './${to}.tsx'`,
    })
    expect(wrongImports([type('a', 'b'), type('b', 'a')])).toHaveLength(1)
  })

  test('in a circle', () => {
    const modules = [importing('web/ui/a.tsx', 'web/ui/b.tsx'), importing('web/ui/b.tsx', 'web/ui/a.tsx')]
    expect(wrongImports(modules)).toEqual(['a circle: web/ui/a.tsx > web/ui/b.tsx > web/ui/a.tsx'])
  })
})

describe('an allowed import passes', () => {
  test.each([
    ['contract/endpoints/images.ts', 'zod'],
    ['server/main.ts', 'server/app.ts'],
    ['server/open-deps.ts', 'server/db/sqlite.ts'],
    ['server/http/routes.ts', 'server/domain/images/manage-image.ts'],
    ['server/domain/images/manage-image.ts', 'server/domain/shared/deps.ts'],
    ['server/domain/shared/caller.ts', 'server/domain/shared/failure.ts'],
    ['server/domain/images/manage-image.test.ts', 'server/testing/test-app.ts'],
    ['web/pages/landing.tsx', 'web/features/upload/zone.tsx'],
    ['bench/upload.ts', 'e2e/server.ts'],
    ['scripts/start.mjs', 'dist/server/main.js'],
  ])('%s > %s', (from, to) => {
    expect(wrongImports([importing(from, to)])).toEqual([])
  })

  test('a string that looks like an import', () => {
    expect(
      wrongImports([{ path: 'web/ui/a.tsx', source: 'const text = "import a from \'../../server/app.ts\'"' }]),
    ).toEqual([])
  })

  test('of types from a contract file that imports zod', () => {
    const contract = { path: 'contract/endpoints/images.ts', source: "import { z } from 'zod'" }
    const page = { path: 'web/model/images/images.ts', source: "import type { Image } from '../../contract/images.ts'" }
    expect(wrongImports([contract, page])).toEqual([])
  })
})

/** A module with one relative import. */
function importing(from: string, to: string) {
  const up = '../'.repeat(from.split('/').length - 1)
  return { path: from, source: `import { a } from '${to.includes('/') ? up + to : to}'` }
}

function filesUnder(area: string): string[] {
  if (!existsSync(new URL(area, root))) return []
  return readdirSync(new URL(area, root), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(tsx?|mjs)$/.test(path) && !path.includes('node_modules'))
    .map((path) => `${area}/${path.replaceAll('\\', '/')}`)
}
