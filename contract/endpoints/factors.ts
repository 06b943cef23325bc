// Second factors, passkeys and login providers: of a login, and of one's own account (docs/decisions/0049 and 0050).
import { z } from 'zod'
import { accountLimits } from '../plain/account-limits.ts'
import { browser, session } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { example, cleanedName, done, omitted, requestedId, timestamp, wholeNumber } from './schema-parts.ts'

const bounds = accountLimits.factors
const sampleId = 'c7Rw2mKfTQe5YpXz0VbNhA'
const id = requestedId(sampleId)
/** Binary data of WebAuthn, in base64url. */
const bytes = z
  .string()
  .regex(/^[\w-]+$/, 'must be base64url')
  .max(bounds.maxWebAuthnLength)
const token = z
  .string()
  .max(2000)
  .meta(example('eyJhbGciOiJIUzI1NiJ9...', 'From the request that started this; ends after 5 minutes'))
const challenge = token.describe('`challenge` of the failure second_factor_required')
const options = z.looseObject({ challenge: z.string().meta(example('3q2-7wAAAAAAAAAAAAAAAA')) })
const provider = z.string().max(30).meta(example('company', 'The id of a provider in OIDC_PROVIDERS'))
const url = z
  .string()
  .meta(
    example(
      'https://id.example.com/authorize?client_id=images',
      'Where the browser goes to log in. The provider sends it to /login/return, with a query',
    ),
  )
const params = z.strictObject({ id })

const assertion = z
  .object({
    id: bytes,
    rawId: bytes,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: bytes,
      authenticatorData: bytes,
      signature: bytes,
      userHandle: bytes.optional(),
    }),
  })
  .meta({ id: 'PasskeyAssertion', description: 'AuthenticationResponseJSON of WebAuthn' })
export type PasskeyAssertion = z.infer<typeof assertion>

const attestation = z
  .object({
    id: bytes,
    rawId: bytes,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: bytes,
      attestationObject: bytes,
      transports: z
        .array(z.string().max(20))
        .max(10)
        .optional()
        .meta(example(['internal'])),
    }),
  })
  .meta({ id: 'PasskeyAttestation', description: 'RegistrationResponseJSON of WebAuthn' })
export type PasskeyAttestation = z.infer<typeof attestation>

export const passkeyLogin = { token, response: assertion }
const passkeyName = cleanedName(bounds.maxNameLength).min(1, 'must have a visible character').meta(example('Laptop'))

const passkey = z
  .strictObject({
    id: z.string().meta(example(sampleId)),
    name: z.string().meta(example('Laptop')),
    isSynced: z.boolean().meta(example(true, 'Whether it is stored on several devices')),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'Passkey' })
export type Passkey = z.infer<typeof passkey>

const identity = z
  .strictObject({
    id: z.string().meta(example(sampleId)),
    provider: z.string().meta(example('company')),
    email: z.string().nullable().meta(example('ada@example.com', 'At the provider')),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'Identity' })

const security = z
  .strictObject({
    hasPassword: z.boolean().meta(example(true)),
    totp: z.strictObject({ createdAt: timestamp }).nullable().describe('The authenticator app'),
    passkeys: z.array(passkey),
    recoveryCodes: wholeNumber(bounds.recoveryCodes).describe('How many are left'),
    identities: z.array(identity),
  })
  .meta({ id: 'Security' })
export type Security = z.infer<typeof security>

const recoveryCodes = z
  .array(z.string())
  .meta(
    example(
      ['k3vq-7mzd-x2pa-t6wn-b4ce-y5hs'],
      'Each replaces a code of the app once. Only this response contains them',
    ),
  )

const byAnyone = { category: 'auth', access: 'public' } as const
const byUser = { category: 'auth', access: 'user' } as const

