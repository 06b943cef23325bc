// Images that are there without the cost of an upload: copies of one that was uploaded.
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashSecret, newId, newSecret } from '../../server/domain/secrets.ts'
import { bodyOf, type House } from './house.ts'

export interface Planted {
  id: string
  /** The delete token. */
  guestToken: string
}

export type Plant = (owner?: string, expiresAt?: number) => Promise<Planted>

/** @returns what makes one more: a guest's, or that of an account; it lives as long as the uploaded one, or as is said */
export async function planter(house: House): Promise<Plant> {
  const { deps } = house
  const { id } = bodyOf<{ id: string }>(await house.upload())
  const model = await deps.db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const original = join(house.dataDir, 'model')
  await deps.blobs.withLocalFile(id, (path) => copyFile(path, original))
  return async (owner, expiresAt) => {
    const planted = { id: newId(deps), guestToken: newSecret(deps) }
    const path = join(house.dataDir, planted.id)
    await copyFile(original, path)
    await deps.blobs.put(planted.id, path)
    const row = {
      ...model,
      id: planted.id,
      file_name: `planted-${planted.id}.jpg`,
      owner_id: owner ?? null,
      guest_token_hash: owner === undefined ? hashSecret(planted.guestToken) : null,
      expires_at: expiresAt ?? model.expires_at,
    }
    await deps.db.insertInto('images').values(row).execute()
    return planted
  }
}
