import { useEffect, useState, type ReactNode } from 'react'

/** A status that appears together with its bar. Screen readers only say what changes in an element that is already there. */
export function LiveText({ className, children }: { className: string; children: ReactNode }) {
  const [isThere, setThere] = useState(false)
  useEffect(() => {
    const frame = requestAnimationFrame(() => setThere(true))
    return () => cancelAnimationFrame(frame)
  }, [])
  return (
    <p className={className} role="status">
      <span style={isThere ? undefined : { visibility: 'hidden' }}>{children}</span>
    </p>
  )
}
