// The operations that run with faults, how each is repeated, and what must hold afterwards.
import { dayMs, limits } from '../../contract/plain/limits.ts'
import { sweepOrphans } from '../../server/domain/images/sweep.ts'
import { accountOperations } from './account-operations.ts'
import { backupOperations } from './backup-operations.ts'
import { type PreparedOperation, asResponse, type Operation, isGood } from './operation.ts'
import { bodyOf } from '../client.ts'
import type { TestServer } from './test-server.ts'
import type { SeedImage } from './seed-images.ts'

export const operations: Operation[] = [
  { name: 'upload of a guest', set: async (server) => uploads(server, {}) },
  { name: 'upload of a user', set: async (server) => uploads(server, { token: server.user.token }) },
  { name: 'upload with a key, guest', set: async (server) => uploads(server, { key: crypto.randomUUID() }) },
  {
    name: 'upload with a key, user',
    set: async (server) => uploads(server, { key: crypto.randomUUID(), token: server.user.token }),
  },
  { name: 'extend', set: extending },
  { name: 'delete', set: async (server, seedImage) => deleting(server, seedImage, '') },
  { name: 'delete with undo', set: async (server, seedImage) => deleting(server, seedImage, '?undo=1') },
  { name: 'undo', set: undoing },
  { name: 'claim', set: claiming },
  { name: 'bulk delete', set: bulkDeleting },
  { name: 'thumbnail, made', set: async (server, seedImage) => viewing(server, await seedImage(), 'thumbnail') },
  { name: 'thumbnail, cached', set: viewingAgain },
  { name: 'original', set: async (server, seedImage) => viewing(server, await seedImage(), 'original') },
  { name: 'sweep', set: sweeping },
  { name: 'janitor', set: tidying },
  ...accountOperations,
  ...backupOperations,
]

/** With an idempotency key two attempts create one image; without it a client that got no success may create two. */
function uploads(server: TestServer, options: { token?: string; key?: string }): PreparedOperation {
  return {
    act: () => server.upload(options),
    allowedRetryStatuses: [201],
    async check(first, second) {
      const rows = await server.deps.db.selectFrom('images').select('id').execute()
      const acknowledged = [first, second].filter(isGood).map((reply) => bodyOf<{ id: string }>(reply).id)
      const lost = acknowledged.filter((id) => !rows.some((row) => row.id === id))
      const violations = lost.map(() => 'an acknowledged image is lost')
      if (options.key !== undefined && rows.length !== 1) violations.push(`one key, ${rows.length} images`)
      if (options.token !== undefined) {
        const { image_count: counted } = await server.deps.db
          .selectFrom('users')
          .select('image_count')
          .where('id', '=', server.user.id)
          .executeTakeFirstOrThrow()
        if (counted !== rows.length) violations.push(`the owner has ${rows.length} images, ${counted} are counted`)
      }
      return violations
    },
  }
}

async function extending(server: TestServer, seedImage: SeedImage): Promise<PreparedOperation> {
  const { id } = await seedImage(server.user.id)
  return {
    act: () => server.send('POST', `/api/images/${id}/extend-expiration`, { token: server.user.token }),
    async check() {
      const row = await rowOf(server, id)
      const year = limits.extensionDays * dayMs
      return row && row.expires_at > Date.now() + year - dayMs ? [] : ['an acknowledged extension is lost']
    },
  }
}

async function deleting(server: TestServer, seedImage: SeedImage, query: string): Promise<PreparedOperation> {
  const { id, guestToken } = await seedImage()
  return {
    act: () => server.send('DELETE', `/api/images/${id}${query}`, { guestToken }),
    // The first attempt may have succeeded although its response was a failure.
    allowedRetryStatuses: [200, 410],
    async check() {
      const row = await rowOf(server, id)
      return row && row.expires_at > Date.now() ? ['an acknowledged deletion did not happen'] : []
    },
  }
}

async function undoing(server: TestServer, seedImage: SeedImage): Promise<PreparedOperation> {
  const { id, guestToken } = await seedImage()
  await server.send('DELETE', `/api/images/${id}?undo=1`, { guestToken })
  return {
    act: () => server.send('POST', `/api/images/${id}/restore`, { guestToken }),
    async check() {
      const row = await rowOf(server, id)
      return row && row.expires_at > Date.now() ? [] : ['a restored image is missing']
    },
  }
}

async function claiming(server: TestServer, seedImage: SeedImage): Promise<PreparedOperation> {
  const seeded = await Promise.all([seedImage(), seedImage()])
  const body = { images: seeded.map(({ id, guestToken: token }) => ({ id, token })) }
  return {
    act: () => server.send('POST', '/api/images/claim', { token: server.user.token, body }),
    async check() {
      const owners = await Promise.all(seeded.map(async ({ id }) => (await rowOf(server, id))?.owner_id))
      return owners.every((owner) => owner === server.user.id) ? [] : ['an acknowledged claim is lost']
    },
  }
}

async function bulkDeleting(server: TestServer, seedImage: SeedImage): Promise<PreparedOperation> {
  const seeded = await Promise.all([seedImage(), seedImage(server.user.id), seedImage()])
  const ids = seeded.map(({ id }) => id)
  return {
    act: () =>
      server.send('DELETE', '/db/collections/images/documents', {
        token: server.admin.token,
        headers: { 'x-db-token': server.dbToken },
        body: { ids },
      }),
    async check() {
      const left = await Promise.all(ids.map((id) => rowOf(server, id)))
      return left.some(Boolean) ? ['an acknowledged deletion did not happen'] : []
    },
  }
}

async function viewing(
  server: TestServer,
  { id }: { id: string },
  what: 'thumbnail' | 'original',
): Promise<PreparedOperation> {
  const path = what === 'thumbnail' ? `/api/thumbnail/${id}/40` : `/uploads/seeded-${id}.jpg`
  return { act: () => server.send('GET', path) }
}

async function viewingAgain(server: TestServer, seedImage: SeedImage): Promise<PreparedOperation> {
  const seeded = await seedImage()
  const act = await viewing(server, seeded, 'thumbnail')
  await act.act()
  return act
}

/** By an admin's cleanup: the scheduled sweep has no response. */
async function sweeping(server: TestServer, seedImage: SeedImage): Promise<PreparedOperation> {
  const due = await Promise.all([0, 1, 2].map(() => seedImage(undefined, Date.now() - 1)))
  const extended = await seedImage()
  return {
    act: () => server.send('POST', '/api/database/cleanup', { token: server.admin.token }),
    async check(first, second) {
      const left = await Promise.all(due.map(({ id }) => rowOf(server, id)))
      const replies = [first, second].filter(isGood)
      const deleted = replies.reduce((sum, reply) => sum + bodyOf<{ deletedImages: number }>(reply).deletedImages, 0)
      const violations = left.some(Boolean) ? ['an expired image is still there'] : []
      if (deleted > due.length) violations.push('an image was deleted twice')
      if (!(await rowOf(server, extended.id))) violations.push('an image was deleted early')
      return violations
    },
  }
}

async function tidying(server: TestServer, seedImage: SeedImage): Promise<PreparedOperation> {
  const seeded = await Promise.all([seedImage(), seedImage(), seedImage()])
  await server.deps.db
    .deleteFrom('images')
    .where('id', '=', (seeded[0] as { id: string }).id)
    .execute()
  return {
    act: () => asResponse(() => sweepOrphans(server.deps, Infinity)),
  }
}

const rowOf = ({ deps }: TestServer, id: string) =>
  deps.db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirst()
