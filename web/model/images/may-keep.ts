import { session } from '../session.ts'
import { mayKeep } from '../site.ts'

/** Whether the user may keep images: their role decides. */
export function mayKeepImages(): boolean {
  const current = session.get()
  return mayKeep === 'users' || (mayKeep === 'admins' && current.status === 'in' && current.user.role === 'admin')
}
