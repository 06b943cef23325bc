// Filters and sort orders of image lists.
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import type { Input } from '../../../contract/api.ts'
import { dayMs, limits } from '../../../contract/limits.ts'
import type { Schema } from '../../db/schema.ts'

/** Each order has an index (see the migrations). The id breaks ties, in the same direction. */
export const imageSortOrders = {
  newest: { by: 'created_at', direction: 'desc', type: 'number' },
  oldest: { by: 'created_at', direction: 'asc', type: 'number' },
  expiry: { by: 'expires_at', direction: 'asc', type: 'number' },
  largest: { by: 'bytes', direction: 'desc', type: 'number' },
  name: { by: 'original_name', direction: 'asc', type: 'string' },
} as const

export type ImageListQuery = Input<'listImages'>['query']
export type ImageFilters = Pick<ImageListQuery, 'q' | 'type' | 'expires'>

/** Returns the condition for images in an owner's list, by the current time and these filters. */
export const isListed =
  (now: number, { q = '', type, expires }: ImageFilters) =>
  (image: ExpressionBuilder<Schema, 'images'>) => {
    const conditions: Expression<SqlBool>[] = [image('expires_at', '>', now)]
    if (type !== undefined) conditions.push(image('format', '=', type))
    if (expires === 'soon') conditions.push(image('expires_at', '<=', now + limits.expiryNoticeDays * dayMs))
    if (q !== '') {
      const pattern = `%${q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
      conditions.push(sql<boolean>`lower(original_name) like ${pattern} escape '\\'`)
    }
    return image.and(conditions)
  }
