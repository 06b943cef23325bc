import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** What must be known before a dialog is closed. @param id for the dialog's `describedBy` */
export function WarningText({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="flex gap-2.5 rounded-control bg-warning-soft px-3.5 py-3 text-dense text-warning-text">
      <TriangleAlert className="mt-px size-4.5 shrink-0" aria-hidden />
      {children}
    </p>
  )
}
