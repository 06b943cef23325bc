import { clsx } from 'clsx'
import { form as texts } from '../../texts/form-messages.ts'
import { FieldProblem } from './field-problem.tsx'

interface Props {
  /** In the document. */
  id: string
  name: string
  label: string
  hint?: string | undefined
  /** Replaces the hint. */
  problem?: string | undefined
  maxLength: number
  type?: 'text' | 'email'
  autoComplete?: string
  defaultValue?: string | undefined
  isRequired?: boolean
  className?: string
  /** A textarea with a length counter. No maxlength while typing: pasted text must not be truncated silently. */
  rows?: number
  length?: number
  onLength?: (length: number) => void
}

/** A field of a form with its label above and, below it, its hint or its problem. */
export function FormField(props: Props) {
  const { id, name, label, hint, problem, maxLength, isRequired = true, className, rows, length = 0 } = props
  const { type = 'text', autoComplete, defaultValue } = props
  const shared = {
    id,
    name,
    required: isRequired,
    defaultValue,
    'aria-invalid': problem !== undefined,
    'aria-describedby':
      clsx(
        problem !== undefined && `${id}-problem`,
        hint !== undefined && problem === undefined && `${id}-hint`,
        rows !== undefined && `${id}-length`,
      ) || undefined,
  }

  return (
    <div className={clsx('grid content-start gap-1.5', className)}>
      <label className="font-medium" htmlFor={id}>
        {label}
      </label>
      {rows === undefined ? (
        <input
          {...shared}
          className="field scroll-mt-12"
          type={type}
          autoComplete={autoComplete}
          maxLength={maxLength}
        />
      ) : (
        <textarea
          {...shared}
          className="field scroll-mt-12 h-auto min-h-28 resize-y py-2.5 coarse:h-auto"
          rows={rows}
          onChange={({ target }) => props.onLength?.(target.value.length)}
        />
      )}
      <div className="flex flex-wrap justify-between gap-x-4 text-meta empty:hidden">
        {problem !== undefined && <FieldProblem id={`${id}-problem`} text={problem} />}
        {hint !== undefined && problem === undefined && (
          <p id={`${id}-hint`} className="text-text-2">
            {hint}
          </p>
        )}
        {rows !== undefined && (
          <p
            id={`${id}-length`}
            className={clsx('ml-auto tabular-nums', length > maxLength ? 'text-danger-text' : 'text-text-2')}
          >
            {texts.length(length, maxLength)}
          </p>
        )}
      </div>
    </div>
  )
}
