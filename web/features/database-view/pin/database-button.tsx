import { Lock, LockOpen } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { lockDatabase, useUnlocked } from '../database-lock.ts'
import { pin } from '../../../texts/database-view/database-messages.ts'
import { PinDialog } from './pin-dialog.tsx'
import { useDatabaseAddress } from '../use-database-address.ts'

/** Locked, it opens the PIN dialog; unlocked, it locks the view. Also opens the dialog when the address names a collection. */
export function DatabaseButton() {
  const isUnlocked = useUnlocked()
  const { collection, go } = useDatabaseAddress()
  const [asking, setAsking] = useState<'wanted' | 'ended'>()
  const button = useRef<HTMLButtonElement>(null)
  /** The state at the last render: shows whether the view was locked by expiry. */
  const wasUnlocked = useRef(isUnlocked)

  useEffect(() => {
    const hasEnded = wasUnlocked.current && !isUnlocked
    wasUnlocked.current = isUnlocked
    if (isUnlocked) setAsking(undefined)
    else if (hasEnded) setAsking('ended')
    else if (collection !== undefined) setAsking('wanted')
  }, [isUnlocked, collection])

  function toggle(): void {
    if (!isUnlocked) return setAsking('wanted')
    wasUnlocked.current = false
    lockDatabase()
    go({ collection: undefined })
  }

  function close(): void {
    setAsking(undefined)
    // The dialog was not opened by a press, so the browser has no element to return the focus to.
    if (document.activeElement === document.body) button.current?.focus()
  }

  const Icon = isUnlocked ? LockOpen : Lock
  return (
    <>
      <button ref={button} type="button" className="btn btn-quiet" aria-pressed={isUnlocked} onClick={toggle}>
        <Icon className="size-4" aria-hidden />
        {pin.title}
      </button>
      {asking !== undefined && <PinDialog reason={asking === 'ended' ? pin.ended : undefined} onClose={close} />}
    </>
  )
}
