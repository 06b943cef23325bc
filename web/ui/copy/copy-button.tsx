import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { useEffect, useState, type ComponentProps, type ReactNode } from 'react'

const copiedMs = 2000

interface Props extends Omit<ComponentProps<'button'>, 'onCopy'> {
  /** The icon before the label; a check mark replaces it for 2 seconds after copying. */
  icon: ReactNode
  children: ReactNode
  /** Announced by screen readers after copying; the button's name does not change. */
  copied: string
  /** Copies. @returns whether that succeeded */
  onCopy: () => Promise<boolean>
}

export function CopyButton({ icon, children, copied, onCopy, onClick, ...rest }: Props) {
  const [isCopied, setCopied] = useState(false)
  // Green on blue is hardly seen.
  const isFilled = rest.className?.includes('btn-primary') === true

  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), copiedMs)
    return () => clearTimeout(timer)
  }, [isCopied])

  return (
    <>
      <button
        {...rest}
        type="button"
        onClick={async (event) => {
          onClick?.(event)
          setCopied(await onCopy())
        }}
      >
        {isCopied ? <Check className={clsx('size-4', !isFilled && 'text-success-text')} aria-hidden /> : icon}
        {children}
      </button>
      <span className="sr-only" aria-live="polite">
        {isCopied && copied}
      </span>
    </>
  )
}
