// The requests of resumable uploads, one by one.
import type { ApiResponse, CallOptions, TestApp } from './app.ts'

export const version = { 'tus-resumable': '1.0.0' }

interface StartOptions extends Pick<CallOptions, 'token' | 'headers'> {
  metadata?: Record<string, string>
}

/** @param length of the file, in bytes */
export const startUpload = (
  app: Pick<TestApp, 'call'>,
  length: number,
  { token, headers, metadata = {} }: StartOptions = {},
): Promise<ApiResponse> =>
  app.call('POST', '/api/uploads', {
    token,
    headers: { ...version, 'upload-length': String(length), ...metadataOf(metadata), ...headers },
  })

const metadataOf = (given: Record<string, string>): Record<string, string> => {
  const pairs = Object.entries(given).map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
  return pairs.length === 0 ? {} : { 'upload-metadata': pairs.join(',') }
}

/** Starts an upload, which must succeed. @returns its path */
export async function newUpload(app: Pick<TestApp, 'call'>, length: number, options?: StartOptions): Promise<string> {
  const { status, headers, body } = await startUpload(app, length, options)
  if (status !== 201) throw new Error(`The upload was refused: ${JSON.stringify(body)}`)
  return headers.get('location') ?? ''
}

export const sendBytes = (
  app: Pick<TestApp, 'request'>,
  path: string,
  bytes: Uint8Array,
  { offset = 0, token, headers }: { offset?: number } & Pick<CallOptions, 'token' | 'headers'> = {},
): Promise<Response> =>
  app.request(path, {
    method: 'PATCH',
    body: new Uint8Array(bytes),
    headers: {
      ...version,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
  })

export const offsetOf = async (app: Pick<TestApp, 'call'>, path: string, options: CallOptions = {}): Promise<number> =>
  Number(
    (await app.call('HEAD', path, { ...options, headers: { ...version, ...options.headers } })).headers.get(
      'upload-offset',
    ),
  )
