// Explains why the bucket could not be opened, in a sentence that names the setting to check.
import { isNetworkError } from '../network-errors.ts'
import type { S3Options } from './s3-options.ts'

/** By the error's name: the code in S3's response, or the SDK's own. */
const reasons: Record<string, (options: S3Options) => string> = {
  NoSuchBucket: ({ bucket, endpoint }) => `S3_BUCKET: there is no bucket ${bucket} at ${endpoint ?? 'Amazon S3'}`,
  InvalidBucketName: ({ bucket }) => `S3_BUCKET: ${bucket} cannot be the name of a bucket`,
  InvalidAccessKeyId: () => 'S3_ACCESS_KEY_ID: the server does not know it',
  SignatureDoesNotMatch: () => 'S3_SECRET_ACCESS_KEY: it does not belong to S3_ACCESS_KEY_ID',
  AccessDenied: ({ bucket }) => `S3_ACCESS_KEY_ID: it may not list the bucket ${bucket} (s3:ListBucket)`,
  CredentialsProviderError: () => 'S3_ACCESS_KEY_ID: it is not set, and this machine has no credentials of its own',
  AuthorizationHeaderMalformed: wrongRegion,
  PermanentRedirect: wrongRegion,
  RequestTimeTooSkewed: () => 'The clock of this machine and that of the S3 server differ too much',
}

type S3Error = Error & { code?: string; $metadata?: { httpStatusCode?: number } }

export function s3Refusal(error: unknown, options: S3Options): Error {
  const { name, message, $metadata } = error as S3Error
  const status = $metadata?.httpStatusCode === undefined ? '' : ` (HTTP ${$metadata.httpStatusCode})`
  const reason =
    reasons[name]?.(options) ?? `S3_ENDPOINT: ${options.endpoint ?? 'Amazon S3'} cannot be used: ${message}${status}`
  return new Error(reason.replaceAll('S3_', `${options.settingsPrefix ?? ''}S3_`), { cause: error })
}

function wrongRegion({ bucket, region }: S3Options): string {
  return `S3_REGION: the bucket ${bucket} is not in ${region}`
}

/** HPE: the response is not HTTP. */
const notHttp = /^HPE_[A-Z_]+$/
/** The request arrived damaged. */
const damagedInTransit = /^(XAmzContentSHA256Mismatch|BadDigest|IncompleteBody|RequestTimeout)$/

/** Describes an outage as a part of a sentence; undefined for errors that a retry cannot fix. */
export function describeOutage(error: unknown): string | undefined {
  const { name, message, code = '', $metadata } = error as S3Error
  const status = $metadata?.httpStatusCode
  if (damagedInTransit.test(name)) return `received damaged data (${name})`
  if (status !== undefined) return status >= 500 || status === 429 ? `responded with ${status} (${name})` : undefined
  const isUnreachable = name === 'TimeoutError' || isNetworkError(code) || notHttp.test(code)
  return isUnreachable ? `cannot be reached: ${message}` : undefined
}
