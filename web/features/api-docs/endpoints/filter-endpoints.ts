// Filters the endpoints by category and search text.
import type { EndpointDoc } from '../../../../contract/derive/endpoint-doc.ts'
import { categories, type Category } from '../docs-address.ts'

export const isInCategory = (category: Category, endpoint: EndpointDoc) =>
  category === 'all' || endpoint.category === category

/** Every word of `q` must occur somewhere, ignoring case. */
export function filterEndpoints(all: readonly EndpointDoc[], category: Category, q: string): EndpointDoc[] {
  const words = q.toLowerCase().split(/\s+/)
  return all.filter(
    (endpoint) => isInCategory(category, endpoint) && words.every((word) => wordsOf(endpoint).includes(word)),
  )
}

export function countByCategory(all: readonly EndpointDoc[]): Record<Category, number> {
  const counts = categories.map(
    (category) => [category, all.filter((one) => isInCategory(category, one)).length] as const,
  )
  return Object.fromEntries(counts) as Record<Category, number>
}

const wordsOf = ({ method, path, summary, description = '', name }: EndpointDoc) =>
  [method, path, summary, description, name].join(' ').toLowerCase()
