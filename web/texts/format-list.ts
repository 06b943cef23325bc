// The accepted formats as the screens list them.
import { formats, formatsFor, type ImageFormat, listFormats } from '../../contract/formats.ts'

/** 'JPG/JPEG' for a format with several extensions. */
const nameOnScreen = (name: ImageFormat) => {
  const { label, extensions } = formats[name]
  return extensions.length > 1 ? extensions.join('/').toUpperCase() : label
}

/** 'PNG, JPG/JPEG or WebP'. */
export const formatList = (uploader: 'guest' | 'user'): string => listFormats(formatsFor(uploader), 'or', nameOnScreen)
