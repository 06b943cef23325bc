// Which images are served: the one rule for originals, variants, analyses and the hot cache
// (docs/decisions/0031).
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Schema } from '../../db/schema.ts'

/**
 * Returns a condition for queries on images: not quarantined, and not of a suspended user. The
 * expiry is a condition of its own.
 */
export const isAvailable = (image: ExpressionBuilder<Schema, 'images'>): Expression<SqlBool> =>
  image.and([
    image('images.quarantined_at', 'is', null),
    // A scalar subquery, which both databases look up by the key: for `not exists` PostgreSQL may
    // read all inactive users.
    image(
      image.selectFrom('users').select('users.status').whereRef('users.id', '=', 'images.owner_id'),
      'is distinct from',
      'Inactive',
    ),
  ])
