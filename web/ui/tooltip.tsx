import { Tooltip as Radix } from 'radix-ui'
import { createContext, useContext, useState, type ReactElement, type ReactNode } from 'react'

interface Props {
  text: string
  /** Shown beside the text: the key that does the same. */
  shortcut?: string | undefined
  /** One button or link. It needs a label of its own: what is said here is for the eyes. */
  children: ReactElement
}

/** A name that shows beside a button without words: on hover after a moment, on focus at once. */
export function Tooltip({ text, shortcut, children }: Props) {
  const isInArea = useContext(IsInArea)
  // What stands outside an open dialog is behind it.
  const [dialog, setDialog] = useState<HTMLElement | null>(null)
  const tooltip = (
    <Radix.Root>
      <Radix.Trigger
        asChild
        aria-describedby={undefined}
        ref={(element) => setDialog(element?.closest('dialog') ?? null)}
      >
        {children}
      </Radix.Trigger>
      <Radix.Portal container={dialog}>
        <Radix.Content className="tooltip" sideOffset={6} collisionPadding={8}>
          {text}
          {shortcut !== undefined && <kbd className="tooltip-key">{shortcut}</kbd>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
  return isInArea ? tooltip : <TooltipArea>{tooltip}</TooltipArea>
}

const IsInArea = createContext(false)
const delayMs = 700
const skipDelayMs = 300

/** Around buttons that stand together: when the tooltip of one has shown, that of the next shows at once. */
export function TooltipArea({ children }: { children: ReactNode }) {
  return (
    <IsInArea value>
      <Radix.Provider delayDuration={delayMs} skipDelayDuration={skipDelayMs}>
        {children}
      </Radix.Provider>
    </IsInArea>
  )
}
