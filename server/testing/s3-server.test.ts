// The in-memory server must behave like S3: the first part also runs against a real one (npm run
// test:s3).
import { randomUUID } from 'node:crypto'
import * as sdk from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestBucket, type TestBucket } from './s3-conformance.ts'

let at: TestBucket
let client: sdk.S3Client
beforeAll(async () => {
  // As in server/blobs/s3.ts, so that the output of a run stays readable.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  at = await openTestBucket()
  client = clientWith({})
})
afterAll(() => at.stop())

function clientWith(other: Partial<sdk.S3ClientConfig>): sdk.S3Client {
  return new sdk.S3Client({
    endpoint: at.endpoint,
    region: at.region,
    forcePathStyle: true,
    credentials: at,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 1,
    ...other,
  })
}

async function put(body: string | Buffer, more: Partial<sdk.PutObjectCommandInput> = {}): Promise<string> {
  const Key = `${at.prefix}${randomUUID()}`
  await client.send(new sdk.PutObjectCommand({ Bucket: at.bucket, Key, Body: body, ...more }))
  return more.Key ?? Key
}

async function get(Key: string, Range?: string) {
  const found = await client.send(new sdk.GetObjectCommand({ Bucket: at.bucket, Key, ...(Range ? { Range } : {}) }))
  return { ...found, text: (await found.Body?.transformToString()) ?? '' }
}

const refusedWith = (status: number, name?: string) =>
  expect.objectContaining({ ...(name ? { name } : {}), $metadata: expect.objectContaining({ httpStatusCode: status }) })

describe('objects', () => {
  it('come back as they were put, with their metadata', async () => {
    const key = await put('hello', { Metadata: { sha256: 'abc' }, ContentType: 'image/png' })
    const found = await get(key)
    expect(found).toMatchObject({
      text: 'hello',
      ContentLength: 5,
      ContentType: 'image/png',
      Metadata: { sha256: 'abc' },
    })
    expect(found.ETag).toBe('"5d41402abc4b2a76b9719d911017c592"')
    expect(Math.abs(Date.now() - Number(found.LastModified))).toBeLessThan(60_000)
  })

  it.each(['with space', 'ünïcode ✓', "signs!'()*+=&;@", 'a/b//c', 'per%cent'])('may be named %s', async (name) => {
    const key = await put(name, { Key: at.prefix + name })
    expect((await get(key)).text).toBe(name)
  })

  it('may be empty, and may have ten megabytes', async () => {
    const bytes = Buffer.alloc(10 * 1024 * 1024, 'abc')
    expect((await get(await put(Buffer.alloc(0)))).ContentLength).toBe(0)
    expect((await get(await put(bytes))).text).toBe(bytes.toString())
  })

  it.each([
    ['bytes=0-0', 'h', 'bytes 0-0/5'],
    ['bytes=1-3', 'ell', 'bytes 1-3/5'],
    ['bytes=3-', 'lo', 'bytes 3-4/5'],
    ['bytes=-2', 'lo', 'bytes 3-4/5'],
    ['bytes=-9', 'hello', 'bytes 0-4/5'],
    ['bytes=2-99', 'llo', 'bytes 2-4/5'],
  ])('return the range %s', async (range, text, contentRange) => {
    const found = await get(await put('hello'), range)
    expect(found).toMatchObject({ text, ContentRange: contentRange, ContentLength: text.length })
    expect(found.$metadata.httpStatusCode).toBe(206)
  })

  it('refuse a range past their end', async () => {
    await expect(get(await put('hello'), 'bytes=5-9')).rejects.toEqual(refusedWith(416, 'InvalidRange'))
  })

  it('fail as missing with their name, and without it when the response has no body', async () => {
    const where = { Bucket: at.bucket, Key: `${at.prefix}missing` }
    await expect(client.send(new sdk.GetObjectCommand(where))).rejects.toEqual(refusedWith(404, 'NoSuchKey'))
    await expect(client.send(new sdk.HeadObjectCommand(where))).rejects.toEqual(refusedWith(404, 'NotFound'))
  })

  it('report their size without their bytes', async () => {
    const Key = await put('hello')
    expect(await client.send(new sdk.HeadObjectCommand({ Bucket: at.bucket, Key }))).toMatchObject({ ContentLength: 5 })
  })

  it('can be deleted twice', async () => {
    const where = { Bucket: at.bucket, Key: await put('hello') }
    for (let times = 0; times < 2; times++) {
      const { $metadata } = await client.send(new sdk.DeleteObjectCommand(where))
      expect($metadata.httpStatusCode).toBe(204)
    }
    await expect(get(where.Key)).rejects.toEqual(refusedWith(404, 'NoSuchKey'))
  })

  it('are replaced by a put, but not by one with If-None-Match: *', async () => {
    const Key = await put('old')
    await expect(put('newer', { Key, IfNoneMatch: '*' })).rejects.toEqual(refusedWith(412, 'PreconditionFailed'))
    expect((await get(Key)).text).toBe('old')
    await put('new', { Key })
    expect((await get(Key)).text).toBe('new')
    await put('first', { Key: `${Key}-2`, IfNoneMatch: '*' })
  })
})

