// The operations that run with faults, how each is repeated, and what must hold afterwards.
import { dayMs, limits } from '../../contract/plain/limits.ts'
import { sweepOrphans } from '../../server/domain/images/deletion/sweep.ts'
import { accountOperations } from './account-operations.ts'
import { backupOperations } from './backup-operations.ts'
import { type PreparedOperation, asResponse, type Operation, type Prepare, isGood } from './operation.ts'
import { bodyOf } from '../client.ts'
import type { TestServer } from './test-server.ts'
import type { SeedImage } from './seed-images.ts'

const imageOperations: Record<string, Prepare> = {
  'upload of a guest': async (server) => uploads(server, {}),
  'upload of a user': async (server) => uploads(server, { token: server.user.token }),
  'upload with a key, guest': async (server) => uploads(server, { key: crypto.randomUUID() }),
  'upload with a key, user': async (server) => uploads(server, { key: crypto.randomUUID(), token: server.user.token }),
  extend: async (server, seedImage) => {
    const { id } = await seedImage(server.user.id)
    return {
      act: () => server.send('POST', `/api/images/${id}/extend-expiration`, { token: server.user.token }),
      async check() {
        const row = await rowOf(server, id)
        const year = limits.extensionDays * dayMs
        return row && row.expires_at > Date.now() + year - dayMs ? [] : ['an acknowledged extension is lost']
      },
    }
  },
  delete: (server, seedImage) => deleting(server, seedImage, ''),
  'delete with undo': (server, seedImage) => deleting(server, seedImage, '?undo=1'),
  undo: async (server, seedImage) => {
    const { id, guestToken } = await seedImage()
    await server.send('DELETE', `/api/images/${id}?undo=1`, { guestToken })
    return {
      act: () => server.send('POST', `/api/images/${id}/restore`, { guestToken }),
      async check() {
        const row = await rowOf(server, id)
        return row && row.expires_at > Date.now() ? [] : ['a restored image is missing']
      },
    }
  },
  claim: async (server, seedImage) => {
    const seeded = await Promise.all([seedImage(), seedImage()])
    const body = { images: seeded.map(({ id, guestToken: token }) => ({ id, token })) }
    return {
      act: () => server.send('POST', '/api/images/claim', { token: server.user.token, body }),
      async check() {
        const owners = await Promise.all(seeded.map(async ({ id }) => (await rowOf(server, id))?.owner_id))
        return owners.every((owner) => owner === server.user.id) ? [] : ['an acknowledged claim is lost']
      },
    }
  },
  'bulk delete': async (server, seedImage) => {
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
  },
  'thumbnail, made': async (server, seedImage) => view(server, thumbnailOf(await seedImage())),
  'thumbnail, cached': async (server, seedImage) => {
    const viewing = view(server, thumbnailOf(await seedImage()))
    await viewing.act()
    return viewing
  },
  original: async (server, seedImage) => view(server, `/uploads/seeded-${(await seedImage()).id}.jpg`),
  /** By an admin's cleanup: the scheduled sweep has no response. */
  sweep: async (server, seedImage) => {
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
  },
  janitor: async (server, seedImage) => {
    const seeded = await Promise.all([seedImage(), seedImage(), seedImage()])
    await server.deps.db
      .deleteFrom('images')
      .where('id', '=', (seeded[0] as { id: string }).id)
      .execute()
    return {
      act: () => asResponse(() => sweepOrphans(server.deps, Infinity)),
    }
  },
}

export const operations: Operation[] = Object.entries({
  ...imageOperations,
  ...accountOperations,
  ...backupOperations,
}).map(([name, set]) => ({ name, set }))

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

const thumbnailOf = ({ id }: { id: string }) => `/api/thumbnail/${id}/40`

const view = (server: TestServer, path: string): PreparedOperation => ({ act: () => server.send('GET', path) })

const rowOf = ({ deps }: TestServer, id: string) =>
  deps.db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirst()
