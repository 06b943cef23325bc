import type { FastifyRequest } from 'fastify'

/** The view key in the URL (docs/decisions/0066). */
export function viewKeyIn({ query }: Pick<FastifyRequest, 'query'>): string | undefined {
  const { key } = (query ?? {}) as { key?: unknown }
  return typeof key === 'string' ? key : undefined
}
