// Creates images without the cost of an upload: copies of one that was uploaded.
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashSecret, newId, newSecret } from '../../server/domain/shared/secrets.ts'
import { bodyOf } from '../client.ts'
import type { TestServer } from './test-server.ts'

export interface SeededImage {
  id: string
  /** The delete token. */
  guestToken: string
}

export type SeedImage = (owner?: string, expiresAt?: number) => Promise<SeededImage>

/** @returns a function that creates an image of a guest or an account; it expires like the uploaded one, or at the given time */
export async function imageSeeder(server: TestServer): Promise<SeedImage> {
  const { deps } = server
  const { id } = bodyOf<{ id: string }>(await server.upload())
  const model = await deps.db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const original = join(server.dataDir, 'model')
  await using stored = await deps.blobs.openLocalFile(id)
  await copyFile(stored.path, original)
  return async (owner, expiresAt) => {
    const seeded = { id: newId(deps), guestToken: newSecret(deps) }
    const path = join(server.dataDir, seeded.id)
    await copyFile(original, path)
    await deps.blobs.put(seeded.id, path)
    const row = {
      ...model,
      id: seeded.id,
      file_name: `seeded-${seeded.id}.jpg`,
      owner_id: owner ?? null,
      guest_token_hash: owner === undefined ? hashSecret(seeded.guestToken) : null,
      expires_at: expiresAt ?? model.expires_at,
    }
    await deps.db.insertInto('images').values(row).execute()
    return seeded
  }
}
