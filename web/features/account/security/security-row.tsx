import type { ReactNode } from 'react'

interface Props {
  title: string
  text: string
  /** Of what is set up. */
  status?: string | undefined
  action?: ReactNode
  /** Below the row, and dialogs. */
  children?: ReactNode
}

/** One way to log in: what it is, its state, and its button. */
export function SecurityRow({ title, text, status, action, children }: Props) {
  return (
    <div className="grid gap-3 py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-48">
          <h3 className="font-medium">{title}</h3>
          <p className="text-meta text-text-2">{text}</p>
          {status !== undefined && (
            <p className="mt-1 text-meta font-medium wrap-anywhere text-success-text">{status}</p>
          )}
        </div>
        {action}
      </div>
      {children}
    </div>
  )
}
