// Proof of work (hashcash): clients without an account find a number before they register or upload
// (docs/decisions/0034). The server stores no challenge until it is used.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { limits } from '../../../contract/plain/limits.ts'
import type { Deps } from './deps.ts'
import { newId } from './secrets.ts'
import { useOnce } from './used-tokens.ts'

const { bits, challengeMs, windowMs } = limits.proofOfWork

/**
 * Checks the proof of a request, if PROOF_OF_WORK asks for one now.
 * @param proof a challenge, a dot and the number that solves it
 * @returns null when the request may proceed, else the challenge that it has to solve
 */
export async function findRequiredChallenge(
  deps: Pick<Deps, 'config' | 'counters' | 'db' | 'now' | 'randomBytes' | 'jwtSecret'>,
  proof: string | undefined,
): Promise<string | null> {
  const { PROOF_OF_WORK: freeRequests } = deps.config
  if (freeRequests === null) return null
  if (proof !== undefined && (await isUnusedProof(deps, proof))) return null
  if (freeRequests > 0) {
    const { hits } = await deps.counters.hit('free-of-work', windowMs, deps.now())
    if (hits <= freeRequests) return null
  }
  return newChallenge(deps)
}

/** `bits.expiry.nonce.signature`, where the expiry is in Unix seconds. */
function newChallenge(deps: Pick<Deps, 'now' | 'randomBytes' | 'jwtSecret'>): string {
  const text = `${bits}.${Math.ceil((deps.now() + challengeMs) / 1000)}.${newId(deps)}`
  return `${text}.${sign(deps, text)}`
}

const sign = ({ jwtSecret }: Pick<Deps, 'jwtSecret'>, text: string) =>
  createHmac('sha256', jwtSecret).update(`proof-of-work\n${text}`).digest('base64url')

async function isUnusedProof(deps: Pick<Deps, 'db' | 'now' | 'jwtSecret'>, proof: string): Promise<boolean> {
  const [, text = '', expiry, nonce = '', signature = '', solution = ''] =
    /^(\d{1,2}\.(\d{1,12})\.([\w-]{22}))\.([\w-]{43})\.(\d{1,16})$/.exec(proof) ?? []
  if (text === '' || Number(expiry) * 1000 < deps.now()) return false
  const expected = Buffer.from(sign(deps, text))
  if (!timingSafeEqual(Buffer.from(signature), expected)) return false
  if (leadingZeroBits(createHash('sha256').update(`${nonce}.${solution}`).digest()) < bits) return false
  return useOnce(deps, { kind: 'proof', id: nonce, lifetimeMs: challengeMs + 1000 })
}

export function leadingZeroBits(hash: Uint8Array): number {
  const at = hash.findIndex((byte) => byte !== 0)
  return at === -1 ? hash.length * 8 : at * 8 + Math.clz32(hash[at] as number) - 24
}
