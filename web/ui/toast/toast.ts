// Toasts. Errors have the role alert; the others are said because their region is live. A silent one repeats what the page says.
// Toasts of one action share an id and replace each other.
import type { ReactElement } from 'react'
import { toast } from 'react-hot-toast/headless'
import { errorText } from '../../format/error-text.ts'
import { toastLines } from './toast-lines.tsx'

/** Plain text, or elements that contain only text. */
type ToastContent = string | ReactElement

export const durationsMs = { error: 4000, blank: 4000, success: 2000 }

const alert = { role: 'alert', 'aria-live': 'assertive' } as const

export const notify = {
  success: (text: ToastContent, id?: string) =>
    toast.success(text, { duration: durationsMs.success, ...(id && { id }) }),
  error: (text: ToastContent, id?: string) =>
    toast.error(text, { duration: durationsMs.error, ariaProps: alert, ...(id && { id }) }),
  /** With the reason below it, as the server says it. The console has the error. */
  failure(text: string, error: unknown, id?: string): void {
    console.info(text, error)
    const reason = errorText(error, '')
    notify.error(reason === '' || reason === text ? text : toastLines(text, reason), id)
  },
  loading: (text: ToastContent, id?: string) => toast.loading(text, { duration: Infinity, ...(id && { id }) }),
  blank: (text: ToastContent, id?: string) => toast(text, { duration: durationsMs.blank, ...(id && { id }) }),
  dismiss: (id: string) => toast.dismiss(id),
}
