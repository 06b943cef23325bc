// Rows for the bench of the database view, made by the database itself: a million come in seconds.
import type { Database } from './databases.ts'

export interface Sizes {
  few: number
  many: number
}

/** Statements that make 200 collections, `many` documents in two of them (`gaps` without each hundredth), users and images. */
export function fillDatabase(kind: Database['kind'], { few, many }: Sizes): string[] {
  const numbers = (count: number) =>
    kind === 'postgres'
      ? `generate_series(0, ${count} - 1) as n`
      : `(with recursive s(n) as (select 0 union all select n + 1 from s where n < ${count} - 1) select n from s)`
  const documents = (name: string, count: number) =>
    `insert into collections (id, name, documents, next_position, created_at) values
       ('${name}', '${name}', ${count}, ${count}, 0);
     insert into documents (collection_id, id, position, body, bytes, version, created_at, updated_at)
       select '${name}', '${name}-' || n, n, '${body.replace('"n":0', `"n":' || n || '`)}', ${body.length}, 0, n, n
       from ${numbers(count)}`
  const names = Array.from({ length: 196 }, (_, n) => `('c${n}', 'collection ${n}', 0, 0, 0)`)
  return [
    `insert into collections (id, name, documents, next_position, created_at) values ${names.join(', ')}`,
    documents('few', few),
    documents('fewer', few),
    documents('many', many),
    documents('gaps', many),
    `delete from documents where collection_id = 'gaps' and position % 100 = 50;
     update collections set documents = ${many * 0.99} where id = 'gaps'`,
    `insert into users (id, email, name, first_name, last_name, role, status, password_hash, image_count, image_bytes,
       created_at, mail_digest)
     select 'user-' || n, 'user-' || n || '@example.com', 'User ' || n, '', '', 'user', 'Active', '', 0, 0, n, 0
     from ${numbers(many)}`,
    `insert into images (id, file_name, original_name, owner_id, format, width, height, frames, has_alpha, bytes, sha256,
       placeholder, created_at, expires_at)
     select 'image-' || n, 'image-' || n || '.jpg', 'picture.jpg', 'user-' || n, 'jpeg', 800, 600, 1, 0, 1000, '', '#808080',
       n, 9000000000000
     from ${numbers(many)}`,
  ]
}

const body = JSON.stringify({
  n: 0,
  make: 'Trabant',
  model: { name: '601 Kombi', years: [1965, 1990] },
  completed: false,
  priority: 'low',
  notes: 'A small car with a two-stroke engine, built in Zwickau, and loved by those who waited ten years for it.',
})
