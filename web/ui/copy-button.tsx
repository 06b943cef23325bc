import { Check } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'

const copiedMs = 2000

interface Props {
  className: string
  /** Stands before the label; a check mark takes its place for 2 seconds after copying. */
  icon: ReactNode
  children: ReactNode
  /** Said to screen readers after copying; the button's name does not change. */
  copied: string
  /** Copies, and answers whether it could. */
  onCopy: () => Promise<boolean>
}

export function CopyButton({ className, icon, children, copied, onCopy }: Props) {
  const [isCopied, setCopied] = useState(false)

  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), copiedMs)
    return () => clearTimeout(timer)
  }, [isCopied])

  return (
    <>
      <button type="button" className={className} onClick={async () => setCopied(await onCopy())}>
        {isCopied ? <Check className="size-4 text-success-text" aria-hidden /> : icon}
        {children}
      </button>
      <span className="sr-only" aria-live="polite">
        {isCopied && copied}
      </span>
    </>
  )
}
