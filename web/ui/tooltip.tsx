import { Tooltip as Radix } from 'radix-ui'
import { createContext, useContext, useState, type ReactElement, type ReactNode } from 'react'
import './tooltip.css'

interface Props {
  text: string
  /** The keyboard shortcut of the action, shown beside the text. */
  shortcut?: string | undefined
  /** A button or link with a label of its own: the tooltip is visual only. */
  children: ReactElement
}

/** Shows the name of an icon button: on hover after a delay, on focus at once. */
export function Tooltip({ text, shortcut, children }: Props) {
  const isInArea = useContext(IsInArea)
  // Elements outside an open modal dialog are behind it.
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

/** Wraps adjacent buttons: after the first tooltip, the next one shows without delay. */
export function TooltipArea({ children }: { children: ReactNode }) {
  return (
    <IsInArea value>
      <Radix.Provider delayDuration={delayMs} skipDelayDuration={skipDelayMs}>
        {children}
      </Radix.Provider>
    </IsInArea>
  )
}
