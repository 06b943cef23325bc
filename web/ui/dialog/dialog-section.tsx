import type { ReactNode } from 'react'
import { boundary } from '../../texts/messages.ts'
import { Dialog } from './dialog.tsx'
import { ErrorBoundary } from '../error-boundary.tsx'
import { BrokenPart } from '../section.tsx'

/** The place of a dialog: a dialog that fails leaves the page under it. */
export const DialogSection = ({ children, onClose }: { children: ReactNode; onClose: () => void }) => (
  <ErrorBoundary
    fallback={(broken) => (
      <Dialog title={boundary.title} onClose={onClose}>
        <BrokenPart {...broken} />
      </Dialog>
    )}
  >
    {children}
  </ErrorBoundary>
)
