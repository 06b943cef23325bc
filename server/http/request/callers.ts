// Identifies and authorizes the caller of an endpoint, whatever protocol the endpoint speaks.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Endpoint, identifiesCaller } from '../../../contract/endpoints/endpoint.ts'
import { assertHasRequiredFactor } from '../../domain/accounts/factors/required-factor.ts'
import { identify } from '../../domain/accounts/sessions.ts'
import { recordingBlockRefusals } from '../../domain/moderation/block-refusals.ts'
import { assertNetworkNotBlocked } from '../../domain/moderation/blocked-networks.ts'
import { actsAsAdmin, type Caller } from '../../domain/shared/caller.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { Failure } from '../../domain/shared/failure.ts'
import { findRequiredChallenge } from '../../domain/shared/proof-of-work.ts'
import { clientAddress, fullClientAddress } from './client-address.ts'
import { formCredential, headerCredential, urlCredential } from './credentials.ts'
import { noteCaller } from './log-context.ts'
import { countAddress, identifyWithinRate } from './request-rate.ts'

export interface CallerContext {
  deps: Deps
  request: FastifyRequest
  reply: FastifyReply
  endpoint: Endpoint
}

/**
 * Identifies the caller by the headers or, for uploads, the URL. Images are not rate limited; public
 * requests count for their address.
 * @throws {Failure} invalid_token, api_key_unknown, api_key_expired, api_key_in_url, inactive_account,
 * too_many_requests
 */
export async function callerOf({ deps, request, reply, endpoint }: CallerContext): Promise<Caller> {
  const address = clientAddress(request)
  if (identifiesCaller(endpoint)) {
    const kind = endpoint.keyScope === 'upload' ? 'upload' : 'request'
    return identifyWithinRate(deps, reply, address, () => credentialOf(request, endpoint), kind)
  }
  if (endpoint.response !== 'image') await countAddress(deps, reply, address)
  return { kind: 'guest' }
}

const credentialOf = (request: FastifyRequest, { keyScope }: Endpoint) =>
  headerCredential(request) ?? (keyScope === 'upload' ? urlCredential(request) : undefined)

/**
 * Checks all that does not depend on the body.
 * @throws {Failure} authentication_required, forbidden, api_key_not_enough, api_key_scope,
 * second_factor_missing, address_blocked, proof_of_work_required
 */
export async function authorize(context: CallerContext, caller: Caller): Promise<void> {
  const { deps, request, endpoint } = context
  noteCaller(request, caller)
  assertAllowedCaller(endpoint, caller)
  if (endpoint.worksWithoutFactor !== true) assertHasRequiredFactor(deps, caller)
  if (endpoint.refusesBlockedNetworks === true) {
    const origin = { caller, address: clientAddress(request) }
    const client = { address: origin.address, ip: fullClientAddress(request) }
    await recordingBlockRefusals(deps, origin, () => assertNetworkNotBlocked(deps, client))
  }
  if (endpoint.proofOfWork === true && caller.kind === 'guest') await requireProofOfWork(context)
}

/**
 * For a request whose body arrived after its caller was identified: the session may have ended since, or the account lost
 * its role. The request is not counted again.
 * @throws {Failure} like identify, authentication_required, forbidden, api_key_scope, second_factor_missing
 */
export async function identifyAgain({ deps, request, endpoint }: CallerContext, caller: Caller): Promise<Caller> {
  if (caller.kind === 'guest') return caller
  const now = await identify(deps, credentialOf(request, endpoint), clientAddress(request))
  assertAllowedCaller(endpoint, now)
  if (endpoint.worksWithoutFactor !== true) assertHasRequiredFactor(deps, now)
  return now
}

/**
 * Returns the authorized uploader: of a guest it is the owner of the key in the fields of the body.
 * @throws {Failure} like {@link callerOf} and {@link authorize}
 */
export async function authorizeUploader(
  context: CallerContext,
  caller: Caller,
  fields: Record<string, unknown>,
): Promise<Caller> {
  const { deps, request, reply } = context
  const credential = caller.kind === 'guest' ? formCredential(fields) : undefined
  const uploader =
    credential === undefined
      ? caller
      : await identifyWithinRate(deps, reply, clientAddress(request), () => credential, 'upload')
  await authorize(context, uploader)
  return uploader
}

/** @throws {Failure} authentication_required, forbidden, api_key_not_enough, api_key_scope */
function assertAllowedCaller({ access, keyScope: scope }: Endpoint, caller: Caller): void {
  if (caller.kind === 'user' && 'apiKeyId' in caller.by) {
    if (scope === undefined) throw new Failure('api_key_not_enough')
    if (!caller.by.grant.scopes.includes(scope)) throw new Failure('api_key_scope', { scope })
  }
  if (access === 'public') return
  if (caller.kind === 'guest') throw new Failure('authentication_required')
  if (access === 'admin' && !actsAsAdmin(caller)) throw new Failure('forbidden')
}

/** @throws {Failure} proof_of_work_required, with the challenge in a header */
async function requireProofOfWork({ deps, request, reply }: CallerContext): Promise<void> {
  const proof = request.headers['x-proof-of-work']
  const challenge = await findRequiredChallenge(deps, typeof proof === 'string' ? proof : undefined)
  if (challenge === null) return
  reply.header('x-challenge', challenge)
  throw new Failure('proof_of_work_required')
}
