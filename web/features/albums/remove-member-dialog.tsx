// Asks whether somebody is to be removed from an album, or is to leave it, and whether what they added goes too.
import { useState } from 'react'
import type { Album, AlbumMember } from '../../../contract/endpoints/albums.ts'
import { attempt } from '../../model/attempt.ts'
import { isLive } from '../../model/albums/albums.ts'
import { leaveAlbum, memberName, removeMember } from '../../model/albums/members.ts'
import { albumLeaving, memberRemoval } from '../../texts/albums/member-messages.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { notify } from '../../ui/toast/toast.ts'

interface RemoveProps {
  album: Album
  member: AlbumMember
  onClose: () => void
}

export function RemoveMemberDialog({ album, member, onClose }: RemoveProps) {
  const texts = memberRemoval
  const name = memberName(member)
  return (
    <Question
      texts={texts}
      title={member.accepted ? texts.title(name) : texts.inviteTitle(name)}
      text={member.accepted ? texts.text : texts.inviteText}
      confirm={member.accepted ? texts.confirm : texts.withdraw}
      hasAdded={member.accepted && !isLive(album)}
      run={(images) => removeMember(album.id, member.id, images)}
      done={member.accepted ? texts.done(name) : texts.withdrawn}
      onClose={onClose}
    />
  )
}

interface LeaveProps {
  album: Album
  onLeft: () => void
  onClose: () => void
}

export function LeaveDialog({ album, onLeft, onClose }: LeaveProps) {
  const texts = albumLeaving
  return (
    <Question
      texts={texts}
      title={texts.title(album.title)}
      text={texts.text(album.owner)}
      confirm={texts.confirm}
      hasAdded={!isLive(album)}
      run={async (images) => {
        await leaveAlbum(album.id, images)
        onLeft()
      }}
      done={texts.done(album.title)}
      onClose={onClose}
    />
  )
}

interface QuestionProps {
  texts: { images: string; imagesText: string; busy: string; failed: string }
  title: string
  text: string
  confirm: string
  /** Whether there may be images that the member added. */
  hasAdded: boolean
  run: (images: 'keep' | 'remove') => Promise<void>
  done: string
  onClose: () => void
}

function Question({ texts, title, text, confirm, hasAdded, run, done, onClose }: QuestionProps) {
  const [takesOut, setTakesOut] = useState(false)

  const remove = () =>
    attempt(async () => {
      await run(takesOut ? 'remove' : 'keep')
      notify.success(done)
    }, texts.failed)

  return (
    <ConfirmDialog title={title} confirm={confirm} busy={texts.busy} isDanger onConfirm={remove} onClose={onClose}>
      <p>{text}</p>
      {hasAdded && (
        <Checkbox
          className="mt-4"
          label={texts.images}
          text={texts.imagesText}
          isChecked={takesOut}
          onChange={setTakesOut}
        />
      )}
    </ConfirmDialog>
  )
}
