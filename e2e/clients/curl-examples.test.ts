import { afterAll, beforeAll, expect, test } from 'vitest'
import { curlExamples } from './curl-examples.ts'
import { openSession } from './run-clients.ts'

let session: Awaited<ReturnType<typeof openSession>>
beforeAll(async () => {
  session = await openSession()
})
afterAll(() => session.close())

test.each(curlExamples('').map((run) => [run.api, run] as const))(
  'the published cURL command for %s uploads, and deletes where the host can',
  async (_, run) => {
    expect(await session.outcomeOf(run)).toMatchObject({ link: 'works' })
  },
)
