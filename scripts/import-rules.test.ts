import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { areas, order, wrongImports } from './import-rules.ts'

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

describe('the rooms', () => {
  const rooms = new Map<string, string[]>()
  for (const path of ['contract', 'client', 'command', 'server', 'web'].flatMap(everyFileUnder)) {
    if (/\.test\.tsx?$|\/testing\/|\/tsconfig\.json$/.test(path)) continue
    const cut = path.lastIndexOf('/')
    rooms.set(path.slice(0, cut), [...(rooms.get(path.slice(0, cut)) ?? []), path.slice(cut + 1)])
  }

  test('have two to thirty files each', () => {
    expect([...rooms].filter(([, files]) => files.length < 2 || files.length > 30)).toEqual([])
  })

  test('of server/domain have all of its files', () => {
    expect(rooms.get('server/domain')).toBeUndefined()
  })

  test('of server/http have all files but the five that every request passes', () => {
    expect(rooms.get('server/http')?.toSorted()).toEqual([
      'bind.ts',
      'build-server.ts',
      'handler.ts',
      'node-server.ts',
      'routes.ts',
    ])
  })

  test.each(Object.entries(order))('in the order of %s/ exist', (folder, rows) => {
    const names = rows.flat().filter((name) => name !== '*')
    const isThere = (name: string) =>
      modules.some(({ path }) => path.startsWith(`${folder}/${name}/`) || path.startsWith(`${folder}/${name}.`))
    expect(names.filter((name) => !isThere(name) && name !== 'styles')).toEqual([])
  })
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
    ['server/domain/uploads/upload-one.ts', 'server/http/bind.ts', 'domain is below http'],
    ['server/http/bind.ts', 'server/jobs.ts', 'http and jobs may not import each other'],
    ['server/db/schema.ts', 'server/config.ts', 'db and config may not import each other'],
    [
      'server/domain/images/managed-image.ts',
      'server/domain/accounts/manage-users.ts',
      'in server/domain/, images is below accounts',
    ],
    ['server/domain/shared/deps.ts', 'server/domain/images/managed-image.ts', 'shared is below images'],
    ['server/domain/audit/audit.ts', 'server/domain/mail/mail-queue.ts', 'audit is below mail'],
    ['server/domain/moderation/networks.ts', 'server/domain/uploads/admission.ts', 'moderation is below uploads'],
    ['server/domain/odds/ends.ts', 'server/domain/shared/deps.ts', 'odds has no place in the order'],
    ['server/http/request/errors.ts', 'server/http/bind.ts', 'request is below bind'],
    ['server/http/uploads/multipart.ts', 'server/http/delivery/send-image.ts', 'may not import each other'],
    ['server/importers/zipline.ts', 'server/cli/import-from-command.ts', 'importers is below cli'],
    ['contract/plain/limits.ts', 'zod', 'contract/plain/ imports nothing but itself'],
    ['contract/endpoints/images.ts', 'contract/derive/openapi.ts', 'endpoints is below derive'],
    ['server/http/build-server.ts', 'server/blobs/disk.ts', 'only open-deps.ts imports a concrete backend'],
    ['server/cli/move-command.ts', 'server/db/sqlite.ts', 'only open-deps.ts imports a concrete backend'],
    ['server/app.ts', 'server/testing/test-app.ts', 'app is below testing'],
    ['server/imaging/pool/lane.ts', 'sharp', 'only server/imaging/decoder/ imports sharp'],
    ['server/domain/delivery/older-variant-paths.ts', 'sharp', 'only server/imaging/decoder/ imports sharp'],
    ['server/imaging/pool/imaging.ts', 'server/imaging/decoder/render.ts', 'pool/ never imports decoder/'],
    ['server/domain/accounts/factors/passkeys.ts', '@simplewebauthn/server', 'it is loaded when it is used'],
    ['server/odds/ends.ts', 'server/app.ts', 'odds has no place in the order'],
    ['web/ui/button.tsx', 'web/model/images/change-images.ts', 'ui and model may not import each other'],
    ['web/features/embed/embed.tsx', 'web/features/upload/zone.tsx', 'embed and upload may not import each other'],
    ['web/features/embed/embed.tsx', 'web/pages/landing.tsx', 'features is below pages'],
    ['web/model/client.ts', 'zod', 'zod stays out of the page'],
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
      { path: 'contract/derive/client.ts', source: "import { images } from '../endpoints/images.ts'" },
      { path: 'contract/endpoints/images.ts', source: "import { z } from 'zod'" },
    ]
    expect(wrongImports([...contract, importing('web/model/client.ts', 'contract/derive/client.ts')])).toHaveLength(1)
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
    ['server/http/routes.ts', 'server/domain/images/managed-image.ts'],
    ['server/domain/uploads/admission.ts', 'server/domain/moderation/networks.ts'],
    ['contract/plain/account-limits.ts', 'contract/plain/limits.ts'],
    ['server/domain/images/managed-image.ts', 'server/domain/shared/deps.ts'],
    ['server/domain/shared/caller.ts', 'server/domain/shared/failure.ts'],
    ['server/domain/images/managed-image.test.ts', 'server/testing/test-app.ts'],
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
    const page = {
      path: 'web/model/images/change-images.ts',
      source: "import type { Image } from '../../../contract/endpoints/images.ts'",
    }
    expect(wrongImports([contract, page])).toEqual([])
  })
})

/** A module with one relative import. */
function importing(from: string, to: string) {
  const up = '../'.repeat(from.split('/').length - 1)
  return { path: from, source: `import { a } from '${to.includes('/') ? up + to : to}'` }
}

function filesUnder(area: string): string[] {
  return everyFileUnder(area).filter((path) => /\.(tsx?|mjs)$/.test(path))
}

function everyFileUnder(area: string): string[] {
  if (!existsSync(new URL(area, root))) return []
  return readdirSync(new URL(area, root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/').slice(root.pathname.length))
    .filter((path) => !path.includes('node_modules'))
}
