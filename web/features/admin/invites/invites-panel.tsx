import { useQuery } from '@tanstack/react-query'
import { Plus, UserPlus } from 'lucide-react'
import { useRef, useState } from 'react'
import { troubleOf } from '../../../model/api-error.ts'
import type { Invite } from '../../../../contract/endpoints/invites.ts'
import { deleteInvite, inviteList } from './invites.ts'
import { useOnline } from '../../../model/online.ts'
import { queryClient } from '../../../model/query-client.ts'
import { useSite } from '../../../model/site.ts'
import { inviteLink, invites as texts } from '../../../texts/admin/invites-messages.ts'
import { common } from '../../../texts/messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { CopyOnceDialog } from '../../../ui/copy/copy-once-dialog.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { EmptyState, Skeletons } from '../loading-states.tsx'
import { useActionOutcome } from '../use-action-outcome.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { InviteTable } from './invite-table.tsx'

/** The invitations: create, list, delete. */
export function InvitesPanel() {
  const { registration } = useSite()
  const { data: invites, isPending, isError, error, refetch } = useQuery(inviteList, queryClient)
  const { outcome, attempt } = useActionOutcome()
  const [isCreating, setCreating] = useState(false)
  const [link, setLink] = useState<string>()
  const [asked, setAsked] = useState<Invite>()
  const title = useRef<HTMLHeadingElement>(null)
  const isOnline = useOnline()

  const remove = ({ id }: Invite) =>
    attempt(async () => {
      await deleteInvite(id)
      // The button that opened the dialog is removed with its row.
      requestAnimationFrame(() => title.current?.focus())
      return texts.deleted
    }, texts.deleteFailed)

  return (
    <section className="grid gap-4" aria-labelledby="invites" aria-busy={isPending}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <h2 id="invites" ref={title} tabIndex={-1} className="text-h2">
              {texts.title}
            </h2>
            <p role="status" className="text-dense text-text-2 tabular-nums">
              {invites && texts.count(invites.length)}
            </p>
          </div>
          <p className="mt-1 max-w-[68ch] text-dense text-text-2">{texts.text[registration]}</p>
        </div>
        <button type="button" className="btn btn-primary" disabled={!isOnline} onClick={() => setCreating(true)}>
          <Plus className="size-4.5" aria-hidden />
          {texts.create}
        </button>
      </div>
      <p role="status" className="text-dense font-medium text-success-text empty:hidden">
        {outcome}
      </p>
      {isError && (
        <LoadFailure title={texts.failed} {...troubleOf(error)} onRetry={refetch} isBar={invites !== undefined} />
      )}
      {isPending && <Skeletons count={3} className="h-13" />}
      {invites?.length === 0 && (
        <EmptyState icon={<UserPlus className="size-6.5" aria-hidden />} title={texts.none} text={texts.noneText} />
      )}
      {invites !== undefined && invites.length > 0 && (
        <InviteTable invites={invites} isOff={!isOnline} onDelete={setAsked} />
      )}
      {isCreating && <InviteDialog attempt={attempt} onLink={setLink} onClose={() => setCreating(false)} />}
      {link !== undefined && <CopyOnceDialog texts={inviteLink} value={link} onClose={() => setLink(undefined)} />}
      {asked !== undefined && (
        <ConfirmDialog
          title={texts.deleteTitle}
          confirm={texts.delete}
          busy={texts.deleting}
          cancel={common.cancel}
          isDanger
          onConfirm={() => remove(asked)}
          onClose={() => setAsked(undefined)}
        >
          {asked.note !== '' && (
            <p className="mb-2 wrap-anywhere">
              <b className="font-semibold text-text">{asked.note}</b>
            </p>
          )}
          <p>{texts.deleteText}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
