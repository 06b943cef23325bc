// A passkey authenticator in software: makes what a browser sends (WebAuthn Level 3).
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { PasskeyAssertion, PasskeyAttestation } from '../../contract/endpoints/factors.ts'

interface Options {
  challenge: string
}

export interface Authenticator {
  /** Uses so far. A copy of an authenticator has the counter of its moment. */
  counter: number
  /** Of the page. */
  origin: string
  /** Whether its user unlocks it. */
  verifiesUser: boolean
  register(options: Options): PasskeyAttestation
  assert(options: Options): PasskeyAssertion
}

const flags = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 }

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** @param origin of the page that uses it */
export function createAuthenticator(origin: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const ids = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' as const }

  const clientData = (type: string, { challenge }: Options) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: authenticator.origin, crossOrigin: false }))

  function authenticatorData(more: number, attested = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(++authenticator.counter)
    const verified = authenticator.verifiesUser ? flags.userVerified : 0
    const all = flags.userPresent | verified | flags.backupEligible | flags.backedUp | more
    return Buffer.concat([sha256(new URL(authenticator.origin).hostname), Buffer.from([all]), counter, attested])
  }

  /** COSE_Key of an ES256 key (RFC 9053). */
  function coseKey(): Uint8Array {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const point = (value: string) => new Uint8Array(Buffer.from(value, 'base64url'))
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point(x)],
      [-3, point(y)],
    ])
    return isoCBOR.encode(key)
  }

  const authenticator: Authenticator = {
    counter: 0,
    origin,
    verifiesUser: true,

    register(options) {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey()])
      const object = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authenticatorData(flags.attested, attested))],
      ])
      const attestationObject = Buffer.from(isoCBOR.encode(object as never)).toString('base64url')
      const clientDataJSON = clientData('webauthn.create', options).toString('base64url')
      return { ...ids, response: { clientDataJSON, attestationObject, transports: ['internal'] } }
    },

    assert(options) {
      const data = authenticatorData(0)
      const client = clientData('webauthn.get', options)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      }
      return { ...ids, response }
    },
  }
  return authenticator
}
