import { TextField } from '../../../ui/forms/text-field.tsx'

interface Props {
  label: string
  text?: string
  credential: string
  onCredential: (credential: string) => void
}

/** A field for a key or token that exists only while this view is open and is never stored. */
export const KeyField = ({ label, text, credential, onCredential }: Props) => (
  <TextField
    label={label}
    hint={text}
    className="font-mono"
    autoComplete="off"
    autoCapitalize="off"
    spellCheck={false}
    value={credential}
    onChange={({ target }) => onCredential(target.value.trim())}
  />
)
