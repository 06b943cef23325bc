// S3 responses as XML: errors and lists.
export interface S3Response {
  status: number
  headers?: Record<string, string | number>
  body?: string | Buffer
}

export interface StoredObject {
  bytes: Buffer
  headers: Record<string, string>
  modifiedAtMs: number
}

export interface S3Page {
  bucket: string
  prefix: string
  maxKeys: number
  objects: [key: string, StoredObject][]
  /** Undefined on the last page. */
  nextToken: string | undefined
}

export function errorResponse(status: number, code: string): S3Response {
  return xmlResponse(status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

export function listResponse({ bucket, prefix, maxKeys, objects, nextToken }: S3Page): S3Response {
  const contents = objects.map(([key, { bytes, headers, modifiedAtMs }]) =>
    element('Contents', [
      element('Key', escape(key)),
      // In whole seconds, rounded down, like Amazon S3.
      element('LastModified', new Date(Math.floor(modifiedAtMs / 1000) * 1000).toISOString()),
      element('ETag', escape(headers.etag ?? '')),
      element('Size', bytes.length),
    ]),
  )
  const result = element('ListBucketResult', [
    element('Name', bucket),
    element('Prefix', escape(prefix)),
    element('KeyCount', objects.length),
    element('MaxKeys', maxKeys),
    element('IsTruncated', nextToken !== undefined),
    nextToken === undefined ? '' : element('NextContinuationToken', nextToken),
    ...contents,
  ])
  return xmlResponse(200, result)
}

const xmlResponse = (status: number, body: string): S3Response => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`,
})

const element = (name: string, content: string | number | boolean | string[]) =>
  `<${name}>${Array.isArray(content) ? content.join('') : content}</${name}>`

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
