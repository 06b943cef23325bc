// Reads a custom uploader file as ShareX does (CustomUploaderItem.cs, ShareXCustomUploaderSyntaxParser.cs): which fields
// there are, and what the braces in them mean.

const fields = [
  'Version',
  'Name',
  'DestinationType',
  'RequestMethod',
  'RequestURL',
  'Parameters',
  'Headers',
  'Body',
  'Arguments',
  'FileFormName',
  'Data',
  'URL',
  'ThumbnailURL',
  'DeletionURL',
  'ErrorMessage',
]
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const destinations = ['ImageUploader', 'TextUploader', 'FileUploader', 'URLShortener', 'URLSharingService']

export interface CustomUploader {
  RequestMethod: string
  RequestURL: string
  Headers?: Record<string, string>
  /** Further fields of the form. */
  Arguments?: Record<string, string>
  FileFormName: string
  URL: string
  ThumbnailURL: string
  DeletionURL: string
  ErrorMessage: string
}

/** @throws when ShareX would refuse the file, convert its syntax, or send no multipart form */
export function parseCustomUploader(text: string): CustomUploader {
  const uploader = JSON.parse(text)
  const unknown = Object.keys(uploader).filter((name) => !fields.includes(name))
  if (unknown.length > 0) throw new Error(`ShareX has no field ${unknown.join(', ')}`)
  if (!isNewer(uploader.Version, [13, 7, 1]))
    throw new Error(`ShareX converts the syntax of version ${uploader.Version}`)
  if (!methods.includes(uploader.RequestMethod)) throw new Error(`ShareX has no method ${uploader.RequestMethod}`)
  for (const one of String(uploader.DestinationType).split(/,\s*/))
    if (!destinations.includes(one)) throw new Error(`ShareX has no destination ${one}`)
  if (uploader.Body !== 'MultipartFormData') throw new Error(`${uploader.Body} sends no multipart form`)
  if (!uploader.FileFormName) throw new Error('A multipart form needs FileFormName')
  new URL(uploader.RequestURL)
  return uploader
}

function isNewer(version: unknown, than: readonly number[]): boolean {
  const parts = /^(\d+)\.(\d+)\.(\d+)$/.exec(String(version))?.slice(1).map(Number)
  if (parts === undefined) return false
  const at = parts.findIndex((part, index) => part !== than[index])
  return at >= 0 && (parts[at] ?? 0) > (than[at] ?? 0)
}

/**
 * Replaces the functions in braces: `{json:path}`, with a path as in JSONPath, and `{response}`.
 * @throws where ShareX would insert nothing
 */
export const resolveSyntax = (text: string, response: string): string =>
  text.replaceAll(/\{([^{}]*)\}/g, (_, call: string) => {
    if (call === 'response') return response
    const path = /^json:(.+)$/.exec(call)?.[1]
    if (path === undefined) throw new Error(`ShareX has no function ${call}`)
    const value = path
      .split(/[.[\]]+/)
      .filter((step) => step !== '')
      .reduce<unknown>((part, step) => Object(part)[step], JSON.parse(response))
    if (typeof value !== 'string' || value === '') throw new Error(`The response has no text at ${path}`)
    return value
  })
