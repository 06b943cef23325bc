import { expect, it } from 'vitest'
import { startTestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'

it('a refusal for lack of capacity is in the log at warn with its reason, once a minute and kind', async () => {
  const app = await startTestApp({ MAX_STORAGE_BYTES: '2000' })
  const refuse = async () => {
    const { status, body } = await app.upload(await jpeg(300, 200))
    expect([status, body.code]).toEqual([507, 'total_quota_full'])
  }
  const warnings = () => app.logged.filter(({ msg }) => msg === 'Refused for lack of capacity')
  for (let n = 0; n < 3; n++) await refuse()
  expect(warnings()).toEqual([
    expect.objectContaining({
      level: 40,
      code: 'total_quota_full',
      reason: expect.stringContaining('limited to 2'),
      route: '/api/upload',
      refusedBefore: 0,
    }),
  ])
  app.moveClock(60_000)
  await refuse()
  expect(warnings()).toHaveLength(2)
  expect(warnings().at(-1)).toMatchObject({ refusedBefore: 2 })
  await app.stop()
})
