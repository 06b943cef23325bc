import { useCallback } from 'react'
import type { Image } from '../../contract/endpoints/images.ts'
import { ApiError } from '../model/api-error.ts'
import { extendImage } from '../model/images/change-images.ts'
import { notify } from '../ui/toast/toast.ts'

interface Texts {
  extended: (count: number) => string
  failed: string
  /** A toast with the same id replaces the previous one. */
  toastId?: string
}

interface Listeners {
  start?: (image: Image) => void
  /** @param expiresAt the new date; null: it is kept */
  done?: (image: Image, expiresAt: string | null) => void
  failed?: (image: Image) => void
}

/**
 * Extending images from any page: one after another, until the first failure, with a toast at the
 * end.
 * @param texts a constant
 * @returns a function that resolves to whether all images were extended
 */
export function useExtendImages(texts: Texts) {
  const { extended, failed, toastId } = texts
  return useCallback(
    async (images: readonly Image[], on: Listeners = {}): Promise<boolean> => {
      for (const image of images) {
        on.start?.(image)
        try {
          const expiresAt = await extendImage(image)
          on.done?.(image, expiresAt)
        } catch (error) {
          on.failed?.(image)
          // app/logged-in.tsx reports the end of the session.
          if (error instanceof ApiError && error.endsSession) console.info(failed, error)
          else notify.failure(failed, error, toastId)
          return false
        }
      }
      notify.success(extended(images.length), toastId)
      return true
    },
    [extended, failed, toastId],
  )
}
