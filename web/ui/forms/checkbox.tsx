import { useId } from 'react'

interface Props {
  /** Of its field in a form that is read from the DOM. */
  name?: string
  label: string
  /** An explanation below the label. */
  text?: string
  isChecked: boolean
  isDisabled?: boolean
  isInvalid?: boolean
  /** The id of an element that describes it further, such as an error. */
  describedBy?: string
  className?: string
  onChange: (isChecked: boolean) => void
}

/** A native checkbox with its label. The whole element can be clicked. */
export function Checkbox(props: Props) {
  const { name, label, text, isChecked, isDisabled = false, isInvalid = false, describedBy } = props
  const { className = '', onChange } = props
  const id = useId()
  const descriptions = [text !== undefined && `${id}text`, describedBy].filter(Boolean).join(' ')
  return (
    <label className={`checkbox ${className}`}>
      <input
        type="checkbox"
        name={name}
        className="checkbox-box"
        checked={isChecked}
        disabled={isDisabled}
        aria-labelledby={`${id}label`}
        aria-invalid={isInvalid}
        {...(descriptions !== '' && { 'aria-describedby': descriptions })}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span className="min-w-0">
        <span id={`${id}label`} className="block font-medium">
          {label}
        </span>
        {text !== undefined && (
          <span id={`${id}text`} className="block text-meta text-text-2">
            {text}
          </span>
        )}
      </span>
    </label>
  )
}
