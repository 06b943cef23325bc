// Response bodies as Lsky Pro has them.
import { limits } from '../../../contract/plain/limits.ts'

export const envelope = (data: object) => ({ status: true, message: 'success', data })

/** @param number of the page, from 1 on */
export const lskyPage = (number: number, total: number, data: object[]) => ({
  current_page: number,
  last_page: Math.max(1, Math.ceil(total / limits.compat.lskyPage)),
  per_page: limits.compat.lskyPage,
  total,
  data,
})
