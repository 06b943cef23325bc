import { links } from '../texts/gallery-messages.ts'

interface Props {
  value: 'direct' | 'share'
  onChange: (value: 'direct' | 'share') => void
}

/** Chooses the link of an image that is shown, copied and shared. */
export function LinkChoice({ value, onChange }: Props) {
  return (
    <div className="segments justify-self-start" role="group" aria-label={links.label}>
      {(['direct', 'share'] as const).map((kind) => (
        <button
          key={kind}
          type="button"
          className="segment"
          aria-pressed={value === kind}
          onClick={() => onChange(kind)}
        >
          {links[kind]}
        </button>
      ))}
    </div>
  )
}
