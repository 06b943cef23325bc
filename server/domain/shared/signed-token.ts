// Signs and verifies the tokens of sessions and download links (JWT, RFC 7519).
import { type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { JOSEError } from 'jose/errors'
import type { Deps } from './deps.ts'
import { Failure } from './failure.ts'

const issuer = 'image-host'

/** @param claims the audience separates the kinds of tokens; times in seconds */
export const signToken = ({ jwtSecret }: Pick<Deps, 'jwtSecret'>, claims: JWTPayload): Promise<string> =>
  new SignJWT({ iss: issuer, ...claims }).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(jwtSecret)

/** @returns the claims; `sid`: '' where the token has none. @throws {Failure} `failure`: forged, expired, or of another audience */
export async function verifyToken(
  deps: Pick<Deps, 'jwtSecret' | 'now'>,
  token: string,
  audience: string,
  failure: 'invalid_token' | 'download_link_ended' | 'challenge_ended',
): Promise<JWTPayload & { sub: string; jti: string; sid: string }> {
  try {
    const { payload } = await jwtVerify(token, deps.jwtSecret, {
      algorithms: ['HS256'],
      typ: 'JWT',
      issuer,
      audience,
      requiredClaims: ['sub', 'jti', 'exp'],
      currentDate: new Date(deps.now()),
    })
    const { sub = '', jti = '', sid } = payload
    return { ...payload, sub, jti, sid: typeof sid === 'string' ? sid : '' }
  } catch (error) {
    if (error instanceof JOSEError) throw new Failure(failure, {}, { cause: error })
    throw error
  }
}
