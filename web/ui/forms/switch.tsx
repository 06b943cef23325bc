import { useId } from 'react'

interface Props {
  label: string
  /** An explanation below the label. */
  text?: string
  isOn: boolean
  isBusy?: boolean
  onChange: (isOn: boolean) => void
}

export function Switch({ label, text, isOn, isBusy = false, onChange }: Props) {
  const id = useId()
  return (
    <div className="flex items-center justify-between gap-4">
      <div className="min-w-0">
        <p id={`${id}label`} className="font-medium">
          {label}
        </p>
        {text !== undefined && (
          <p id={`${id}text`} className="text-meta text-text-2">
            {text}
          </p>
        )}
      </div>
      <button
        type="button"
        role="switch"
        className="switch"
        aria-checked={isOn}
        aria-busy={isBusy}
        aria-labelledby={`${id}label`}
        {...(text !== undefined && { 'aria-describedby': `${id}text` })}
        onClick={() => !isBusy && onChange(!isOn)}
      />
    </div>
  )
}
