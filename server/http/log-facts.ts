// Data for the log line of a request: ids and the failure code, never a name, an email or a body.
import type { FastifyRequest } from 'fastify'
import type { FailureCode } from '../../contract/failures.ts'
import type { Caller } from '../domain/caller.ts'

interface Facts {
  /** The account; of a login or registration the resulting one. */
  user?: string
  /** The API key that authenticated the user. */
  key?: string
  /** The code of the refusal. */
  code?: FailureCode
}

const factsOf = new WeakMap<FastifyRequest, Facts>()

export function noteCaller(request: FastifyRequest, caller: Caller): void {
  if (caller.kind === 'guest') return
  note(request, { user: caller.account.id, ...('apiKeyId' in caller.by ? { key: caller.by.apiKeyId } : {}) })
}

/** @param result of a public endpoint: of a login or registration it contains the user */
export function noteUserIn(request: FastifyRequest, result: unknown): void {
  const { user } = result as { user?: { id?: string } }
  if (user?.id !== undefined) note(request, { user: user.id })
}

export const noteRefusal = (request: FastifyRequest, code: FailureCode) => note(request, { code })

export const notedOf = (request: FastifyRequest): Facts => factsOf.get(request) ?? {}

function note(request: FastifyRequest, facts: Facts): void {
  factsOf.set(request, { ...factsOf.get(request), ...facts })
}
