// The server of PicGo and PicList. Obsidian's image uploader deletes with the items of fullResult.
import type { PicgoItem } from '../../../contract/compat/picgo.ts'
import { limits } from '../../../contract/plain/limits.ts'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import { Failure } from '../../domain/shared/failure.ts'
import { deleteByLink } from '../../domain/images/deletion/delete-links.ts'
import {
  type CallHandler,
  deleteHashOf,
  deleteLinkOf,
  type CompatProtocol,
  type UploadHandler,
} from './compat-protocol.ts'

export const picgo: CompatProtocol = {
  failure: ({ message }) => ({ success: false, message, msg: message, result: [] }),
}

export const picgoUpload: UploadHandler = {
  maxFiles: limits.compat.maxFiles,
  reusesSameBytes: false,
  nameFields: [],
  respond(images) {
    const items = images.map(toItem)
    return { success: true, result: images.map(({ url }) => url), fullResult: items, items }
  },
}

const toItem = (image: UploadedImage): PicgoItem => ({
  imgUrl: image.url,
  fileName: image.original_name,
  id: image.id,
  width: image.width,
  height: image.height,
  hash: deleteHashOf(image),
})

export const picgoDelete: CallHandler = async ({ deps, caller, address, body }) => {
  const { list } = body as { list: { hash: string }[] }
  const links = list.map(({ hash }) => {
    const link = deleteLinkOf(hash)
    if (!link) throw new Failure('invalid_input', { field: 'list', problem: 'must hold items of fullResult' })
    return link
  })
  for (const link of links) {
    try {
      await deleteByLink(deps, { caller, address, link })
    } catch (error) {
      const isDeleted = error instanceof Failure && ['image_gone', 'image_not_found'].includes(error.code)
      if (!isDeleted) throw error
    }
  }
  return { success: true, message: 'success' }
}

export const picgoHeartbeat: CallHandler = async () => ({ success: true, result: 'alive' })
