import { paths } from '../paths.ts'
import { trashDays } from './site.ts'

/** A view of the dashboard, so that its script stays out of the first one. */
export const trashPath = `${paths.dashboard}?deleted`
export const isTrash = (search: string) => trashDays > 0 && new URLSearchParams(search).has('deleted')
