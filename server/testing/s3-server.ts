// An in-memory S3 server for tests: the part of the protocol that the store uses, with verified
// signatures and injectable faults. Anything else gets NotImplemented, so that no test passes on
// unverified behaviour.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { listResponse, errorResponse, type S3Response, type StoredObject } from './s3-responses.ts'
import { respondWithFault, type Fault } from './s3-faults.ts'
import { refusedSignature, type S3Credentials } from './s3-signature.ts'

export interface S3Server {
  /** URL it listens on; the bucket is in the path. */
  endpoint: string
  objects: Map<string, StoredObject>
  /** Received requests, as 'PUT /bucket/key'. */
  requests: string[]
  /** Faults for the next requests, in order. */
  failNext(fault: Fault, times?: number): void
  /** Applies this fault to every request; null ends it. */
  failAlways(fault: Fault | undefined): void
  stop(): Promise<void>
}

export async function startS3Server(
  options: S3Credentials & { bucket: string; region?: string | undefined },
): Promise<S3Server> {
  const credentials = { region: 'us-east-1', ...options }
  const objects = new Map<string, StoredObject>()
  const requests: string[] = []
  const faults: Fault[] = []
  let permanentFault: Fault | undefined

  async function handle(request: IncomingMessage, response: ServerResponse) {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`)
    const fault = faults.shift() ?? permanentFault
    const body = await buffer(request)
    const execute = () => {
      const result =
        refusedSignature(request, body, credentials) ?? executeRequest(request, body, options.bucket, objects)
      return request.method === 'HEAD' ? { ...result, body: '' } : result
    }
    await respondWithFault(response, execute, fault)
  }
  const server = createServer((request, response) => {
    handle(request, response).catch((error) => {
      // Either the client disconnected during its request, or this server has a bug that its test
      // must show.
      if (request.destroyed || response.headersSent) response.destroy()
      else response.writeHead(500).end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    failNext: (fault, times = 1) => void faults.push(...Array.from({ length: times }, () => fault)),
    failAlways: (fault) => void (permanentFault = fault),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function executeRequest(
  request: IncomingMessage,
  body: Buffer,
  bucket: string,
  objects: Map<string, StoredObject>,
): S3Response {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://host')
  const [, requestedBucket = '', key = ''] = /^\/([^/]+)\/?(.*)$/.exec(decodeURIComponent(pathname)) ?? []
  if (requestedBucket !== bucket) return errorResponse(404, 'NoSuchBucket')
  const operation = operations[`${request.method} ${key === '' ? 'bucket' : 'object'}`]
  const unknown = [...searchParams.keys()].some(
    (name) => !['list-type', 'prefix', 'max-keys', 'continuation-token', 'x-id'].includes(name),
  )
  if (!operation || unknown) return errorResponse(501, 'NotImplemented')
  return operation({ request, body, bucket, key, query: searchParams, objects })
}

interface OperationInput {
  request: IncomingMessage
  body: Buffer
  bucket: string
  key: string
  query: URLSearchParams
  objects: Map<string, StoredObject>
}

const operations: Record<string, (input: OperationInput) => S3Response> = {
  'HEAD bucket': () => ({ status: 200 }),
  'GET bucket': listObjects,
  'PUT object': putObject,
  'GET object': getObject,
  'HEAD object': getObject,
  'DELETE object': ({ key, objects }) => {
    objects.delete(key)
    return { status: 204 }
  },
}

function putObject({ request: { headers }, body, key, objects }: OperationInput): S3Response {
  if (headers['x-amz-copy-source'] !== undefined || headers['content-encoding'] === 'aws-chunked')
    return errorResponse(501, 'NotImplemented')
  if (headers['if-none-match'] === '*' && objects.has(key)) return errorResponse(412, 'PreconditionFailed')
  const stored = Object.entries(headers).filter(([name]) => name === 'content-type' || name.startsWith('x-amz-meta-'))
  const etag = `"${createHash('md5').update(body).digest('hex')}"`
  objects.set(key, {
    bytes: body,
    headers: { ...Object.fromEntries(stored.map(([name, value]) => [name, String(value)])), etag },
    modifiedAtMs: Date.now(),
  })
  return { status: 200, headers: { etag } }
}

function getObject({ request, key, objects }: OperationInput): S3Response {
  const found = objects.get(key)
  if (!found) return errorResponse(404, 'NoSuchKey')
  const { bytes } = found
  const headers = {
    ...found.headers,
    'last-modified': new Date(found.modifiedAtMs).toUTCString(),
    'accept-ranges': 'bytes',
    'content-length': bytes.length,
  }
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  if (first === '' && last === '') return { status: 200, headers, body: bytes }
  const start = first === '' ? Math.max(0, bytes.length - Number(last)) : Number(first)
  const end = first === '' || last === '' ? bytes.length - 1 : Math.min(Number(last), bytes.length - 1)
  if (start > end) return errorResponse(416, 'InvalidRange')
  const range = { 'content-range': `bytes ${start}-${end}/${bytes.length}`, 'content-length': end - start + 1 }
  return { status: 206, headers: { ...headers, ...range }, body: bytes.subarray(start, end + 1) }
}

/** ListObjectsV2. The continuation token is the last key of the previous page in base64. */
function listObjects({ bucket, query, objects }: OperationInput): S3Response {
  if (query.get('list-type') !== '2') return errorResponse(501, 'NotImplemented')
  const prefix = query.get('prefix') ?? ''
  const maxKeys = Math.min(1000, Number(query.get('max-keys') ?? 1000))
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString()
  const found = [...objects].filter(([key]) => key.startsWith(prefix) && key > after).sort(byKey)
  const page = found.slice(0, maxKeys)
  const lastKey = page.at(-1)?.[0] ?? ''
  const nextToken = page.length < found.length ? Buffer.from(lastKey).toString('base64') : undefined
  return listResponse({ bucket, prefix, maxKeys, objects: page, nextToken })
}

/** By code units; S3 orders by UTF-8, which is the same for these keys. */
const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)
