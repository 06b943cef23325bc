// The values typed to try an endpoint, and the request they produce.
import type { EndpointDoc, FieldDoc } from '../../../../contract/derive/endpoint-doc.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import type { SampleOptions } from '../../../../contract/derive/samples/request.ts'
import { tryIt } from '../../../texts/docs-messages.ts'

/** Of a body, request or response; longer text is cut off or not used for the samples. */
export const maxShownChars = 100_000

type Values = Readonly<Record<string, string>>
export type FieldGroup = 'params' | 'query' | 'headers' | 'form'

/** Typed texts: an empty one is not sent. */
export interface RequestDraft extends Readonly<Record<FieldGroup, Values>> {
  /** The JSON body. */
  readonly json: string
  readonly file: File | undefined
}

export interface TriedRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | FormData | File
}

/** The body starts as the contract's sample; other fields start empty. */
export function initialDraft({ bodyKind, sampleBody }: EndpointDoc): RequestDraft {
  const isJson = bodyKind === 'json' && sampleBody !== undefined
  return { params: {}, query: {}, headers: {}, form: {}, json: isJson ? prettyJson(sampleBody) : '', file: undefined }
}

export const prettyJson = (value: unknown) => JSON.stringify(value, null, 2)

export function fieldsOf(endpoint: EndpointDoc, group: FieldGroup): FieldDoc[] {
  if (group !== 'form') return endpoint[group]
  return endpoint.bodyKind === 'multipart' ? endpoint.body.filter(({ type }) => type !== 'file') : []
}

export const fileFieldOf = ({ body }: EndpointDoc) => body.find(({ type }) => type === 'file')

/** Why the request cannot be sent, by group and name: `params.id`, `json`, `file`. In the order on screen. */
export function problemsOf(endpoint: EndpointDoc, draft: RequestDraft): Map<string, string> {
  const problems = new Map<string, string>()
  for (const group of ['params', 'query', 'headers', 'form'] as const) {
    for (const { name, required } of fieldsOf(endpoint, group)) {
      const value = draft[group][name] ?? ''
      if (required && value === '') problems.set(`${group}.${name}`, tryIt.missing)
      // The browser would resolve `.` and `..` as path segments.
      else if (group === 'params' && /^\.\.?$/.test(value)) problems.set(`${group}.${name}`, tryIt.wrongPath)
    }
  }
  if (fileFieldOf(endpoint)?.required === true && draft.file === undefined) problems.set('file', tryIt.chooseFile)
  const wrongJson = endpoint.bodyKind === 'json' ? jsonProblem(endpoint, draft.json) : undefined
  if (wrongJson !== undefined) problems.set('json', wrongJson)
  return problems
}

function jsonProblem(endpoint: EndpointDoc, text: string): string | undefined {
  if (text.trim() === '') return endpoint.body.some(({ required }) => required) ? tryIt.missing : undefined
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return tryIt.wrongJson(error instanceof Error ? error.message : String(error))
  }
}

/** The request of a draft without problems. */
export function requestOf(endpoint: EndpointDoc, draft: RequestDraft): TriedRequest {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(draft.params[name] ?? ''))
  const query = new URLSearchParams(given(draft.query))
  const isJson = endpoint.bodyKind === 'json' && draft.json.trim() !== ''
  return {
    method: endpoint.method,
    path: query.size === 0 ? path : `${path}?${query.toString()}`,
    headers: {
      ...Object.fromEntries(given(draft.headers)),
      ...(isJson && { 'Content-Type': 'application/json' }),
      ...(endpoint.bodyKind === 'bytes' && { 'Content-Type': 'application/offset+octet-stream' }),
    },
    ...(isJson && { body: draft.json }),
    ...(endpoint.bodyKind === 'bytes' && draft.file && { body: draft.file }),
    ...(endpoint.bodyKind === 'multipart' && { body: formOf(endpoint, draft) }),
  }
}

function formOf(endpoint: EndpointDoc, { form, file }: RequestDraft): FormData {
  const data = new FormData()
  // The server reads text fields first and the file last.
  for (const [name, value] of given(form)) data.append(name, value)
  const field = fileFieldOf(endpoint)
  if (field !== undefined && file !== undefined) data.append(field.name, file)
  return data
}

/** Values for the code samples: the typed ones, else the examples of the contract. */
export function sampleOptionsOf(endpoint: EndpointDoc, draft: RequestDraft): Pick<SampleOptions, 'values' | 'body'> {
  const { params, query, headers, form } = draft
  const values = Object.fromEntries([params, query, headers, form].flatMap(given))
  return endpoint.bodyKind === 'json' ? { values, ...bodyIn(draft.json) } : { values }
}

function bodyIn(text: string): { body?: unknown } {
  // Too long to be read as code: the sample is not updated.
  if (text.length > maxShownChars) return {}
  try {
    const body: unknown = JSON.parse(text)
    // The sample writers recurse as deep as the body and would overflow the stack.
    return isDeeperThan(limits.documents.maxDepth, body) ? {} : { body }
  } catch {
    // Incomplete JSON: the editor shows the error, and the sample is not updated.
    return {}
  }
}

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isDeeperThan(levels - 1, one)))

const given = (values: Values) => Object.entries(values).filter(([, value]) => value !== '')
