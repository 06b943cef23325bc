// Endpoint name = domain function: the map of the house. A missing endpoint or a wrong reply does not compile.
import { getMe, login, logout, register } from '../domain/accounts/accounts.ts'
import { deleteImage, extendImage, listImages } from '../domain/images/images.ts'
import { getOriginal } from '../domain/images/originals.ts'
import { getLimits } from '../domain/images/upload-limits.ts'
import { uploadImage } from '../domain/images/uploads.ts'
import { getJpeg, getResized, getResizedToBox, getThumbnail, getWebp } from '../domain/images/variants.ts'
import type { Handlers } from './handler.ts'

export const handlers: Handlers = {
  register,
  login,
  logout,
  getMe,

  uploadImage,
  listImages,
  deleteImage,
  extendImage,
  getOriginal,
  getThumbnail,
  getResized,
  getResizedToBox,
  getJpeg,
  getWebp,
  getLimits,
}
