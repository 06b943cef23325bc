// The cURL examples of the documentation page, and an upload in every other language (docs/behaviour.md, "API documentation page").
import type { User } from '../../endpoints/accounts.ts'
import type { EndpointDoc } from '../endpoint-doc.ts'
import type { RouteName } from '../../plain/routes.ts'
import { curlOf } from './curl.ts'
import { resumableUploadOf } from './javascript.ts'
import { type Language, languages } from './languages.ts'
import type { SampleOptions } from './request.ts'

export interface CurlExample {
  method: string
  path: string
  summary: string
  code: string
}

const named: { name: RouteName; body?: (sample: Record<string, unknown>) => unknown }[] = [
  { name: 'listUsers' },
  {
    name: 'createUser',
    body: ({ firstName, lastName, email, password, role }) => ({ firstName, lastName, email, password, role }),
  },
  { name: 'updateUser', body: () => ({ status: 'Inactive' }) satisfies Partial<User> },
  { name: 'getUserStats' },
]

export function curlExamples(catalogue: readonly EndpointDoc[], options: SampleOptions): CurlExample[] {
  return named.map(({ name, body }) => {
    const doc = find(catalogue, name)
    // The server also serves these paths without /api, which is how docs/behaviour.md, "API documentation page" shows them.
    const path = doc.path.replace(/^\/api/, '')
    const given = body === undefined ? {} : { body: body((doc.sampleBody ?? {}) as Record<string, unknown>) }
    return { method: doc.method, path, summary: doc.summary, code: curlOf({ ...doc, path }, { ...options, ...given }) }
  })
}

export function uploadExamples(
  catalogue: readonly EndpointDoc[],
  options: SampleOptions,
): (Pick<Language, 'id' | 'label'> & { code: string })[] {
  const doc = find(catalogue, 'uploadImage')
  return languages
    .filter(({ id }) => id !== 'curl')
    .map(({ id, label, write }) => ({ id, label, code: write(doc, options) }))
}

/** For `tus-js-client`; any other client of the protocol needs the same address and headers. */
export const resumableExample = (catalogue: readonly EndpointDoc[], options: SampleOptions): string =>
  resumableUploadOf(find(catalogue, 'createUpload'), options)

function find(catalogue: readonly EndpointDoc[], name: RouteName): EndpointDoc {
  const doc = catalogue.find((entry) => entry.name === name)
  if (doc === undefined) throw new Error(`The catalogue has no ${name}`)
  return doc
}
