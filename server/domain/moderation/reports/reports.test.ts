// Reports through the API: who may report what, what admins see, and what their decisions change.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { dayMs, limits } from '../../../../contract/plain/limits.ts'
import { reportLimits } from '../../../../contract/plain/moderation-limits.ts'
import type { ReportCase } from '../../../../contract/endpoints/reports.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { jpeg } from '../../../testing/test-images.ts'
import { promote } from '../../accounts/operator-accounts.ts'
import { sweepReports } from './sweep-reports.ts'

const { perAddress, perInstance, maxStoredPerImage, maxOpen, decidedRetentionMs } = reportLimits

let app: TestApp
let bytes: Buffer
let admin: { token: string }
let adminLogin: string
let owner: { token: string; id: string; email: string }
beforeAll(async () => {
  app = await startTestApp()
  bytes = await jpeg(60, 40)
  owner = await app.newUser('owner@example.com')
  adminLogin = (await app.newUser()).email
  await promote(app.deps, adminLogin)
  admin = (await app.call('POST', '/api/login', { body: { email: adminLogin, password: 'secret-1' } })).body
})
afterAll(() => app.stop())
// Each test starts with an empty queue, in another hour of the rate limit.
beforeEach(async () => {
  for (const table of ['report_cases', 'blocked_images'] as const) await app.deps.db.deleteFrom(table).execute()
  app.moveClock(perAddress.windowMs)
})

const upload = async (name = 'Dusk.jpg', file = bytes): Promise<UploadedImage> =>
  (await app.upload(file, { token: owner.token, name })).body
const report = (image: string, more: object = {}) =>
  app.call('POST', '/api/reports', { body: { image, reason: 'spam', ...more } })
const stored = () => app.deps.db.selectFrom('reports').selectAll().orderBy('created_at').execute()

async function list(query = ''): Promise<ReportCase[]> {
  const { status, body, headers } = await app.call('GET', `/api/admin/reports${query}`, admin)
  expect(status, JSON.stringify(body)).toBe(200)
  if (!query.includes('limit')) expect(headers.get('x-total-count')).toBe(String(body.length))
  return body
}
const decide = (id: string | undefined, action: string, note?: string) =>
  app.call('POST', `/api/admin/reports/${id}/decide`, {
    ...admin,
    body: { action, ...(note !== undefined && { note }) },
  })
const statusOf = async ({ file_name }: UploadedImage) => (await app.request(`/uploads/${file_name}`)).status

/** Reports the image and returns its open case. */
async function openCase({ id }: UploadedImage): Promise<ReportCase> {
  expect((await report(id)).status).toBe(201)
  const found = (await list()).find(({ image_id }) => image_id === id)
  if (!found) throw new Error('The case is not listed')
  return found
}

