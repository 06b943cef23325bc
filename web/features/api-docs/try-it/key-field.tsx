import { useId } from 'react'

interface Props {
  label: string
  text?: string
  credential: string
  onCredential: (credential: string) => void
}

/** A field for a key or token that exists only while this view is open and is never stored. */
export function KeyField({ label, text, credential, onCredential }: Props) {
  const id = useId()
  return (
    <div className="grid min-w-0 gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        id={id}
        className="field font-mono"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={credential}
        aria-describedby={text === undefined ? undefined : `${id}-text`}
        onChange={(event) => onCredential(event.target.value.trim())}
      />
      {text !== undefined && (
        <p id={`${id}-text`} className="text-dense text-text-2">
          {text}
        </p>
      )}
    </div>
  )
}
