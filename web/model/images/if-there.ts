import { ApiError } from '../api-error.ts'

/** Whether the image of the request is there. @throws any other failure */
export const ifThere = (request: Promise<unknown>): Promise<boolean> =>
  request.then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError && (error.status === 404 || error.status === 410)) return false
      throw error
    },
  )
