import type { ReactNode } from 'react'
import { FieldProblem } from './field-problem.tsx'

interface Props {
  id: string
  label: string
  hint?: string | undefined
  /** Replaces the hint. */
  error: string | undefined
  children: ReactNode
}

/** A field with its label above and, below it, its hint or its error, in the element with the id `${id}hint`. */
export function LabelledField({ id, label, hint, error, children }: Props) {
  return (
    <div className="grid content-start gap-1.5">
      <label className="font-medium" htmlFor={id}>
        {label}
      </label>
      {children}
      <div id={`${id}hint`} className="text-meta empty:hidden">
        {error === undefined ? (
          hint !== undefined && <p className="text-text-2">{hint}</p>
        ) : (
          <FieldProblem text={error} />
        )}
      </div>
    </div>
  )
}
