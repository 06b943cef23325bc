// Images and albums of a user, created through the API.
import type { ApiResponse, TestApp, UploadOptions } from './app.ts'
import { jpeg } from './test-images.ts'

/** Uploads a small photograph, different each time. @returns its id */
export async function newImage(
  app: Pick<TestApp, 'upload'>,
  options: Pick<UploadOptions, 'token' | 'name' | 'fields'>,
): Promise<string> {
  return idOf(await app.upload(await jpeg(30, 20), options))
}

/** @param body overrides the title. @returns the id of the album */
export async function newAlbum(app: Pick<TestApp, 'call'>, token: string, body: object = {}): Promise<string> {
  return idOf(await app.call('POST', '/api/albums', { token, body: { title: 'Italy', ...body } }))
}

function idOf({ status, body }: ApiResponse): string {
  if (status !== 201) throw new Error(`The server refused it: ${JSON.stringify(body)}`)
  return body.id
}

/** @returns the ids of its images, in their order */
export const imagesOfAlbum = async (app: Pick<TestApp, 'call'>, token: string, album: string): Promise<string[]> =>
  (await app.call('GET', `/api/albums/${album}/images`, { token })).body.map(({ id }: { id: string }) => id)