describe('sendReport', () => {
  it.each([
    ['id', ({ id }: UploadedImage) => id],
    ['file name', ({ file_name }: UploadedImage) => ` ${file_name} `],
    ['URL', ({ url }: UploadedImage) => url],
    ['URL of a thumbnail', ({ thumbnailUrl }: UploadedImage) => `${thumbnailUrl}?x=1#y`],
    ['link to the viewer', ({ id }: UploadedImage) => `https://a-host-with-a-long-name.example/dashboard?image=${id}`],
  ])('stores a report of an image named by its %s', async (_, textOf) => {
    const image = await upload()
    const { status, body } = await report(textOf(image), { comment: 'One\r\ntwo ', email: 'eve@example.com' })
    expect([status, body]).toEqual([201, { success: true }])
    expect(await list()).toMatchObject([
      {
        image_id: image.id,
        original_name: 'Dusk.jpg',
        image: { id: image.id, quarantined_at: null, owner: { email: owner.email } },
        owner: { id: owner.id, email: owner.email, status: 'Active' },
        count: 1,
        reports: [{ reason: 'spam', comment: 'One\ntwo', email: 'eve@example.com' }],
        decision: null,
      },
    ])
  })

  const missing = 'https://img.example/uploads/cat-AAAAAAAAAAAAAAAAAAAAAA.jpg'
  it.each<[what: string, body: unknown, status: number, text: string]>([
    ['an unknown image', { image: missing, reason: 'spam' }, 404, 'Image not found'],
    ['a URL of another site', { image: 'https://example.com/a.jpg', reason: 'spam' }, 404, 'Image not found'],
    ['no image', { reason: 'spam' }, 400, 'image: is required'],
    ['a blank image', { image: ' ', reason: 'spam' }, 400, 'image: is required'],
    ['a long image', { image: 'x'.repeat(301), reason: 'spam' }, 400, 'image: is longer than 300 characters'],
    ['no reason', { image: missing }, 400, 'reason: '],
    ['an unknown reason', { image: missing, reason: 'dislike' }, 400, 'reason: '],
    ["the reason 'other' alone", { image: missing, reason: 'other' }, 400, 'comment: is required'],
    [
      "the reason 'other' with a blank comment",
      { image: missing, reason: 'other', comment: ' \n' },
      400,
      'comment: is required',
    ],
    [
      'a long comment',
      { image: missing, reason: 'spam', comment: 'x'.repeat(2001) },
      400,
      'comment: is longer than 2,000 characters',
    ],
    ['a comment that is no text', { image: missing, reason: 'spam', comment: 7 }, 400, 'comment: '],
    ['a NUL', { image: missing, reason: 'spam', comment: 'a\0' }, 400, 'NUL'],
    ['a wrong email', { image: missing, reason: 'spam', email: 'eve' }, 400, 'email: must be an email address'],
    ['an unknown field', { image: missing, reason: 'spam', owner: 'eve' }, 400, 'owner: is not a field'],
    ['a list', [], 400, 'body'],
  ])('refuses %s', async (_, body, status, text) => {
    const response = await app.call('POST', '/api/reports', { body })
    expect([response.status, response.body.error]).toEqual([status, expect.stringContaining(text)])
    expect(await stored()).toEqual([])
  })

  it('refuses a form that was sent too quickly or was open for too long, and accepts times that it cannot read', async () => {
    const { id } = await upload()
    const now = app.deps.now()
    for (const time of [now, now - 1000, now - 2 * dayMs, new Date(now).toISOString()])
      expect((await report(id, { time })).body.code).toBe('untimely_form')
    for (const time of [now - 60_000, String(now - 60_000), 'Sun Nov 22 2026'])
      expect((await report(id, { time })).status).toBe(201)
  })

  it('drops the report of a bot that fills in the hidden field', async () => {
    const { id } = await upload()
    expect((await report(id, { website: 'https://spam.example' })).status).toBe(201)
    expect(await stored()).toEqual([])
  })

  it('responds 410 for a removed image and 451 for a quarantined one', async () => {
    const [gone, hidden] = [await upload(), await upload()]
    for (const [action, { id }] of [
      ['remove', gone],
      ['quarantine', hidden],
    ] as const)
      await app.call('POST', '/api/admin/images/moderate', { ...admin, body: { action, ids: [id] } })
    expect((await report(gone.url)).body.code).toBe('image_gone')
    expect((await report(hidden.url)).body.code).toBe('image_unavailable')
  })

  it('accepts 5 reports an hour from an address; mistyped ones do not count', async () => {
    const { id } = await upload()
    for (let n = 0; n < 10; n++) expect((await report(missing)).status).toBe(404)
    for (let n = 0; n < perAddress.limit; n++) expect((await report(id)).status).toBe(201)
    const refused = await report(id)
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    app.moveClock(perAddress.windowMs)
    expect((await report(id)).status).toBe(201)
  })

  it('accepts 200 reports an hour from all addresses together', async () => {
    const { id } = await upload()
    const { counters, now } = app.deps
    for (let n = 1; n < perInstance.limit; n++) await counters.hit('report', perInstance.windowMs, now())
    expect((await report(id)).status).toBe(201)
    expect((await report(id)).status).toBe(429)
    app.moveClock(perInstance.windowMs)
    expect((await report(id)).status).toBe(201)
  })

  it('accepts 50 of them without the time, and then still those of people', async () => {
    const { id } = await upload()
    const { counters, now } = app.deps
    const { limit, windowMs } = limits.publicForm.untimed
    for (let n = 1; n < limit; n++) await counters.hit('report-untimed', windowMs, now())
    expect((await report(id)).status).toBe(201)
    for (const time of [undefined, '', 'Sun Nov 22 2026']) expect((await report(id, { time })).status).toBe(429)
    expect((await report(id, { time: now() - 60_000 })).status).toBe(201)
  })

  it('groups the reports of an image until an admin decides; a later one opens another case', async () => {
    const image = await upload()
    const first = await openCase(image)
    await report(image.id, { reason: 'copyright', comment: 'Mine' })
    expect(await list()).toMatchObject([
      { id: first.id, count: 2, reports: [{ reason: 'spam' }, { reason: 'copyright', comment: 'Mine' }] },
    ])
    await decide(first.id, 'dismiss')
    expect(await list()).toEqual([])
    const second = await openCase(image)
    expect(second.id).not.toBe(first.id)
    expect(second.count).toBe(1)
  })

  it('groups concurrent reports of one image', async () => {
    const { id } = await upload()
    await Promise.all(Array.from({ length: perAddress.limit }, () => report(id)))
    expect(await list()).toMatchObject([{ image_id: id, count: perAddress.limit }])
  })

  it('stores the first reports of an image, and counts the others', async () => {
    const { id } = await upload()
    for (let n = 0; n < maxStoredPerImage + 2; n++) {
      if (n % perAddress.limit === 0) app.moveClock(perAddress.windowMs)
      expect((await report(id, { comment: String(n) })).status).toBe(201)
    }
    const [found] = await list()
    expect([found?.count, found?.reports.length]).toEqual([maxStoredPerImage + 2, maxStoredPerImage])
    expect(found?.reports.map(({ comment }) => comment).slice(0, 2)).toEqual(['0', '1'])
  })

  it('refuses reports while as many as allowed are open, and stores nothing of them', async () => {
    const [one, two] = [await upload(), await upload()]
    await openCase(one)
    const rows = Array.from({ length: maxOpen / maxStoredPerImage }, (_, n) => ({
      id: `case-${n}`,
      image_id: `image-${n}`,
      original_name: 'a.jpg',
      owner_id: null,
      opened_at: 1,
      // Those beyond the stored ones do not count.
      report_count: maxStoredPerImage + n,
      announced_at: null,
      decision: null,
      note: null,
      decided_at: null,
      decided_by: null,
    }))
    await app.deps.db.insertInto('report_cases').values(rows).execute()
    const refused = await report(two.id)
    expect([refused.status, refused.body.code]).toEqual([503, 'reports_full'])
    expect(await stored()).toHaveLength(1)
    const open = app.deps.db.selectFrom('report_cases').select('id').where('image_id', '=', two.id)
    expect(await open.execute()).toEqual([])
    expect((await decide('case-0', 'dismiss')).status).toBe(200)
    expect((await report(two.id)).status).toBe(201)
  })

  it('is counted in the metrics by reason, and open reports are a gauge', async () => {
    const image = await upload()
    await report(image.id, { reason: 'harassment' })
    await report(image.id, { reason: 'harassment' })
    const text = await (await app.request('/metrics')).text()
    expect(text).toContain('image_host_reports_total{reason="harassment"} 2')
    expect(text).toContain('image_host_open_reports{of="reports"} 2')
    expect(text).toContain('image_host_open_reports{of="images"} 1')
  })
})

