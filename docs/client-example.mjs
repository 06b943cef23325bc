import { readFile } from 'node:fs/promises'
import { connect, RequestFailed } from 'image-host/client'

const host = connect({ url: process.env.IMAGE_HOST_URL, apiKey: process.env.IMAGE_HOST_KEY })
try {
  const file = new Blob([await readFile('photo.jpg')])
  const image = await host.uploadImage(file, { fileName: 'photo.jpg', expiresIn: '7d' })
  console.log(image.url)

  const { items, total } = await host.listImages({ query: { limit: 5, sort: 'newest' } })
  console.log(`${total} images, the newest is ${items[0].original_name}`)

  const { expires_at } = await host.extendImage({ params: { id: image.id } })
  console.log(`expires ${expires_at}`)
  await host.deleteImage({ params: { id: image.id } })
} catch (error) {
  if (!(error instanceof RequestFailed)) throw error
  console.error(`${error.status} ${error.code}: ${error.message}`)
  process.exitCode = 1
}
