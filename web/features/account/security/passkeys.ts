// Passkeys of this browser (WebAuthn). The library loads when one is made or used.
import type {
  PublicKeyCredentialCreationOptionsJSON as CreationOptions,
  PublicKeyCredentialRequestOptionsJSON as RequestOptions,
} from '@simplewebauthn/browser'
import type { PasskeyAssertion, PasskeyAttestation } from '../../../../contract/endpoints/factors.ts'
import { passkeys as texts } from '../../../texts/security-messages.ts'
import { ShownError } from '../../../format/error-text.ts'
import { client } from '../../../model/http.ts'

/** False without https, and at an IP address, where browsers have no passkeys. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && isSecureContext && !/^\[|^[\d.]+$/.test(location.hostname)

/** Uses a passkey of this browser. @throws {ShownError} */
export async function requestPasskey(): Promise<{ token: string; response: PasskeyAssertion }> {
  const { options, token } = await client.startPasskeyLogin()
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = options as unknown as RequestOptions
  return { token, response: await explainErrors(startAuthentication({ optionsJSON })) }
}

/** Makes a passkey. @throws {ShownError} */
export async function makePasskey(): Promise<{ token: string; response: PasskeyAttestation }> {
  const { options, token } = await client.startPasskey()
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = options as unknown as CreationOptions
  return { token, response: await explainErrors(startRegistration({ optionsJSON })) }
}

/** The browser gives the same error for a cancelled dialog, a timeout and no passkey. */
async function explainErrors<T>(response: Promise<T>): Promise<T> {
  try {
    return await response
  } catch (error) {
    console.info('The browser returned no passkey', error)
    const isKnown = error instanceof Error && error.name === 'InvalidStateError'
    throw new ShownError(isKnown ? texts.known : texts.notUsed, { cause: error })
  }
}
