// Who is a member of an album, for its owner: invites, says what each may do, and removes.
import { Link2, Trash2, Users } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Album, AlbumMember } from '../../../contract/endpoints/albums.ts'
import { type AlbumRole, albumRoles } from '../../../contract/plain/album-roles.ts'
import { errorText } from '../../format/error-text.ts'
import { troubleOf } from '../../model/api-error.ts'
import { changeRole, inviteLinkOf, memberList, memberName, renewInvite } from '../../model/albums/members.ts'
import { queryClient } from '../../model/query-client.ts'
import { albumMembers as texts } from '../../texts/albums/member-messages.ts'
import { copy } from '../../texts/gallery-messages.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { copyText } from '../../ui/copy/copy-text.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { notify } from '../../ui/toast/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { InviteForm } from './invite-form.tsx'
import { ListLoading } from './list-loading.tsx'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import '../../styles/lists.css'
import './members.css'

/** Members accept and leave by themselves. */
const refreshMs = 5000

interface Props {
  album: Album
  onClose: () => void
}

export function MembersDialog({ album, onClose }: Props) {
  const { data, error, refetch } = useQuery(
    { ...memberList(album.id), refetchInterval: refreshMs, refetchOnWindowFocus: 'always' },
    queryClient,
  )
  const [removed, setRemoved] = useState<AlbumMember>()
  const heading = useRef<HTMLHeadingElement>(null)
  const headingId = useId()

  return (
    <Dialog title={texts.title(album.title)} onClose={onClose}>
      <InviteForm albumId={album.id} />
      {data === undefined && error === null && <ListLoading text={texts.loading} />}
      {data === undefined && error !== null && (
        <LoadFailure isBar title={texts.failed} {...troubleOf(error)} onRetry={refetch} />
      )}
      {data !== undefined && (
        <section className="members" aria-labelledby={headingId}>
          <h3 ref={heading} id={headingId} tabIndex={-1} className="font-semibold">
            {texts.list}
          </h3>
          {data.length === 0 ? (
            <Nobody />
          ) : (
            <ul>
              {data.map((member) => (
                <Member
                  key={member.id}
                  albumId={album.id}
                  member={member}
                  onRenewed={() => heading.current?.focus()}
                  onRemove={() => setRemoved(member)}
                />
              ))}
            </ul>
          )}
        </section>
      )}
      {removed && (
        <RemoveMemberDialog
          album={album}
          member={removed}
          onClose={() => {
            setRemoved(undefined)
            // The button that opened it is gone with its row.
            if (data?.some(({ id }) => id === removed.id) !== true) heading.current?.focus()
          }}
        />
      )}
    </Dialog>
  )
}

const Nobody = () => (
  <div className="members-none">
    <Users aria-hidden />
    <p>
      <strong>{texts.none}</strong>
      <span>{texts.noneText}</span>
    </p>
  </div>
)

const roleOptions = albumRoles.map((role) => [role, texts.roles[role]] as const)

interface MemberProps {
  albumId: string
  member: AlbumMember
  onRenewed: () => void
  onRemove: () => void
}

function Member({ albumId, member, onRenewed, onRemove }: MemberProps) {
  const [chosen, setChosen] = useState<AlbumRole>()
  const { run } = useAction(notify.failure)
  const name = memberName(member)
  const link = inviteLinkOf(member)

  async function change(role: AlbumRole): Promise<void> {
    setChosen(role)
    await run(
      async () => {
        await changeRole(albumId, member.id, role)
        notify.success(texts.roleChanged(name))
      },
      (error) => errorText(error, texts.roleFailed),
    )
    setChosen(undefined)
  }

  /** The button gives way to the one that copies. */
  async function renew(): Promise<void> {
    await run(
      async () => {
        const made = await renewInvite(albumId, member)
        onRenewed()
        await copyText(made, texts.newLinkCopied)
      },
      (error) => errorText(error, texts.newLinkFailed),
    )
  }

  return (
    <li>
      <div className="member-name">
        <span className="font-medium">{name}</span>
        {member.accepted ? (
          member.email !== '' && member.email !== name && <span className="text-meta text-text-2">{member.email}</span>
        ) : (
          <span>
            <span className="badge badge-dot" data-tone="warning">
              {texts.invited}
            </span>
          </span>
        )}
      </div>
      <div className="member-actions">
        {!member.accepted && link === undefined && (
          <SmallButton
            icon={Link2}
            text={texts.newLink}
            name={texts.newLinkOf(name)}
            isGhost
            onPress={() => void renew()}
          />
        )}
        {link !== undefined && (
          <CopyButton
            className="btn-icon"
            icon={<Link2 className="size-5" aria-hidden />}
            copied={copy.copied}
            aria-label={texts.copyLinkOf(name)}
            title={texts.copyLink}
            onCopy={() => copyText(link, texts.linkCopied)}
          >
            {null}
          </CopyButton>
        )}
        <Select
          label={texts.roleOf(name)}
          value={chosen ?? member.role}
          options={roleOptions}
          onChange={(role) => void change(role)}
        />
        <button
          type="button"
          className="btn-icon"
          aria-label={texts.remove(name)}
          title={texts.remove(name)}
          onClick={onRemove}
        >
          <Trash2 className="size-5" aria-hidden />
        </button>
      </div>
    </li>
  )
}
