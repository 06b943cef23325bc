import { clsx } from 'clsx'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { errorText } from '../../format/error-text.ts'
import { albumForm } from '../../texts/albums/album-messages.ts'
import { FieldProblem } from '../../ui/forms/field-problem.tsx'

interface Props {
  text: string
  /** Of the field. */
  label: string
  /** Of the button that opens it, for screen readers. */
  edit: string
  /** In place of an empty text. */
  placeholder: string
  maxLength: number
  isRequired?: boolean
  /** It is the title of the page. */
  isTitle?: boolean
  className?: string
  /** @throws {ApiError} */
  onSave: (text: string) => Promise<unknown>
}

/** A text that becomes a field when it is pressed. Enter saves, Escape leaves it as it was. */
export function EditableText(props: Props) {
  const { text, label, edit, placeholder, maxLength, isRequired = false, isTitle = false, className, onSave } = props
  const [typed, setTyped] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const problemId = useId()
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  const isOpen = typed !== undefined

  // The field had the focus, and is gone.
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])

  function type(next: string | undefined): void {
    setTyped(next)
    setProblem(undefined)
  }

  async function save(): Promise<void> {
    const next = typed?.trim() ?? ''
    if (isBusy) return
    if (next === text || (isRequired && next === '')) return type(undefined)
    setBusy(true)
    setProblem(undefined)
    try {
      await onSave(next)
      setTyped(undefined)
    } catch (error) {
      console.info('The text was not saved', error)
      setProblem(errorText(error, albumForm.failed))
    }
    setBusy(false)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') void save()
    else if (event.key === 'Escape') type(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  const field = isOpen ? (
    <input
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the pressed button
      autoFocus
      className={clsx('field editable-field', className)}
      aria-label={label}
      aria-invalid={problem !== undefined}
      aria-describedby={problem && problemId}
      value={typed}
      maxLength={maxLength}
      readOnly={isBusy}
      autoComplete="off"
      onFocus={({ target }) => target.select()}
      onChange={({ target }) => type(target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => void save()}
    />
  ) : (
    <button
      ref={button}
      type="button"
      className={clsx('editable-text', className, text === '' && 'text-text-3')}
      title={edit}
      onClick={() => setTyped(text)}
    >
      {text === '' ? placeholder : text}
      <span className="sr-only">. {edit}</span>
    </button>
  )
  return (
    <>
      {isTitle ? <h1 className="text-title wrap-anywhere">{field}</h1> : field}
      {problem !== undefined && <FieldProblem id={problemId} text={problem} />}
    </>
  )
}
