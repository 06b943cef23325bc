// What is said in passing in the API docs and the database view: a title with a description, one at a time (specification
// section 9). One id for all of them, so that the next takes the place of the one before.
import { toast } from 'react-hot-toast/headless'
import { notify } from './toast.ts'

const id = 'admin'

export const adminNotify = {
  done: (title: string, text?: string) => show('success', title, text),
  /** In the destructive style. */
  failed: (title: string, text?: string) => show('error', title, text),
}

function show(kind: 'success' | 'error', title: string, text: string | undefined): void {
  // One that stands already would keep its age and go too soon.
  toast.remove(id)
  notify[kind](
    <>
      <span className="block">{title}</span>
      {text !== undefined && <span className="block font-normal">{text}</span>}
    </>,
    id,
  )
}
