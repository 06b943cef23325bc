import { expect, test } from 'vitest'
import { catalogue } from 'virtual:api-catalogue'
import type { RouteName } from '../../../../contract/plain/routes.ts'
import { initialDraft, problemsOf, sampleOptionsOf, requestOf, type RequestDraft } from './request-draft.ts'

function endpointOf(name: RouteName) {
  const endpoint = catalogue.find((one) => one.name === name)
  if (endpoint === undefined) throw new Error(`There is no ${name}`)
  return endpoint
}
const drafted = (name: RouteName, typed: Partial<RequestDraft>) => ({ ...initialDraft(endpointOf(name)), ...typed })

test.each<[RouteName, Partial<RequestDraft>, [string, RegExp][]]>([
  ['getMe', {}, []],
  ['getImage', {}, [['params.id', /required/]]],
  ['getImage', { params: { id: '..' } }, [['params.id', /path/]]],
  ['getImage', { params: { id: '...' } }, []],
  ['login', {}, []],
  ['login', { json: '' }, [['json', /required/]]],
  ['login', { json: '{"a":' }, [['json', /not valid JSON/]]],
  ['deleteImage', { params: { id: 'a' }, json: '' }, []],
  ['uploadImage', {}, [['file', /file/]]],
  ['uploadImage', { file: new File(['x'], 'x.png') }, []],
])('%s with %j', (name, typed, expected) => {
  const problems = [...problemsOf(endpointOf(name), drafted(name, typed))]
  expect(problems.map(([field]) => field)).toEqual(expected.map(([field]) => field))
  for (const [at, [, pattern]] of expected.entries()) expect(problems[at]?.[1]).toMatch(pattern)
})

test('sends every typed value in its place', () => {
  const typed = {
    params: { id: 'a/b?c#d %2e' },
    query: {},
    json: '{"token": "__proto__"}',
    headers: { 'X-Guest-Token': 't' },
  }
  expect(requestOf(endpointOf('extendImage'), drafted('extendImage', typed))).toEqual({
    method: 'POST',
    path: '/api/images/a%2Fb%3Fc%23d%20%252e/extend-expiration',
    headers: { 'X-Guest-Token': 't', 'Content-Type': 'application/json' },
    body: '{"token": "__proto__"}',
  })
  expect(
    requestOf(endpointOf('listImages'), drafted('listImages', { query: { q: 'a&b=c', limit: '', sort: 'x' } })).path,
  ).toBe('/api/images?q=a%26b%3Dc&sort=x')
})

test('a form sends text fields first and the file last', () => {
  const file = new File(['x'], 'x.png', { type: 'image/png' })
  const { body, headers } = requestOf(
    endpointOf('uploadImage'),
    drafted('uploadImage', { file, form: { expires_in: '7d' } }),
  )
  expect(headers).toEqual({})
  expect([...(body as FormData).keys()]).toEqual(['expires_in', 'image'])
})

test('bytes of a resumable upload are the file as it is', () => {
  const file = new File(['x'], 'x.png', { type: 'image/png' })
  const typed = { file, params: { id: 'a' }, headers: { 'Tus-Resumable': '1.0.0', 'Upload-Offset': '0' } }
  expect(requestOf(endpointOf('continueUpload'), drafted('continueUpload', typed))).toEqual({
    method: 'PATCH',
    path: '/api/uploads/a',
    headers: { ...typed.headers, 'Content-Type': 'application/offset+octet-stream' },
    body: file,
  })
})

test('samples follow typed values, except incomplete, too long or too deep ones', () => {
  const login = endpointOf('login')
  expect(sampleOptionsOf(login, drafted('login', { json: '{"email": "a"}' }))).toEqual({
    values: {},
    body: { email: 'a' },
  })
  expect(sampleOptionsOf(login, drafted('login', { json: '{"email":' }))).toEqual({ values: {} })
  const image = endpointOf('getImage')
  const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
  expect(sampleOptionsOf(login, drafted('login', { json: nested(31) }))).toHaveProperty('body')
  expect(sampleOptionsOf(login, drafted('login', { json: nested(5000) }))).toEqual({ values: {} })
  expect(sampleOptionsOf(login, drafted('login', { json: `"${'x'.repeat(100_000)}"` }))).toEqual({ values: {} })
  expect(sampleOptionsOf(image, drafted('getImage', { params: { id: 'x' } }))).toEqual({ values: { id: 'x' } })
})
