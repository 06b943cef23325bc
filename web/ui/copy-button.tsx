import { Check } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'

const copiedMs = 2000

interface Props {
  className: string
  /** The icon before the label; a check mark replaces it for 2 seconds after copying. */
  icon: ReactNode
  children: ReactNode
  /** Announced by screen readers after copying; the button's name does not change. */
  copied: string
  /** Copies. @returns whether that succeeded */
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
