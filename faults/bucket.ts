// A bucket of the tests' S3 server, for a server of a scenario.
import { startS3Server } from '../server/testing/s3-server.ts'
import type { Defer } from './resources.ts'

const credentials = { bucket: 'faults', accessKeyId: 'AKIAFAULTS', secretAccessKey: 'secret of the harness' }

export type Bucket = Awaited<ReturnType<typeof openBucket>>

export async function openBucket(defer: Defer) {
  const s3 = await startS3Server(credentials)
  defer(s3.stop)
  return {
    s3,
    settings: {
      S3_BUCKET: credentials.bucket,
      S3_ENDPOINT: s3.endpoint,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
  }
}
