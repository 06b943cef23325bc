import { useEffect, useState, type ReactNode } from 'react'

/** A status that is said although it appears with its bar: screen readers say what changes in an element that is there already. */
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
