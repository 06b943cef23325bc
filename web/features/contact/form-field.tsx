import { clsx } from 'clsx'
import { contact } from '../../texts/contact-messages.ts'
import { maxLengths, type FieldName } from './contact-fields.ts'

const texts = contact.form

interface Props {
  name: FieldName
  /** Validation errors by field. */
  problems: Partial<Record<FieldName, string>>
  onChange: (name: FieldName) => void
  type?: 'text' | 'email'
  autoComplete?: string
  defaultValue?: string | undefined
  className?: string
  /** A textarea with a length counter. No maxlength while typing: pasted text must not be truncated silently. */
  rows?: number
  length?: number
  onLength?: (length: number) => void
}

export function FormField(props: Props) {
  const { name, problems, onChange, type = 'text', autoComplete, defaultValue, className, rows, length = 0 } = props
  const id = `contact-${name}`
  const problem = problems[name]
  const shared = {
    id,
    name,
    required: true,
    'aria-invalid': problem !== undefined,
    'aria-describedby':
      clsx(problem !== undefined && `${id}-problem`, rows !== undefined && `${id}-length`) || undefined,
  }

  return (
    <div className={clsx('grid content-start gap-1.5', className)}>
      <label className="font-medium" htmlFor={id}>
        {texts[name]}
      </label>
      {rows === undefined ? (
        <input
          {...shared}
          className="field scroll-mt-12"
          type={type}
          autoComplete={autoComplete}
          maxLength={maxLengths[name]}
          defaultValue={defaultValue}
          onChange={() => onChange(name)}
        />
      ) : (
        <textarea
          {...shared}
          className="field scroll-mt-12 h-auto min-h-28 resize-y py-2.5 coarse:h-auto"
          rows={rows}
          onChange={({ target }) => {
            onChange(name)
            props.onLength?.(target.value.length)
          }}
        />
      )}
      <div className="flex flex-wrap justify-between gap-x-4 text-meta empty:hidden">
        {problem !== undefined && (
          <p id={`${id}-problem`} role="alert" className="text-danger-text">
            {problem}
          </p>
        )}
        {rows !== undefined && (
          <p
            id={`${id}-length`}
            className={clsx('ml-auto tabular-nums', length > maxLengths[name] ? 'text-danger-text' : 'text-text-2')}
          >
            {texts.length(length, maxLengths[name])}
          </p>
        )}
      </div>
    </div>
  )
}