describe('lists', () => {
  it('come in pages, in order, and know their prefix', async () => {
    const Prefix = `${at.prefix}list-${randomUUID()}/`
    const keys = ['a', 'b&c', 'd/e', 'f', 'g'].map((name) => Prefix + name)
    await Promise.all(keys.map((Key) => put('x', { Key })))
    const pages: string[][] = []
    let ContinuationToken: string | undefined
    do {
      const page = await client.send(
        new sdk.ListObjectsV2Command({ Bucket: at.bucket, Prefix, MaxKeys: 2, ContinuationToken }),
      )
      pages.push((page.Contents ?? []).map(({ Key = '' }) => Key))
      expect(page).toMatchObject({ Name: at.bucket, IsTruncated: pages.length < 3 })
      for (const { LastModified } of page.Contents ?? [])
        expect(Math.abs(Date.now() - Number(LastModified))).toBeLessThan(60_000)
      ContinuationToken = page.NextContinuationToken
    } while (ContinuationToken)
    expect(pages).toEqual([keys.slice(0, 2), keys.slice(2, 4), keys.slice(4)])
  })

  it('may be empty', async () => {
    const page = await client.send(new sdk.ListObjectsV2Command({ Bucket: at.bucket, Prefix: `${at.prefix}none/` }))
    expect(page).toMatchObject({ KeyCount: 0, IsTruncated: false })
    expect(page.Contents ?? []).toEqual([])
  })
})

describe('requests are refused', () => {
  const list = (Bucket = at.bucket) => new sdk.ListObjectsV2Command({ Bucket, MaxKeys: 1 })

  it('with a wrong secret', async () => {
    const wrong = clientWith({ credentials: { accessKeyId: at.accessKeyId, secretAccessKey: 'wrong' } })
    await expect(wrong.send(list())).rejects.toEqual(refusedWith(403, 'SignatureDoesNotMatch'))
  })

  it('with an unknown key', async () => {
    const wrong = clientWith({ credentials: { accessKeyId: 'unknown', secretAccessKey: at.secretAccessKey } })
    await expect(wrong.send(list())).rejects.toEqual(refusedWith(403, 'InvalidAccessKeyId'))
  })

  it('without a signature', async () => {
    expect((await fetch(`${at.endpoint}/${at.bucket}/?list-type=2`)).status).toBe(403)
  })

  it('with a clock that is wrong by half an hour', async () => {
    const wrong = clientWith({ systemClockOffset: -30 * 60 * 1000 })
    await expect(wrong.send(list())).rejects.toEqual(refusedWith(403, 'RequestTimeTooSkewed'))
  })

  it('for a bucket that is not there', async () => {
    const name = `no-${randomUUID()}`
    await expect(client.send(list(name))).rejects.toEqual(refusedWith(404, 'NoSuchBucket'))
    await expect(client.send(new sdk.HeadBucketCommand({ Bucket: name }))).rejects.toEqual(refusedWith(404))
    expect((await client.send(new sdk.HeadBucketCommand({ Bucket: at.bucket }))).$metadata.httpStatusCode).toBe(200)
  })

  it('whose body or metadata was changed after it was signed', async () => {
    const Key = `${at.prefix}tampered`
    const change = (edit: (request: { body: unknown; headers: Record<string, string> }) => void) => {
      const changing = clientWith({})
      changing.middlewareStack.add(
        (next) => (call) => {
          edit(call.request as Parameters<typeof edit>[0])
          return next(call)
        },
        { step: 'deserialize', priority: 'low' },
      )
      const command = new sdk.PutObjectCommand({
        Bucket: at.bucket,
        Key,
        Body: Buffer.from('hello'),
        Metadata: { a: 'b' },
      })
      return changing.send(command)
    }
    await expect(change((request) => (request.body = Buffer.from('hallo')))).rejects.toEqual(
      refusedWith(400, 'XAmzContentSHA256Mismatch'),
    )
    await expect(change(({ headers }) => (headers['x-amz-meta-a'] = 'c'))).rejects.toEqual(
      refusedWith(403, 'SignatureDoesNotMatch'),
    )
    await expect(get(Key)).rejects.toEqual(refusedWith(404, 'NoSuchKey'))
    await change(() => {})
    expect((await get(Key)).text).toBe('hello')
  })

  it('whose body does not fit its Content-MD5', async () => {
    const digestOfOther = 'XUFAKrxLKna5cZ2REBfFkg=='
    await expect(put('hallo', { ContentMD5: digestOfOther })).rejects.toEqual(refusedWith(400, 'BadDigest'))
  })
})
