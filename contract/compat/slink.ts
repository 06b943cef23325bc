// Slink's upload for ShareX and other programs. Its response is that of POST /api/upload.
import { endpoint } from '../endpoints/endpoint.ts'
import { uploaded } from '../endpoints/images.ts'
import { encodedImage, uploadBase } from './schemas.ts'

export const slink = {
  slinkUpload: endpoint({
    ...uploadBase,
    summary: 'Upload an image as to Slink',
    upload: { field: 'image', description: encodedImage },
    status: 201,
    response: uploaded,
  }),
}
