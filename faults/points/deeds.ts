// What is done while a call fails, how it is done again, and what must be true then.
import { dayMs, limits } from '../../contract/limits.ts'
import { sweepOrphans } from '../../server/domain/images/sweep.ts'
import { deedsOfAccounts } from './account-deeds.ts'
import { deedsOfBackups } from './backup-deeds.ts'
import { type Act, answering, type Deed, isGood } from './deed.ts'
import { bodyOf, type House } from './house.ts'
import type { Plant } from './plant.ts'

export const deeds: Deed[] = [
  { name: 'upload of a guest', set: async (house) => uploads(house, {}) },
  { name: 'upload of a user', set: async (house) => uploads(house, { token: house.user.token }) },
  { name: 'upload with a key, guest', set: async (house) => uploads(house, { key: crypto.randomUUID() }) },
  {
    name: 'upload with a key, user',
    set: async (house) => uploads(house, { key: crypto.randomUUID(), token: house.user.token }),
  },
  { name: 'extend', set: extending },
  { name: 'delete', set: async (house, plant) => deleting(house, plant, '') },
  { name: 'delete with undo', set: async (house, plant) => deleting(house, plant, '?undo=1') },
  { name: 'undo', set: undoing },
  { name: 'claim', set: claiming },
  { name: 'bulk delete', set: bulkDeleting },
  { name: 'thumbnail, made', set: async (house, plant) => viewing(house, await plant(), 'thumbnail') },
  { name: 'thumbnail, kept', set: viewingAgain },
  { name: 'original', set: async (house, plant) => viewing(house, await plant(), 'original') },
  { name: 'sweep', set: sweeping },
  { name: 'janitor', set: tidying },
  ...deedsOfAccounts,
  ...deedsOfBackups,
]

/** With a key two tries make one image; without, a client that hears nothing good tries once more, and may have two. */
function uploads(house: House, options: { token?: string; key?: string }): Act {
  return {
    act: () => house.upload(options),
    again: [201],
    async check(first, second) {
      const rows = await house.deps.db.selectFrom('images').select('id').execute()
      const acknowledged = [first, second].filter(isGood).map((reply) => bodyOf<{ id: string }>(reply).id)
      const lost = acknowledged.filter((id) => !rows.some((row) => row.id === id))
      const flaws = lost.map(() => 'an acknowledged image is lost')
      if (options.key !== undefined && rows.length !== 1) flaws.push(`one key, ${rows.length} images`)
      if (options.token !== undefined) {
        const { image_count: counted } = await house.deps.db
          .selectFrom('users')
          .select('image_count')
          .where('id', '=', house.user.id)
          .executeTakeFirstOrThrow()
        if (counted !== rows.length) flaws.push(`the owner has ${rows.length} images, ${counted} are counted`)
      }
      return flaws
    },
  }
}

async function extending(house: House, plant: Plant): Promise<Act> {
  const { id } = await plant(house.user.id)
  return {
    act: () => house.send('POST', `/api/images/${id}/extend-expiration`, { token: house.user.token }),
    again: [200],
    async check() {
      const row = await rowOf(house, id)
      const year = limits.extensionDays * dayMs
      return row && row.expires_at > Date.now() + year - dayMs ? [] : ['an acknowledged extension is lost']
    },
  }
}

async function deleting(house: House, plant: Plant, query: string): Promise<Act> {
  const { id, guestToken } = await plant()
  return {
    act: () => house.send('DELETE', `/api/images/${id}${query}`, { guestToken }),
    // The first one may have done it although its answer was a failure.
    again: [200, 410],
    async check() {
      const row = await rowOf(house, id)
      return row && row.expires_at > Date.now() ? ['an acknowledged deletion did not happen'] : []
    },
  }
}

async function undoing(house: House, plant: Plant): Promise<Act> {
  const { id, guestToken } = await plant()
  await house.send('DELETE', `/api/images/${id}?undo=1`, { guestToken })
  return {
    act: () => house.send('POST', `/api/images/${id}/restore`, { guestToken }),
    again: [200],
    async check() {
      const row = await rowOf(house, id)
      return row && row.expires_at > Date.now() ? [] : ['an image that was brought back is gone']
    },
  }
}

async function claiming(house: House, plant: Plant): Promise<Act> {
  const planted = await Promise.all([plant(), plant()])
  const body = { images: planted.map(({ id, guestToken: token }) => ({ id, token })) }
  return {
    act: () => house.send('POST', '/api/images/claim', { token: house.user.token, body }),
    again: [200],
    async check() {
      const owners = await Promise.all(planted.map(async ({ id }) => (await rowOf(house, id))?.owner_id))
      return owners.every((owner) => owner === house.user.id) ? [] : ['an acknowledged claim is lost']
    },
  }
}

async function bulkDeleting(house: House, plant: Plant): Promise<Act> {
  const planted = await Promise.all([plant(), plant(house.user.id), plant()])
  const ids = planted.map(({ id }) => id)
  return {
    act: () =>
      house.send('DELETE', '/db/collections/images/documents', {
        token: house.admin.token,
        headers: { 'x-db-token': house.dbToken },
        body: { ids },
      }),
    again: [200],
    async check() {
      const left = await Promise.all(ids.map((id) => rowOf(house, id)))
      return left.some(Boolean) ? ['an acknowledged deletion did not happen'] : []
    },
  }
}

async function viewing(house: House, { id }: { id: string }, what: 'thumbnail' | 'original'): Promise<Act> {
  const path = what === 'thumbnail' ? `/api/thumbnail/${id}/40` : `/uploads/planted-${id}.jpg`
  return { act: () => house.send('GET', path), again: [200] }
}

async function viewingAgain(house: House, plant: Plant): Promise<Act> {
  const planted = await plant()
  const act = await viewing(house, planted, 'thumbnail')
  await act.act()
  return act
}

/** By an admin's cleanup: what the clock starts has nobody to answer to. */
async function sweeping(house: House, plant: Plant): Promise<Act> {
  const due = await Promise.all([0, 1, 2].map(() => plant(undefined, Date.now() - 1)))
  const extended = await plant()
  return {
    act: () => house.send('POST', '/api/database/cleanup', { token: house.admin.token }),
    again: [200],
    async check(first, second) {
      const left = await Promise.all(due.map(({ id }) => rowOf(house, id)))
      const told = [first, second].filter(isGood)
      const deleted = told.reduce((sum, reply) => sum + bodyOf<{ deletedImages: number }>(reply).deletedImages, 0)
      const flaws = left.some(Boolean) ? ['an expired image is still there'] : []
      if (deleted > due.length) flaws.push('an image was deleted twice')
      if (!(await rowOf(house, extended.id))) flaws.push('an image was deleted early')
      return flaws
    },
  }
}

async function tidying(house: House, plant: Plant): Promise<Act> {
  const planted = await Promise.all([plant(), plant(), plant()])
  await house.deps.db
    .deleteFrom('images')
    .where('id', '=', (planted[0] as { id: string }).id)
    .execute()
  return {
    act: () => answering(() => sweepOrphans(house.deps, Infinity)),
    again: [200],
  }
}

const rowOf = ({ deps }: House, id: string) =>
  deps.db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirst()
