// Finds the blocked image that an upload looks like. The perceptual hashes of all blocked images are in
// memory; each search loads those that any server has added since.
import type { Kysely } from 'kysely'
import { moderationLimits } from '../../../contract/plain/moderation-limits.ts'
import { Mutex } from '../../concurrency/mutex.ts'
import type { Schema } from '../../db/schema.ts'
import type { SimilarImages } from '../shared/ports.ts'
import { PerceptualHashList } from './perceptual-hashes.ts'

const { nearDistance, nearQuality } = moderationLimits
const rowsAtOnce = 5000
/** Of the near hashes, how many are looked up: more than one differ by a few bits only. */
const maxCandidates = 100

export function openSimilarImages(): SimilarImages {
  const list = new PerceptualHashList()
  const mutex = new Mutex()
  let last = { version: -1, sha256: '' }

  /** Rows of one version are committed together, after those of lower versions (moderation/blocked-images.ts). */
  async function loadNew(db: Kysely<Schema>): Promise<void> {
    for (;;) {
      const rows = await db
        .selectFrom('blocked_images')
        .select(['version', 'sha256', 'phash', 'quality'])
        .where((row) => row(row.refTuple('version', 'sha256'), '>', row.tuple(last.version, last.sha256)))
        .orderBy('version')
        .orderBy('sha256')
        .limit(rowsAtOnce)
        .execute()
      for (const { phash, quality } of rows) {
        if (phash !== null && quality !== null && quality >= nearQuality) list.add(phash)
      }
      last = rows.at(-1) ?? last
      if (rows.length < rowsAtOnce) return
    }
  }

  return {
    async find(db, phashes, quality) {
      if (quality < nearQuality) return null
      await mutex.acquire()
      await loadNew(db).finally(() => mutex.release())
      const near = await list.near(phashes, nearDistance)
      if (near.length === 0) return null
      const candidates = near.slice(0, maxCandidates).map(({ phash }) => phash)
      // Blocks that were removed are still in memory.
      const rows = await db
        .selectFrom('blocked_images')
        .select(['sha256', 'phash'])
        .where('phash', 'in', candidates)
        .execute()
      const rank = (row: { phash: string | null }) => candidates.indexOf(row.phash ?? '')
      return rows.toSorted((a, b) => rank(a) - rank(b))[0]?.sha256 ?? null
    },
  }
}
