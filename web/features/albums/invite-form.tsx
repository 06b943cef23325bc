// Invites somebody to an album, and gives the link to hand on.
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import type { AlbumMember } from '../../../contract/endpoints/albums.ts'
import { type AlbumRole, albumRoles } from '../../../contract/plain/album-roles.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { errorText } from '../../format/error-text.ts'
import { ApiError } from '../../model/api-error.ts'
import { inviteLinkOf, inviteMember } from '../../model/albums/members.ts'
import { useSite } from '../../model/site.ts'
import { albumMembers, memberInvite as texts } from '../../texts/albums/member-messages.ts'
import { copy } from '../../texts/gallery-messages.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { copyText } from '../../ui/copy/copy-text.ts'
import { OutcomeText } from '../../ui/forms/form-outcome.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { useSubmit } from '../../ui/forms/use-submit.ts'

const options = albumRoles.map((role) => [role, albumMembers.roles[role]] as const)

export function InviteForm({ albumId }: { albumId: string }) {
  const [role, setRole] = useState<AlbumRole>('view')
  const [made, setMade] = useState<AlbumMember>()
  const { isBusy, problems, outcome, formProps } = useSubmit<'email'>({
    async send(form) {
      const field = form.elements.namedItem('email') as HTMLInputElement
      const email = field.value.trim()
      setMade(undefined)
      if (email === '' || !field.validity.valid) return { email: texts.invalid }
      setMade(await inviteMember(albumId, email, role))
      field.value = ''
      return ''
    },
    explain(error) {
      const reason = errorText(error, texts.failed)
      const isInvited = error instanceof ApiError && error.code === 'already_member'
      return isInvited ? { email: texts.again(reason) } : reason
    },
    refocus: 'email',
  })
  return (
    <div className="grid gap-4">
      <form {...formProps} className="invite-form">
        <TextField
          name="email"
          type="email"
          label={texts.email}
          placeholder={texts.emailHint}
          required
          autoComplete="off"
          maxLength={limits.account.maxEmailLength}
          error={problems.email}
        />
        <Select label={albumMembers.role} hasLabel value={role} options={options} onChange={setRole} />
        <p className="text-meta text-text-2">{albumMembers.roleTexts[role]}</p>
        <button type="submit" className="btn btn-primary" disabled={isBusy}>
          {isBusy ? texts.busy : texts.submit}
        </button>
      </form>
      <OutcomeText outcome={outcome} />
      {made && <Made member={made} />}
    </div>
  )
}

/** The link is shown here once: the server does not know it any more. */
function Made({ member }: { member: AlbumMember }) {
  const { mail } = useSite()
  const link = inviteLinkOf(member)
  if (link === undefined) return null
  return (
    <div className="invite-made" role="status">
      <p className="font-medium wrap-anywhere">{texts.made(member.email)}</p>
      <CopyButton
        className="btn btn-primary btn-lg w-full"
        icon={<Link2 className="size-5" aria-hidden />}
        copied={copy.copied}
        onCopy={() => copyText(link, albumMembers.linkCopied)}
      >
        {albumMembers.copyLink}
      </CopyButton>
      <p className="text-meta text-text-2">{mail ? texts.mailed : texts.notMailed}</p>
    </div>
  )
}