describe('listReports', () => {
  it('lists open cases from the oldest on, in pages', async () => {
    const ids: string[] = []
    for (let n = 0; n < 3; n++) {
      const { id } = await upload(`${n}.jpg`)
      await report(id)
      app.moveClock(1000)
      ids.push(id)
    }
    // Another report of the newest does not move it.
    await report(ids[2] ?? '')
    expect((await list()).map(({ image_id }) => image_id)).toEqual(ids)
    const { body, headers } = await app.call('GET', '/api/admin/reports?limit=2', admin)
    expect(body.map((one: ReportCase) => one.image_id)).toEqual(ids.slice(0, 2))
    expect(headers.get('x-total-count')).toBe('3')
    const next = new URL(/<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? '')
    expect((await list(next.search)).map(({ image_id }) => image_id)).toEqual(ids.slice(2))
  })

  it('lists decided cases from the newest decision on, with decision, note and admin', async () => {
    const [one, two] = [await openCase(await upload()), await openCase(await upload())]
    await decide(two.id, 'dismiss', ' Fine\r\nso ')
    app.moveClock(1000)
    await decide(one.id, 'quarantine')
    expect(await list('?status=decided')).toMatchObject([
      {
        id: one.id,
        decision: { action: 'quarantine', note: '', by: adminLogin, decided_at: expect.stringMatching(/Z$/) },
      },
      { id: two.id, decision: { action: 'dismiss', note: 'Fine\nso', by: adminLogin } },
    ])
    const page = await app.call('GET', '/api/admin/reports?status=decided&limit=1', admin)
    const next = new URL(/<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1] ?? '')
    expect(await list(next.search)).toMatchObject([{ id: two.id }])
  })

  it("shows guests' images without an owner, and images that no longer exist by their name", async () => {
    const guests = await app.guestImage(bytes, 'guests.jpg')
    const own = await upload('own.jpg')
    for (const { id } of [guests, own]) await report(id)
    await app.call('DELETE', `/api/images/${own.id}`, owner)
    const [first, second] = (await list()).toSorted((a, b) => a.original_name.localeCompare(b.original_name))
    expect(first).toMatchObject({ original_name: 'guests.jpg', owner: null, image: { id: guests.id, owner: null } })
    expect(second).toMatchObject({ original_name: 'own.jpg', owner: { email: owner.email }, image: null })
  })

  it.each([
    ['cursor=x', 'cursor'],
    ['limit=51', 'limit'],
    ['status=all', 'status'],
    ['sort=name', 'sort'],
  ])('refuses %s', async (query, field) => {
    const { status, body } = await app.call('GET', `/api/admin/reports?${query}`, admin)
    expect([status, body.code, body.error.split(':')[0]]).toEqual([400, 'invalid_input', field])
  })

  it('refuses a cursor of the other list', async () => {
    for (let n = 0; n < 2; n++) await openCase(await upload())
    const { headers } = await app.call('GET', '/api/admin/reports?limit=1', admin)
    const cursor = /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1]
    expect((await app.call('GET', `/api/admin/reports?status=decided&cursor=${cursor}`, admin)).status).toBe(400)
  })
})

