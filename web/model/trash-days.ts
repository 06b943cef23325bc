// Whether this site has a trash. Not among the settings of site.ts: the first script does not need it.
import { accountLimits } from '../../contract/plain/account-limits.ts'
import { paths } from '../paths.ts'

/** A view of the dashboard, so that its script stays out of the first one. */
export const trashPath = `${paths.dashboard}?deleted`
export const isTrash = (search: string) => trashDays > 0 && new URLSearchParams(search).has('deleted')

/** How long a deleted image can be restored; 0: there is no trash. */
export const trashDays = readDays(typeof document === 'undefined' ? '' : document.getElementById('site')?.textContent)

function readDays(json: string | undefined): number {
  try {
    const { trashDays: given } = Object(JSON.parse(json ?? '')) as { trashDays?: unknown }
    return typeof given === 'number' ? given : accountLimits.trashDays
  } catch {
    // As model/site.ts: what is no JSON stands for the defaults.
    return accountLimits.trashDays
  }
}
