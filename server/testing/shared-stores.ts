// A database and a bucket that several servers of a test share.
import { newDatabase } from './postgres.ts'
import { startS3Server } from './s3-server.ts'

/** @returns the settings of each server that shares them */
export async function startSharedStores(postgresUrl: string) {
  const database = await newDatabase(postgresUrl)
  const s3 = { bucket: 'images', accessKeyId: 'key', secretAccessKey: 'secret-of-the-test' }
  const store = await startS3Server(s3)
  return {
    environment: {
      DATABASE_URL: database.url,
      JWT_SECRET: 'the same secret on both servers, long',
      S3_BUCKET: s3.bucket,
      S3_ENDPOINT: store.endpoint,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    },
    async stop() {
      await store.stop()
      await database.drop()
    },
  }
}