describe('decideReport', () => {
  it.each([
    ['dismiss', 200],
    ['quarantine', 451],
    ['remove', 410],
    ['block', 410],
  ])('%s makes the image respond %i and closes the case', async (action, status) => {
    const image = await upload()
    expect(await statusOf(image)).toBe(200)
    const { id } = await openCase(image)
    const { status: decided, body } = await decide(id, action, 'A note')
    expect([decided, body]).toEqual([200, { success: true }])
    expect(await statusOf(image)).toBe(status)
    expect(await list()).toEqual([])
    expect(await list('?status=decided')).toMatchObject([{ id, decision: { action, note: 'A note' } }])
  })

  it('removes the bytes of an image and counts it for its owner', async () => {
    const user = await app.newUser()
    const image = (await app.upload(bytes, user)).body
    await decide((await openCase(image)).id, 'remove')
    const files = [...(await app.files('originals')), ...(await app.files('variants'))]
    expect(files.filter((name) => name.includes(image.id))).toEqual([])
    expect((await app.call('GET', '/api/me', user)).body.user).toMatchObject({ imageCount: 0, imageBytes: 0 })
  })

  it('refuses blocked bytes and quarantines other images with them, with the reasons of the reports', async () => {
    const same = await jpeg(31, 20)
    const [image, copy] = [await upload('a.jpg', same), await upload('b.jpg', same)]
    await report(image.id, { reason: 'spam' })
    await decide((await openCase(image)).id, 'block', 'A note')
    expect([await statusOf(image), await statusOf(copy)]).toEqual([410, 451])
    expect((await app.upload(same, owner)).body.code).toBe('image_blocked')
    const blocks = await app.deps.db.selectFrom('blocked_images').select(['reason', 'created_by']).execute()
    expect(blocks).toEqual([{ reason: 'Reported: spam', created_by: expect.any(String) }])
  })

  it('accepts one decision about a case', async () => {
    const image = await upload()
    const { id } = await openCase(image)
    const statuses = await Promise.all(
      ['dismiss', 'quarantine'].map(async (action) => (await decide(id, action)).status),
    )
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409])
    const again = await decide(id, 'remove')
    expect([again.status, again.body.code]).toEqual([409, 'report_decided'])
    expect(await list('?status=decided')).toHaveLength(1)
  })

  it('responds 404 for an unknown case', async () => {
    const { status, body } = await decide('unknown', 'dismiss')
    expect([status, body.code]).toEqual([404, 'report_not_found'])
  })

  it('accepts only a dismissal of the case of a deleted image', async () => {
    const image = await upload()
    const { id } = await openCase(image)
    await app.call('DELETE', `/api/images/${image.id}`, owner)
    for (const action of ['quarantine', 'remove']) expect((await decide(id, action)).body.code).toBe('image_gone')
    expect(await list()).toMatchObject([{ id, decision: null }])
    expect((await decide(id, 'dismiss')).status).toBe(200)
  })

  it.each(['quarantine', 'remove', 'block'])(
    'decides about an image in the trash, which does not come back: %s',
    async (action) => {
      const image = await upload()
      const { id } = await openCase(image)
      await app.call('DELETE', `/api/images/${image.id}?trash=1`, owner)
      const [shown] = await list()
      expect(shown?.image).toMatchObject({
        id: image.id,
        expires_at: image.expires_at,
        restorable_until: expect.any(String),
      })
      const preview = await app.request(`/api/admin/images/${image.id}/preview`, {
        headers: { authorization: `Bearer ${admin.token}` },
      })
      expect([preview.status, preview.headers.get('content-type')]).toEqual([200, 'image/webp'])
      expect((await decide(id, action)).status).toBe(200)
      const restored = await app.call('POST', '/api/trash/restore', { ...owner, body: { ids: [image.id] } })
      expect(restored.body.images).toEqual([])
      expect(await statusOf(image)).not.toBe(200)
    },
  )

  it.each([
    [{}, 'action'],
    [{ action: 'restore' }, 'action'],
    [{ action: 'dismiss', note: 'x'.repeat(reportLimits.maxNoteLength + 1) }, 'note'],
    [{ action: 'dismiss', ids: [] }, 'ids'],
  ])('refuses %j', async (body, field) => {
    const { status, body: failure } = await app.call('POST', '/api/admin/reports/x/decide', { ...admin, body })
    expect([status, failure.error.split(':')[0]]).toEqual([400, field])
  })
})

