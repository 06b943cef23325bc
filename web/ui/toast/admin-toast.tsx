// Toasts of the API documentation and the database view: a title with a description, one at a time.
// They share one id, so that the next one replaces the previous.
import { toast } from 'react-hot-toast/headless'
import { toastLines } from './toast-lines.tsx'
import { notify } from './toast.ts'

const id = 'admin'

export const adminNotify = {
  done: (title: string, text?: string) => show('success', title, text),
  /** In the destructive style. */
  failed: (title: string, text?: string) => show('error', title, text),
}

function show(kind: 'success' | 'error', title: string, text: string | undefined): void {
  // An updated toast would keep the remaining time of the previous one.
  toast.remove(id)
  notify[kind](toastLines(title, text), id)
}
