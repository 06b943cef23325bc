import { KeyRound } from 'lucide-react'
import { type ClientId, clients } from '../../../contract/client-setups/clients.ts'
import type { NewApiKey } from '../../../contract/endpoints/api-keys.ts'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { serverText } from '../../model/api-error.ts'
import { createApiKey } from '../../model/api-keys.ts'
import { uploadLimits, useSite } from '../../model/site.ts'
import { loginFor, paths } from '../../paths.ts'
import { apiKeys } from '../../texts/api-keys-messages.ts'
import { tools } from '../../texts/tools-messages.ts'
import { Link } from '../../ui/link.tsx'
import { useAction } from '../../ui/use-action.ts'
import { clientAddress, canBeGuest } from './find-clients.ts'
import { FormFailure } from '../../ui/forms/form-outcome.tsx'

interface Props {
  client: ClientId
  isUser: boolean
  created: NewApiKey | undefined
  onCreated: (key: NewApiKey) => void
}

/** Creates an upload-only key that is named after the client; guests read how to get one. */
export function SetupKey({ client, isUser, created, onCreated }: Props) {
  return (
    <section className="tools-key" aria-label={tools.key.title}>
      <KeyRound className="mt-0.5 size-5 shrink-0 text-accent-text" aria-hidden />
      {isUser ? <OwnKey client={client} created={created} onCreated={onCreated} /> : <GuestHint client={client} />}
    </section>
  )
}

function OwnKey({ client, created, onCreated }: Omit<Props, 'isUser'>) {
  if (created === undefined) return <CreateKey client={client} onCreated={onCreated} />
  return (
    <div role="status" className="min-w-0 flex-1">
      <p className="font-medium">{tools.key.created(created.name)}</p>
      <p className="mt-0.5 text-dense text-text-2">{tools.key.once}</p>
    </div>
  )
}

function CreateKey({ client, onCreated }: Pick<Props, 'client' | 'onCreated'>) {
  const { isBusy, outcome, run } = useAction()
  const { name } = clients[client]
  const create = () =>
    run(
      async () => onCreated(await createApiKey({ name, scopes: ['upload'] })),
      (error) => serverText(error, apiKeys.createFailed),
    )

  return (
    <div className="grid min-w-0 flex-1 gap-3">
      <p className="text-dense text-text-2">{tools.key.hint}</p>
      <button
        type="button"
        className="btn btn-primary justify-self-start coarse:h-12 max-xs:w-full"
        disabled={isBusy}
        onClick={() => void create()}
      >
        {isBusy ? tools.key.creating : tools.key.create(name)}
      </button>
      {outcome !== undefined && (
        <FormFailure text={outcome.text}>
          <Link className="link" to={paths.apiKeys}>
            {tools.key.manage}
          </Link>
        </FormFailure>
      )}
    </div>
  )
}

function GuestHint({ client }: { client: ClientId }) {
  const { guestUploads } = useSite()
  const { guest } = uploadLimits
  const { name } = clients[client]
  return (
    <p className="min-w-0 flex-1 text-dense text-text-2">
      {canBeGuest(client, guestUploads)
        ? tools.key.guest(formatBytes(guest.maxBytes), guest.retentionDays)
        : tools.key.needed(name)}{' '}
      <Link className="link" to={loginFor(clientAddress(client))}>
        {tools.key.login}
      </Link>
      {tools.key.loginText(name)}
    </p>
  )
}
