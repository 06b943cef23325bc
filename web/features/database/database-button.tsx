import { Lock } from 'lucide-react'
import { pin } from '../../notify/database-messages.ts'

/** Locked, it asks for the PIN; unlocked, it locks again. */
export function DatabaseButton() {
  return (
    <button type="button" className="btn btn-quiet">
      <Lock className="size-4" aria-hidden />
      {pin.title}
    </button>
  )
}