describe('dismissReports', () => {
  const dismiss = (caseIds: unknown, note?: string) =>
    app.call('POST', '/api/admin/reports/dismiss', { ...admin, body: { caseIds, note } })

  it('closes the open ones of the cases, and leaves the images and the other cases', async () => {
    const images = [await upload(), await upload(), await upload(), await upload()]
    const cases: ReportCase[] = []
    for (const image of images) cases.push(await openCase(image))
    const [one, two, decided, other] = cases
    await decide(decided?.id, 'quarantine', 'Before')
    const { status, body } = await dismiss([one?.id, two?.id, two?.id, decided?.id, 'unknown'], ' Fine ')
    expect([status, body]).toEqual([200, { success: true, dismissed: 2 }])
    expect(await list()).toMatchObject([{ id: other?.id }])
    const decisions = new Map((await list('?status=decided')).map(({ id, decision }) => [id, decision]))
    expect(decisions.size).toBe(3)
    for (const closed of [one, two])
      expect(decisions.get(closed?.id ?? '')).toMatchObject({ action: 'dismiss', note: 'Fine', by: adminLogin })
    expect(decisions.get(decided?.id ?? '')).toMatchObject({ action: 'quarantine', note: 'Before' })
    expect(await Promise.all(images.slice(0, 2).map(statusOf))).toEqual([200, 200])
    expect((await dismiss([one?.id])).body.dismissed).toBe(0)
  })

  it.each<[unknown, string]>([
    [undefined, 'caseIds'],
    [[], 'caseIds'],
    [Array.from({ length: 201 }, String), 'caseIds'],
    ['all', 'caseIds'],
  ])('refuses the cases %j', async (caseIds, field) => {
    const { status, body } = await dismiss(caseIds)
    expect([status, body.error.split(':')[0]]).toEqual([400, field])
  })
})

describe('sweepReports', () => {
  it('closes the case of an image that no longer exists, not of one whose deletion can be undone', async () => {
    const [gone, hidden, open] = [await upload(), await upload(), await upload()]
    const { id } = await openCase(gone)
    await openCase(hidden)
    await openCase(open)
    await app.call('POST', '/api/admin/images/moderate', { ...admin, body: { action: 'remove', ids: [gone.id] } })
    await app.call('DELETE', `/api/images/${hidden.id}?undo=1`, owner)
    const now = app.deps.now()
    expect(await sweepReports(app.deps, now)).toEqual({ closedReportCases: 1, reportCases: 0 })
    const decided_at = new Date(now).toISOString()
    const decision = { action: 'image_gone', note: '', by: null, decided_at }
    expect(await list('?status=decided')).toMatchObject([{ id, image: null, decision }])
    expect((await list()).map(({ image_id }) => image_id).toSorted()).toEqual([hidden.id, open.id].toSorted())
    expect((await decide(id, 'dismiss')).body.code).toBe('report_decided')
  })

  it('deletes decided cases with their reports a year after the decision, and leaves open ones', async () => {
    const [open, decided] = [await openCase(await upload()), await openCase(await upload())]
    await decide(decided.id, 'dismiss')
    const decidedAt = app.deps.now()
    expect(await sweepReports(app.deps, decidedAt + decidedRetentionMs - dayMs)).toMatchObject({ reportCases: 0 })
    expect(await sweepReports(app.deps, decidedAt + decidedRetentionMs + dayMs)).toMatchObject({ reportCases: 1 })
    expect(await list()).toMatchObject([{ id: open.id }])
    expect(await list('?status=decided')).toEqual([])
    expect(await stored()).toMatchObject([{ case_id: open.id }])
  })
})
