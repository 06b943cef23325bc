import { useCallback, useState } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'

/** The dialog for the tags of one or several images. */
export function useTagging() {
  const [images, setImages] = useState<readonly Image[]>([])
  return {
    /** Whose tags the dialog shows; none: it is closed. */
    images,
    open: useCallback((chosen: readonly Image[]) => setImages(chosen), []),
    close: () => setImages([]),
  }
}
