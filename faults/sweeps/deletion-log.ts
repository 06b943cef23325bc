// A log of deletions, written by database triggers: which server deleted which image, when, and how often.
import pg from 'pg'
import type { StoredObject } from '../../server/testing/s3-responses.ts'

export interface Deletion {
  id: string
  bytes: number
  /** The application_name of the deleting connection. */
  by: string
  /** UTC milliseconds, by the database's clock. */
  at: number
  expiresAt: number
}

export type DeletionLog = Awaited<ReturnType<typeof openDeletionLog>>

/** The key of an image's object in the bucket. */
export const keyOf = (id: string) => `originals/${id}`
/** In the format of the product's ids: 22 characters. */
export const idOf = (n: number) => `image-${String(n).padStart(16, '0')}`

const schema = `
  create table deletions (id text, bytes bigint, by text, at double precision, expires_at bigint);
  create function note_deletion() returns trigger language plpgsql as $$
  begin
    insert into deletions values (old.id, old.bytes, current_setting('application_name'),
      extract(epoch from clock_timestamp()) * 1000, old.expires_at);
    return old;
  end $$;
  create trigger note_deletion after delete on images for each row execute function note_deletion()`

/** @param url of a database with the product's current schema */
export async function openDeletionLog(url: string, objects: Map<string, StoredObject>) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(schema)
  const ask = async <T>(sql: string, values: unknown[] = []) => (await client.query(sql, values)).rows as T[]
  return {
    /** Images of one account, the n-th of which expires at `firstAt + n * everyMs`; each with its object. */
    async plant(planted: { count: number; ownerId: string; firstAt: number; everyMs: number }) {
      const { count, ownerId, firstAt, everyMs } = planted
      await ask(
        `insert into images (id, file_name, original_name, owner_id, format, width, height, frames, has_alpha, bytes, sha256,
           placeholder, created_at, expires_at)
         select 'image-' || lpad(n::text, 16, '0'), 'image-' || n || '.jpg', 'picture.jpg', $1, 'jpeg', 8, 6, 1, 0, 1000 + n,
           '', '#808080', 0, ($2 + n * $3::double precision)::bigint
         from generate_series(0, $4::int - 1) as n`,
        [ownerId, firstAt, everyMs, count],
      )
      await ask(
        `update users set image_count = (select count(*) from images where owner_id = $1),
           image_bytes = (select sum(bytes) from images where owner_id = $1) where id = $1`,
        [ownerId],
      )
      const bytes = Buffer.from('a small file')
      for (let n = 0; n < count; n++) objects.set(keyOf(idOf(n)), { bytes, headers: {}, modifiedAtMs: firstAt })
    },
    countDeletions: async () => (await ask<{ n: number }>('select count(*)::float as n from deletions'))[0]?.n ?? 0,
    deletions: () => ask<Deletion>('select id, bytes::float, by, at, expires_at::float as "expiresAt" from deletions'),
    images: () =>
      ask<{ id: string; expiresAt: number; bytes: number }>(
        'select id, expires_at::float as "expiresAt", bytes::float from images',
      ),
    /** The product's own counters of its accounts. */
    async counted() {
      const sums = 'select sum(image_count)::float as images, sum(image_bytes)::float as bytes from users'
      return (await ask<{ images: number; bytes: number }>(sums))[0] ?? { images: 0, bytes: 0 }
    },
    close: () => client.end(),
  }
}
