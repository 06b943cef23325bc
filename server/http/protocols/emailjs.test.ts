// The EmailJS client that the contact page uses against the running app, and hostile requests.
import { failureText } from '../../../contract/plain/failures.ts'
import { init, send, sendForm } from '@emailjs/browser'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ownEmailJs } from '../../../contract/plain/emailjs.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())
// The rate limit is per hour: each test starts in a new one.
beforeEach(() => app.moveClock(limits.contact.perAddress.windowMs))

const fields = {
  name: 'Dana Ray',
  email: 'dana@example.com',
  subject: 'A question',
  message: 'How long are images kept?\nThank you.',
  recipient: 'support@example.com',
}
const ids = { lib_version: '4.4.1', user_id: 'k', service_id: 's', template_id: 't' }
const stored = () => app.deps.db.selectFrom('contact_messages').selectAll().orderBy('created_at').execute()
const deleteStored = () => app.deps.db.deleteFrom('contact_messages').execute()
const ago = (milliseconds: number) => app.deps.now() - milliseconds

async function post(body: unknown, headers: Record<string, string> = {}) {
  const response = await app.request('/api/v1.0/email/send', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}
const sendParams = (params: object) => post({ ...ids, template_params: { ...fields, ...params } })

async function postForm(entries: Record<string, string | Blob>, headers: Record<string, string> = {}) {
  const form = new FormData()
  for (const [name, value] of Object.entries(entries)) form.append(name, value)
  const response = await app.request('/api/v1.0/email/send-form', { method: 'POST', body: form, headers })
  return { status: response.status, text: await response.text() }
}

describe('@emailjs/browser', () => {
  /** What the client expects of a browser and Node lacks: a location, and FormData of a form. */
  class BrowserFormData extends FormData {
    constructor(form: { fields: Record<string, string> }) {
      super()
      for (const [name, value] of Object.entries(form.fields)) this.append(name, value)
    }
  }
  beforeAll(() => {
    vi.stubGlobal('location', { pathname: '/contact' })
    vi.stubGlobal('FormData', BrowserFormData)
    init({ publicKey: ownEmailJs.publicKey, origin: app.url })
  })
  afterAll(() => vi.unstubAllGlobals())
  const { serviceId, templateId } = ownEmailJs

  it('sends template parameters', async () => {
    await deleteStored()
    const params = { ...fields, time: new Date(ago(5000)).toISOString() }
    expect(await send(serviceId, templateId, params)).toMatchObject({ status: 200, text: 'OK' })
    const { name, email, subject, message } = fields
    expect(await stored()).toMatchObject([{ name, email, subject, message, sent_at: null }])
  })

  it('sends a form', async () => {
    await deleteStored()
    const form = { nodeName: 'FORM', fields: { ...fields, time: String(ago(5000)), website: '' } }
    const sent = await sendForm(serviceId, templateId, form)
    expect(sent).toMatchObject({ status: 200, text: 'OK' })
    expect(await stored()).toMatchObject([{ name: fields.name, message: fields.message }])
  })

  it('gets validation errors as plain text', async () => {
    await expect(send(serviceId, templateId, { ...fields, email: 'nobody' })).rejects.toMatchObject({
      status: 400,
      text: 'template_params.email: must be an email address',
    })
    await expect(sendForm(serviceId, templateId, { nodeName: 'FORM', fields: { name: 'x' } })).rejects.toMatchObject({
      status: 400,
      text: 'email: must be an email address',
    })
  })

  it('gets 429 after 5 messages in an hour', async () => {
    for (let count = 0; count < limits.contact.perAddress.limit; count++) await send(serviceId, templateId, fields)
    await expect(send(serviceId, templateId, fields)).rejects.toMatchObject({
      status: 429,
      text: expect.stringMatching(/^Too many requests/),
    })
    app.moveClock(limits.contact.perAddress.windowMs)
    expect(await send(serviceId, templateId, fields)).toMatchObject({ status: 200 })
  })
})

describe('sendEmail', () => {
  it('responds with plain text that is not cached', async () => {
    const { status, text, headers } = await sendParams({})
    expect([status, text]).toEqual([200, 'OK'])
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  const params = (changed: object) => ({ ...ids, template_params: { ...fields, ...changed } })
  const without = (name: keyof typeof ids) => ({ ...params({}), [name]: undefined })
  it.each<[what: string, body: unknown, status: number, text: string]>([
    ['no public key', without('user_id'), 400, 'user_id: The public key is required'],
    ['an empty public key', { ...params({}), user_id: '' }, 400, 'user_id: The public key is required'],
    ['no service', without('service_id'), 400, 'service_id: The service ID is required'],
    ['no template', without('template_id'), 400, 'template_id: The template ID is required'],
    ['no version', without('lib_version'), 400, 'lib_version: The lib version is required'],
    ['no params', ids, 400, 'template_params: The template params have to be the object'],
    ['params that are a list', { ...ids, template_params: [] }, 400, 'have to be the object'],
    ['params that are a text', { ...ids, template_params: 'name' }, 400, 'have to be the object'],
    ['no name', params({ name: undefined }), 400, 'template_params.name: is required'],
    ['a blank name', params({ name: '  ' }), 400, 'template_params.name: is required'],
    ['a long name', params({ name: 'x'.repeat(101) }), 400, 'template_params.name: is longer than 100 characters'],
    ['a long email', params({ email: `${'x'.repeat(250)}@example.com` }), 400, 'template_params.email: '],
    ['a blank message', params({ message: '\n \n' }), 400, 'template_params.message: is required'],
    [
      'a long message',
      params({ message: 'x'.repeat(5001) }),
      400,
      'template_params.message: is longer than 5,000 characters',
    ],
    ['a number for a subject', params({ subject: 7 }), 400, 'template_params.subject: '],
    ['a time of an unsupported type', params({ time: {} }), 400, 'template_params.time: '],
    ['broken JSON', '{"lib_version":', 400, 'not valid JSON'],
    ['no body', '', 400, 'is required'],
    ['a NUL', params({ message: 'a\0b' }), 400, 'NUL'],
  ])('refuses %s', async (_, body, status, text) => {
    const response = await post(body)
    expect(response.status).toBe(status)
    expect(response.text).toContain(text)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  })

  it.each(['\r', '\n', '\r\n', '\u2028', '\u0085', '\t', '\u001b'])(
    'refuses the control character %j in a header field',
    async (character) => {
      await deleteStored()
      for (const field of ['name', 'email', 'subject', 'recipient']) {
        const hostile = { [field]: `a@example.com${character}Bcc: everyone@example.com` }
        expect((await sendParams(hostile)).status).toBe(400)
        expect((await postForm({ ...ids, ...fields, ...hostile })).status).toBe(400)
      }
      expect((await sendParams({ subject: `Trailing${character}` })).status).toBe(400)
      expect(await stored()).toEqual([])
    },
  )

  it('refuses other content types with a text', async () => {
    const response = await post('a=b', { 'content-type': 'application/x-www-form-urlencoded' })
    expect([response.status, response.text]).toEqual([415, 'The Content-Type is not supported. Send application/json'])
  })

  it('stores fields of the maximum length, in any script', async () => {
    await deleteStored()
    const longest = { name: 'Ж'.repeat(100), subject: '件'.repeat(200), message: '🙂\r\n'.repeat(1666) }
    expect((await sendParams(longest)).status).toBe(200)
    expect(await stored()).toMatchObject([{ ...longest, message: longest.message.replaceAll('\r\n', '\n') }])
  })

  it.each<[what: string, time: () => unknown, status: number]>([
    ['no time', () => undefined, 200],
    ['5 seconds', () => ago(5000), 200],
    ['23 hours', () => ago(23 * 3_600_000), 200],
    ['a localized date and time', () => '11/21/2026, 8:38:00 AM', 200],
    ['an empty time', () => '', 200],
    ['a date without a time', () => '2020-01-01', 200],
    ['0 seconds', () => ago(0), 400],
    ['2 seconds, as a text', () => String(ago(2000)), 400],
    ['2 seconds, as a date', () => new Date(ago(2000)).toISOString(), 400],
    ['25 hours', () => ago(25 * 3_600_000), 400],
    ['a time in the future', () => ago(-3_600_000), 400],
    ['a number that is not a time', () => -1e300, 400],
  ])('checks the hidden time: %s', async (_, time, status) => {
    const response = await sendParams({ time: time() })
    expect(response.status).toBe(status)
    if (status === 400) expect(response.text).toBe(failureText('untimely_form', {}))
  })

  it('responds 200 to a bot that fills the hidden field, and stores nothing', async () => {
    await deleteStored()
    for (let count = 0; count < 10; count++) {
      expect(await sendParams({ website: 'https://spam.example' })).toMatchObject({ status: 200, text: 'OK' })
    }
    expect(await stored()).toEqual([])
  })
})

describe('sendEmailForm', () => {
  it.each<[what: string, entries: Record<string, string | Blob>, status: number, text: string]>([
    ['no public key', { ...fields, lib_version: '1' }, 400, 'user_id: The public key is required'],
    ['a file', { ...ids, ...fields, file: new Blob(['x']) }, 400, 'Too many files'],
    ['a field that is much too long', { ...ids, ...fields, message: 'x'.repeat(40_000) }, 413, 'larger than'],
    [
      'a hundred fields',
      { ...ids, ...fields, ...Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, ''])) },
      400,
      'too many fields',
    ],
    ['a field named `constructor`', { ...ids, ...fields, __proto__x: '', constructor: 'x' }, 400, 'forbidden'],
  ])('refuses %s', async (_, entries, status, text) => {
    const response = await postForm(entries)
    expect(response.status).toBe(status)
    expect(response.text).toContain(text)
  })

  it('refuses JSON and truncated forms', async () => {
    const to = '/api/v1.0/email/send-form'
    const json = await app.call('POST', to, { body: { ...ids, ...fields } })
    expect([json.status, json.body]).toEqual([415, 'The Content-Type is not supported. Send multipart/form-data'])
    const broken = await app.call('POST', to, {
      body: '--x\r\ncontent-disposition: form-data; name="name"\r\n\r\nDana',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    expect(broken.status).toBe(400)
  })

  it('refuses a form from another origin, which browsers send without a preflight', async () => {
    const foreign = await postForm({ ...ids, ...fields }, { origin: 'https://evil.example' })
    expect(foreign).toEqual({ status: 403, text: 'Messages are accepted from this site only' })
    expect((await postForm({ ...ids, ...fields }, { origin: new URL(app.url).origin })).status).toBe(200)
  })
})

it('the page gets the ids of emailjs.com, and may connect to it, only when they are set', async () => {
  const page = async (of: TestApp) => {
    const response = await of.request('/contact', { headers: { accept: 'text/html' } })
    return { html: await response.text(), policy: response.headers.get('content-security-policy') }
  }
  expect(await page(app)).toMatchObject({
    html: expect.stringContaining('"emailJsPublicKey":""'),
    policy: expect.not.stringContaining('emailjs.com'),
  })
  const external = await startTestApp({ EMAILJS_PUBLIC_KEY: 'p', EMAILJS_SERVICE_ID: 's', EMAILJS_TEMPLATE_ID: 't' })
  try {
    expect(await page(external)).toMatchObject({
      html: expect.stringContaining('"emailJsPublicKey":"p","emailJsServiceId":"s","emailJsTemplateId":"t"'),
      policy: expect.stringContaining("connect-src 'self' https://api.emailjs.com"),
    })
  } finally {
    await external.stop()
  }
})
