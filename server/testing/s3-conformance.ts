// The bucket of S3 tests: on the in-memory server, or the real one of S3_TEST_ENDPOINT (npm run
// test:s3).
import { randomUUID } from 'node:crypto'
import { startS3Server } from './s3-server.ts'

export interface TestBucket {
  bucket: string
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** New in each run, because a real bucket may contain objects of earlier runs. */
  prefix: string
  stop(): Promise<void>
}

export async function openTestBucket(): Promise<TestBucket> {
  const prefix = `${randomUUID()}/originals/`
  const region = process.env.S3_TEST_REGION ?? 'us-east-1'
  const endpoint = process.env.S3_TEST_ENDPOINT
  if (endpoint !== undefined) {
    const settings = {
      bucket: 'S3_TEST_BUCKET',
      accessKeyId: 'S3_TEST_ACCESS_KEY_ID',
      secretAccessKey: 'S3_TEST_SECRET_ACCESS_KEY',
    }
    const given = Object.entries(settings).map(([name, variable]) => {
      const value = process.env[variable]
      if (!value) throw new Error(`S3_TEST_ENDPOINT needs ${variable} beside it`)
      return [name, value]
    })
    return {
      ...(Object.fromEntries(given) as Record<keyof typeof settings, string>),
      endpoint,
      region,
      prefix,
      stop: async () => {},
    }
  }
  const credentials = { bucket: 'test-bucket', accessKeyId: 'AKIATEST', secretAccessKey: 'secret/with+signs' }
  const server = await startS3Server({ ...credentials, region })
  return { ...credentials, endpoint: server.endpoint, region, prefix, stop: () => server.stop() }
}
