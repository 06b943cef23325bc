// Toasts that repeat what the page says already: a screen reader says it once.
import { toast } from 'react-hot-toast/headless'
import { durationsMs } from './toast.ts'

const ariaProps = { role: 'status', 'aria-live': 'off' } as const

export const notifySilently = {
  success: (text: string, id: string) => toast.success(text, { duration: durationsMs.success, ariaProps, id }),
  error: (text: string, id: string) => toast.error(text, { duration: durationsMs.error, ariaProps, id }),
}
