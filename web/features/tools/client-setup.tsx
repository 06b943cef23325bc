import { useId, type ReactNode } from 'react'
import { type ClientId, setupParts } from '../../../contract/client-setups/clients.ts'
import type { Site } from '../../../contract/client-setups/setup.ts'
import { clientTexts, tools } from '../../texts/tools-messages.ts'
import { SetupPart } from './setup-part.tsx'

interface Props {
  client: ClientId
  site: Site
  /** Copying and downloading are the next step: the settings are complete. */
  isReady: boolean
  /** A part was copied or downloaded. */
  onTaken: () => void
}

/** The files and settings of a client, and the steps that use them. */
export function ClientSetup({ client, site, isReady, onTaken }: Props) {
  const parts = setupParts(client, site)
  return (
    <>
      <SetupSection title={tools.steps}>
        <ol className="tools-steps">
          {clientTexts[client].steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </SetupSection>
      {parts.length > 0 && (
        <SetupSection title={tools.settings}>
          <div className="grid gap-4">
            {parts.map((part) => (
              <SetupPart key={part.label} part={part} isReady={isReady} onTaken={onTaken} />
            ))}
          </div>
        </SetupSection>
      )}
    </>
  )
}

export function SetupSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-3 text-h3">
        {title}
      </h3>
      {children}
    </section>
  )
}
