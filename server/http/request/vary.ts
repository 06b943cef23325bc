import type { FastifyReply } from 'fastify'

/** Adds the names of request headers to those that the response depends on. */
export function addVary(reply: FastifyReply, names: string): void {
  reply.header('vary', [reply.getHeader('vary'), names].filter(Boolean).join(', '))
}
