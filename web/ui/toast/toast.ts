// Toasts. Errors have the role alert, others status. Toasts of one action share an id and replace each other.
import type { ReactElement } from 'react'
import { toast } from 'react-hot-toast/headless'

/** Plain text, or elements that contain only text. */
type ToastContent = string | ReactElement

const durationsMs = { error: 4000, blank: 4000, success: 2000 }

const alert = { role: 'alert', 'aria-live': 'assertive' } as const
const status = { role: 'status', 'aria-live': 'polite' } as const

export const notify = {
  success: (text: ToastContent, id?: string) =>
    toast.success(text, { duration: durationsMs.success, ariaProps: status, ...idOf(id) }),
  error: (text: ToastContent, id?: string) =>
    toast.error(text, { duration: durationsMs.error, ariaProps: alert, ...idOf(id) }),
  loading: (text: ToastContent, id?: string) =>
    toast.loading(text, { duration: Infinity, ariaProps: status, ...idOf(id) }),
  blank: (text: ToastContent, id?: string) =>
    toast(text, { duration: durationsMs.blank, ariaProps: status, ...idOf(id) }),
  dismiss: (id: string) => toast.dismiss(id),
}

const idOf = (id: string | undefined) => (id === undefined ? {} : { id })
