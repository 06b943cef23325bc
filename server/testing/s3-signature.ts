// Verifies AWS Signature Version 4:
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { errorResponse, type S3Response } from './s3-responses.ts'

export interface S3Credentials {
  accessKeyId: string
  secretAccessKey: string
}

const maxSkewMs = 15 * 60 * 1000

/**
 * Returns null for a valid signature. Signatures in the query and streamed payloads are not
 * supported.
 */
export function refusedSignature(
  request: IncomingMessage,
  body: Buffer,
  { accessKeyId, secretAccessKey, region }: S3Credentials & { region: string },
): S3Response | null {
  const header = (name: string) => request.headers[name]?.toString() ?? ''
  const authorization =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w{64})$/.exec(
      header('authorization'),
    )
  if (!authorization) return errorResponse(403, 'AccessDenied')
  const [, keyId = '', day = '', scopeRegion = '', signedHeaders = '', signature = ''] = authorization
  if (keyId !== accessKeyId) return errorResponse(403, 'InvalidAccessKeyId')
  if (scopeRegion !== region) return errorResponse(400, 'AuthorizationHeaderMalformed')

  const signed = signedHeaders.split(';')
  const mustBeSigned = ['host', ...Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))]
  if (!mustBeSigned.every((name) => signed.includes(name))) return errorResponse(403, 'AccessDenied')

  const time = header('x-amz-date')
  if (!(Math.abs(Date.now() - timeOf(time)) <= maxSkewMs)) return errorResponse(403, 'RequestTimeTooSkewed')

  const payloadHash = header('x-amz-content-sha256')
  const canonical = [
    request.method,
    ...canonicalUrl(request.url ?? ''),
    ...signed.map((name) => `${name}:${header(name).trim().replaceAll(/ +/g, ' ')}`),
    '',
    signedHeaders,
    payloadHash,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(Buffer.from(canonical))].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  if (hmac(key, toSign).toString('hex') !== signature) return errorResponse(403, 'SignatureDoesNotMatch')
  return refusedPayload(payloadHash, header('content-md5'), body)
}

function refusedPayload(hash: string, md5: string, body: Buffer): S3Response | null {
  if (hash.startsWith('STREAMING-')) return errorResponse(501, 'NotImplemented')
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return errorResponse(400, 'XAmzContentSHA256Mismatch')
  if (md5 !== '' && md5 !== createHash('md5').update(body).digest('base64')) return errorResponse(400, 'BadDigest')
  return null
}

/**
 * Path and query, decoded and encoded once: characters that a client left unencoded must not change
 * the signature.
 */
function canonicalUrl(url: string): [path: string, query: string] {
  const { pathname, searchParams } = new URL(url, 'http://host')
  const path = pathname.split('/').map((part) => encode(decodeURIComponent(part)))
  const query = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`)
  return [path.join('/'), query.sort().join('&')]
}

/** RFC 3986's unreserved characters stay; encodeURIComponent leaves five more. */
const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** 20261124T080000Z as milliseconds; NaN when it is no time. */
const timeOf = (text: string) => Date.parse(text.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