export const factors = {
  loginWithCode: endpoint({
    ...byAnyone,
    summary: 'Finish a login with a code',
    description:
      'Of the authenticator app, or a recovery code. After POST /api/login failed with second_factor_required.',
    refusesBlockedNetworks: true,
    body: z.strictObject({
      challenge,
      code: z.string().max(40).meta(example('123456')),
      browser,
    }),
    response: session,
    failures: ['challenge_ended', 'wrong_code', 'wrong_credentials', 'inactive_account'],
  }),
  startPasskeyLogin: endpoint({
    ...byAnyone,
    summary: 'Start a login with a passkey',
    description: '`options` are for navigator.credentials.get().',
    response: z.strictObject({ options: options.describe('PublicKeyCredentialRequestOptionsJSON of WebAuthn'), token }),
  }),
  loginWithPasskey: endpoint({
    ...byAnyone,
    summary: 'Log in with a passkey',
    refusesBlockedNetworks: true,
    body: z.strictObject({
      ...passkeyLogin,
      challenge: challenge
        .optional()
        .meta({ description: 'After a password: the passkey must be of that account', ...omitted }),
      browser,
    }),
    response: session,
    failures: ['challenge_ended', 'passkey_refused', 'wrong_credentials', 'inactive_account'],
  }),
  startOidcLogin: endpoint({
    ...byAnyone,
    summary: 'Start a login at a provider',
    refusesBlockedNetworks: true,
    params: z.strictObject({ provider }),
    response: z.strictObject({ url, token }),
    failures: ['provider_not_found', 'provider_unavailable'],
  }),
  finishOidc: endpoint({
    ...byAnyone,
    summary: 'Finish a login at a provider',
    description: 'Also connects a provider with an account, then without a token in the response.',
    refusesBlockedNetworks: true,
    body: z.strictObject({
      token,
      query: z
        .string()
        .max(8000)
        .meta(example('code=x&state=y', 'The query with which the provider sent the browser back')),
      browser,
    }),
    response: session.partial({ token: true }).meta({ id: 'OidcLogin' }),
    failures: [
      'challenge_ended',
      'provider_not_found',
      'provider_unavailable',
      'provider_refused',
      'identity_taken',
      'invalid_token',
      'identity_not_linked',
      'account_not_created',
      'second_factor_required',
      'wrong_credentials',
      'inactive_account',
    ],
  }),

  getSecurity: endpoint({
    ...byUser,
    summary: 'Get how you log in',
    worksWithoutFactor: true,
    response: security,
  }),
  startTotp: endpoint({
    ...byUser,
    summary: 'Start to set up an authenticator app',
    description: 'It counts after its first code. Needs a recent login or confirmation.',
    worksWithoutFactor: true,
    response: z.strictObject({
      secret: z.string().meta(example('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', 'Base32')),
      uri: z.string().meta(example('otpauth://totp/Image%20Host:ada@example.com', 'For a QR code')),
    }),
    failures: ['password_required', 'totp_exists'],
  }),
  confirmTotp: endpoint({
    ...byUser,
    summary: 'Finish setting up an authenticator app',
    worksWithoutFactor: true,
    body: z.strictObject({
      code: z.string().max(40).meta(example('123456')),
    }),
    response: done.extend({ recoveryCodes: recoveryCodes.optional() }),
    failures: ['totp_not_found', 'wrong_code'],
  }),
  deleteTotp: endpoint({
    ...byUser,
    summary: 'Remove the authenticator app',
    description: 'Needs a recent login or confirmation.',
    response: done,
    failures: ['password_required', 'totp_not_found', 'last_factor'],
  }),
  createRecoveryCodes: endpoint({
    ...byUser,
    summary: 'Replace the recovery codes',
    description: 'Needs a recent login or confirmation.',
    status: 201,
    response: z.strictObject({ recoveryCodes }),
    failures: ['password_required', 'no_second_factor'],
  }),
  startPasskey: endpoint({
    ...byUser,
    summary: 'Start to add a passkey',
    description: '`options` are for navigator.credentials.create(). Needs a recent login or confirmation.',
    worksWithoutFactor: true,
    response: z.strictObject({
      options: options.describe('PublicKeyCredentialCreationOptionsJSON of WebAuthn'),
      token,
    }),
    failures: ['password_required', 'too_many_passkeys'],
  }),
  addPasskey: endpoint({
    ...byUser,
    summary: 'Add a passkey',
    worksWithoutFactor: true,
    body: z.strictObject({ token, response: attestation, name: passkeyName }),
    status: 201,
    response: z.strictObject({ passkey, recoveryCodes: recoveryCodes.optional() }),
    failures: ['challenge_ended', 'passkey_refused', 'too_many_passkeys'],
  }),
  renamePasskey: endpoint({
    ...byUser,
    summary: 'Rename a passkey',
    params,
    body: z.strictObject({ name: passkeyName }),
    response: passkey,
    failures: ['passkey_not_found'],
  }),
  deletePasskey: endpoint({
    ...byUser,
    summary: 'Remove a passkey',
    description: 'Needs a recent login or confirmation.',
    params,
    response: done,
    failures: ['password_required', 'passkey_not_found', 'last_factor', 'last_login_method'],
  }),
  startIdentity: endpoint({
    ...byUser,
    summary: 'Start to connect a login provider with your account',
    description: 'Needs a recent login or confirmation. POST /api/login/oidc finishes it.',
    params: z.strictObject({ provider }),
    response: z.strictObject({ url, token }),
    failures: ['password_required', 'provider_not_found', 'provider_unavailable'],
  }),
  deleteIdentity: endpoint({
    ...byUser,
    summary: 'Disconnect a login provider',
    description: 'Needs a recent login or confirmation.',
    params,
    response: done,
    failures: ['password_required', 'identity_not_found', 'last_login_method'],
  }),
}
