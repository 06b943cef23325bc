// How the user logs in: authenticator app, passkeys, recovery codes and providers.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { troubleOf } from '../../../model/api-error.ts'
import { attempt } from '../../../model/attempt.ts'
import { queryClient } from '../../../model/query-client.ts'
import {
  connectProvider,
  createRecoveryCodes,
  deleteIdentity,
  deleteTotp,
  securityQuery,
  startTotp,
} from './security.ts'
import { useSession } from '../../../model/session.ts'
import { useSite } from '../../../model/site.ts'
import { shortDate } from '../../../format/dates.ts'
import { paths } from '../../../paths.ts'
import { security as texts } from '../../../texts/security-messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Skeletons } from '../../../ui/list-panel/skeletons.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { notify } from '../../../ui/toast/toast.ts'
import { AccountSection } from '../account-section.tsx'
import { PasskeyRow } from './passkey-row.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { SecurityRow } from './security-row.tsx'
import { TotpDialog, type TotpSetup } from './totp-dialog.tsx'
import { SmallButton } from '../../../ui/small-button.tsx'

export function SecuritySection() {
  const session = useSession()
  const { loginProviders } = useSite()
  const { data, status, error, refetch } = useQuery(securityQuery, queryClient)
  const [codes, setCodes] = useState<string[]>()
  const needsFactor = session.status === 'in' && session.needsSecondFactor

  const providerOf = (id: string) => loginProviders.find((one) => one.id === id)
  const hasFactor = data !== undefined && (data.totp !== null || data.passkeys.length > 0)
  return (
    <AccountSection title={texts.title} text={texts.text}>
      {needsFactor && (
        <p role="alert" className="rounded-control bg-warning-soft px-3.5 py-3 text-dense text-warning-text">
          {texts.required}
        </p>
      )}
      {status === 'pending' && <Skeletons count={1} className="h-40" />}
      {status === 'error' && <LoadFailure title={texts.loadFailed} {...troubleOf(error)} onRetry={refetch} isBar />}
      {data !== undefined && (
        <div className="grid divided">
          <AppRow since={data.totp?.createdAt} onCodes={setCodes} />
          <PasskeyRow passkeys={data.passkeys} onCodes={setCodes} />
          {hasFactor && <RecoveryRow left={data.recoveryCodes} onCodes={setCodes} />}
          {data.identities.map((identity) => {
            // A provider may have been removed from the settings since.
            const { id, name } = providerOf(identity.provider) ?? { id: identity.provider, name: identity.provider }
            return <ProviderRow key={identity.id} id={id} name={name} identity={identity} />
          })}
          {loginProviders
            .filter(({ id }) => !data.identities.some(({ provider }) => provider === id))
            .map(({ id, name }) => (
              <ProviderRow key={id} id={id} name={name} identity={undefined} />
            ))}
        </div>
      )}
      {codes !== undefined && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </AccountSection>
  )
}

interface RowProps {
  /** Shows recovery codes. */
  onCodes: (codes: string[] | undefined) => void
}

function AppRow({ since, onCodes }: RowProps & { since: string | undefined }) {
  const [setup, setSetup] = useState<TotpSetup>()
  const [isAsking, setAsking] = useState(false)
  const { app } = texts
  async function start(): Promise<void> {
    const reason = await attempt(async () => setSetup(await startTotp()), texts.failed)
    if (reason !== undefined) notify.error(reason, 'account')
  }
  async function remove(): Promise<string | undefined> {
    const reason = await attempt(deleteTotp, texts.failed)
    if (reason === undefined) notify.success(app.removed, 'account')
    return reason
  }
  return (
    <SecurityRow
      title={app.title}
      text={app.text}
      status={since === undefined ? undefined : texts.set(shortDate(since))}
      action={
        <SmallButton
          text={since === undefined ? app.start : app.remove}
          onPress={() => (since === undefined ? void start() : setAsking(true))}
        />
      }
    >
      {setup !== undefined && <TotpDialog setup={setup} onCodes={onCodes} onClose={() => setSetup(undefined)} />}
      {isAsking && (
        <ConfirmDialog
          title={app.removeQuestion}
          confirm={app.remove}
          busy={texts.working}
          isDanger
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <p>{app.removeExplain}</p>
        </ConfirmDialog>
      )}
    </SecurityRow>
  )
}

function RecoveryRow({ left, onCodes }: RowProps & { left: number }) {
  const [isAsking, setAsking] = useState(false)
  const { recovery } = texts
  return (
    <SecurityRow
      title={recovery.title}
      text={recovery.text}
      status={recovery.left(left)}
      action={<SmallButton text={recovery.create} onPress={() => setAsking(true)} />}
    >
      {isAsking && (
        <ConfirmDialog
          title={recovery.question}
          confirm={recovery.create}
          busy={texts.working}
          onConfirm={() => attempt(async () => onCodes(await createRecoveryCodes()), texts.failed)}
          onClose={() => setAsking(false)}
        >
          <p>{recovery.explain}</p>
        </ConfirmDialog>
      )}
    </SecurityRow>
  )
}

interface ProviderRowProps {
  id: string
  name: string
  identity: { id: string; email: string | null } | undefined
}

function ProviderRow({ id, name, identity }: ProviderRowProps) {
  const [isAsking, setAsking] = useState(false)
  const { providers } = texts

  async function connect(): Promise<void> {
    const reason = await attempt(() => connectProvider(id, paths.account), texts.failed)
    if (reason !== undefined) notify.error(reason, 'account')
  }
  async function disconnect(identityId: string): Promise<string | undefined> {
    const reason = await attempt(() => deleteIdentity(identityId), texts.failed)
    if (reason === undefined) notify.success(providers.disconnected(name), 'account')
    return reason
  }

  return (
    <SecurityRow
      title={name}
      text={providers.text}
      status={identity === undefined ? undefined : (identity.email ?? providers.title)}
      action={
        <SmallButton
          text={identity === undefined ? providers.connect : providers.disconnect}
          name={identity === undefined ? providers.connectNamed(name) : providers.disconnectNamed(name)}
          onPress={() => (identity === undefined ? void connect() : setAsking(true))}
        />
      }
    >
      {isAsking && identity !== undefined && (
        <ConfirmDialog
          title={providers.question(name)}
          confirm={providers.disconnect}
          busy={texts.working}
          isDanger
          onConfirm={() => disconnect(identity.id)}
          onClose={() => setAsking(false)}
        >
          <p>{providers.explain}</p>
        </ConfirmDialog>
      )}
    </SecurityRow>
  )
}
